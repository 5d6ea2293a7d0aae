// Folds questions: prompts, our answers, and the `human-input/*` events that settle them.
import type { AnswerFrame, EventFrame, PromptFrame } from "../protocol/frame.ts"
import { stringifySafe } from "../protocol/json.ts"
import { sanitizeLine } from "../protocol/sanitize.ts"
import { charge, stateNow } from "./charge.ts"
import { addOwnRow } from "./log.ts"
import { promptKey } from "./model/id.ts"
import { amountOf } from "./model/ledger.ts"
import type { Prompt } from "./model/run.ts"
import type { RunBuilder } from "./run-builder.ts"
import { findSession } from "./session-index.ts"
import { recordStage } from "./stages.ts"

/** Maximum number of questions kept whose prompt never arrived; usually there is one per invokeid. */
const MISSING_PROMPTS_KEPT = 64

const UNANSWERED = { state: "open", answer: null, answerLine: null, confirmed: false } as const

/** Opens a prompt, unless the hub repeats one that we have (docs/decisions.md 3.1). */
export function foldPrompt(builder: RunBuilder, frame: PromptFrame): void {
  const { run } = builder
  const { count, beforeFirstEvent } = run.attachment
  dropMissingPrompt(builder, frame.invokeid)
  const index = builder.latestPrompt(frame.promptId)
  const known = run.prompts[index]
  if (known !== undefined && isRepeat(builder, known)) {
    // Before an attachment's first event the run may turn out to be another one; then this is its own prompt.
    if (beforeFirstEvent) builder.setPrompt(index, { ...known, frame, repeatedIn: count })
    return
  }
  const title = sanitizeLine(frame.invokeid ?? frame.promptId)
  if (frame.faults.length > 0) {
    const why = `${title}: ${frame.faults.join("; ")}`
    addOwnRow(builder, { ts: run.lastTs, level: "warning", what: { kind: "prompt", why } })
  }
  builder.setPrompt(run.prompts.length, {
    key: promptKey(frame.promptId, known?.key ?? null),
    frame,
    title,
    session: askingSession(builder, frame.invokeid),
    ...UNANSWERED,
    reportedAnswer: null,
    lost: false,
    errors: [],
    attachment: count,
    beforeFirstEvent,
    repeatedIn: null,
    ts: run.lastTs,
  })
}

/** The hub repeats open prompts, and answered ones until the agent has the answer. */
function isRepeat({ run }: RunBuilder, known: Prompt): boolean {
  if (known.state === "open") return true
  return known.answer !== null && !known.confirmed && known.attachment !== run.attachment.count
}

/** Folds our own answer, live or recorded. The agent has not confirmed it yet. */
export function foldAnswer(builder: RunBuilder, frame: AnswerFrame): void {
  const index = builder.latestPrompt(frame.promptId)
  const prompt = builder.run.prompts[index]
  if (prompt === undefined || prompt.state !== "open") return
  const state = frame.cancelled ? "cancelled" : "answered"
  const answerLine = builder.frames.lines
  builder.setPrompt(index, { ...prompt, state, answer: frame, answerLine, errors: [], repeatedIn: null })
}

/** Folds a `human-input/*` event; docs/decisions.md 3.2 says which prompt it closes. */
export function foldHumanInput(builder: RunBuilder, frame: EventFrame): void {
  const { body } = frame
  if (body.type !== "human-input/start" && body.type !== "human-input/validation-failed") endAsking(builder, frame)
  switch (body.type) {
    case "human-input/start":
      foldStart(builder, frame, body)
      return
    case "human-input/answer":
      dropMissingPrompt(builder, frame.invokeid)
      settleAnswered(builder, promptOf(builder, frame.invokeid), body)
      return
    case "human-input/cancelled":
      settleMeant(builder, frame, { state: "cancelled" })
      return
    case "human-input/interrupted":
      settleMeant(builder, frame, { state: "closed" })
      return
    case "human-input/error":
      settleMeant(builder, frame, { state: "closed", errors: [body.message ?? "error"] })
      return
    case "human-input/validation-failed":
      reopen(builder, promptMeant(builder, frame), body.errors)
      return
  }
}

/** The answer that took effect may be another client's, so ours stays only if the agent does not report another. */
function settleAnswered(builder: RunBuilder, index: number, { answer, shown }: ReportedAnswer): void {
  const own = builder.run.prompts[index]?.answer
  const isOurs =
    answer === undefined ||
    own?.secret ||
    (own?.value !== undefined && stringifySafe(own.value) === stringifySafe(answer))
  settle(builder, index, { state: "answered", reportedAnswer: shown, ...(isOurs ? {} : { answer: null }) })
}

type ReportedAnswer = Extract<EventFrame["body"], { readonly type: "human-input/answer" }>
type Start = Extract<EventFrame["body"], { readonly type: "human-input/start" }>

/** Records which session waits for a person, and the question if we don't have its prompt. */
function foldStart(builder: RunBuilder, frame: EventFrame, { inputKind, prompt }: Start): void {
  const { invokeid, ts } = frame
  if (inputKind === "progress" || inputKind === "custom") return
  const { run } = builder
  const session = waitingSession(builder, frame)
  run.personWaits = [...run.personWaits, { invokeid, session, ts }].slice(-MISSING_PROMPTS_KEPT)
  if (session !== null) recordStage(builder, session, ts)
  if (run.prompts.some(one => one.frame.invokeid === invokeid && isUnsettled(one))) return
  const missing = { invokeid, question: prompt ?? "", session: askingSession(builder, invokeid), ts }
  run.missingPrompts = [...run.missingPrompts, missing].slice(-MISSING_PROMPTS_KEPT)
}

/** Ends the oldest wait for this question, else the latest if the event names none. The chart's are the run's. */
function endAsking(builder: RunBuilder, { invokeid, ts }: EventFrame): void {
  const { run } = builder
  const place = run.personWaits.findIndex(wait => wait.invokeid === invokeid)
  const ended = run.personWaits.at(place)
  if (ended === undefined || (place < 0 && invokeid !== null)) return
  run.personWaits = run.personWaits.filter(wait => wait !== ended)
  if (ended.session !== null) recordStage(builder, ended.session, ts)
  else if (ended.ts !== null && ts !== null && ts > ended.ts)
    charge(builder, null, { account: amountOf({ humanMs: ts - ended.ts }), state: stateNow(builder), model: "" })
}

/** Drops the oldest missing prompt of an invokeid: it has arrived or is settled. */
function dropMissingPrompt({ run }: RunBuilder, invokeid: string | null): void {
  const index = run.missingPrompts.findIndex(one => one.invokeid === invokeid)
  if (index >= 0) run.missingPrompts = run.missingPrompts.toSpliced(index, 1)
}

/** An event without an invokeid settles the missing prompt only if it can't mean another one. */
function dropOnlyMissingPrompt({ run }: RunBuilder): void {
  const hasOther = run.prompts.some(one => one.state === "open" || isUnconfirmed(one, "cancelled"))
  if (run.missingPrompts.length === 1 && !hasOther) run.missingPrompts = []
}

/**
 * Index of the prompt of this invokeid that an event is about: one whose answer is on its way, else the oldest open
 * one, else one that we cancelled too late. -1 if there is none.
 */
function promptOf({ run }: RunBuilder, invokeid: string | null): number {
  const find = (test: (prompt: Prompt) => boolean) =>
    run.prompts.findIndex(prompt => prompt.frame.invokeid === invokeid && test(prompt))
  const answered = find(prompt => isUnconfirmed(prompt, "answered"))
  if (answered >= 0) return answered
  const open = find(prompt => prompt.state === "open")
  return open >= 0 ? open : find(prompt => isUnconfirmed(prompt, "cancelled"))
}

/**
 * Index of the prompt that an event without an invokeid is about: the one answered last whose answer is on its way,
 * rather one that we cancelled if the event says so; else the only open one. -1 if there is none.
 */
function promptOfNobody({ run }: RunBuilder, type: EventFrame["body"]["type"]): number {
  const sent = run.prompts
    .flatMap((prompt, index) => (isUnconfirmed(prompt, prompt.state) ? [{ ...prompt, index }] : []))
    .toSorted((a, b) => (a.answerLine ?? 0) - (b.answerLine ?? 0))
  const likely = type === "human-input/cancelled" ? "cancelled" : "answered"
  const last = sent.findLast(({ state }) => state === likely) ?? sent.at(-1)
  if (last !== undefined) return last.index
  const open = run.prompts.findIndex(prompt => prompt.state === "open")
  return open === run.prompts.findLastIndex(prompt => prompt.state === "open") ? open : -1
}

/** Index of the prompt that an event other than `human-input/answer` is about; -1 if that is unknown. */
function promptMeant(builder: RunBuilder, { body, invokeid }: EventFrame): number {
  return invokeid === null ? promptOfNobody(builder, body.type) : promptOf(builder, invokeid)
}

/** Settles the prompt that an event is about, and the missing one that it may mean instead. */
function settleMeant(builder: RunBuilder, frame: EventFrame, to: Settled): void {
  if (frame.invokeid === null) dropOnlyMissingPrompt(builder)
  else dropMissingPrompt(builder, frame.invokeid)
  settle(builder, promptMeant(builder, frame), to)
}

/** Opens a prompt again because its answer was refused, unless the agent has already asked it anew. */
function reopen(builder: RunBuilder, index: number, errors: readonly string[]): void {
  const { prompts } = builder.run
  const prompt = prompts[index]
  if (prompt === undefined) return
  const latestIndex = builder.latestPrompt(prompt.frame.promptId)
  const latest = prompts[latestIndex]
  if (latestIndex > index && latest !== undefined) {
    settle(builder, index, { state: "closed" })
    if (latest.state === "open") builder.setPrompt(latestIndex, { ...latest, errors })
    return
  }
  builder.setPrompt(index, { ...prompt, ...UNANSWERED, errors })
}

/** True if we answered or cancelled the prompt and the agent has not confirmed it. */
function isUnconfirmed(prompt: Prompt, state: Prompt["state"]): boolean {
  return prompt.answer !== null && !prompt.confirmed && prompt.state === state
}

/** True if the prompt is open, or the agent has not confirmed our answer. */
function isUnsettled(prompt: Prompt): boolean {
  return prompt.state === "open" || isUnconfirmed(prompt, prompt.state)
}

/** How the agent settled a prompt. */
type Settled = Pick<Prompt, "state"> & Partial<Pick<Prompt, "answer" | "reportedAnswer" | "errors">>

function settle(builder: RunBuilder, index: number, to: Settled): void {
  const prompt = builder.run.prompts[index]
  if (prompt === undefined) return
  builder.setPrompt(index, { ...prompt, reportedAnswer: null, confirmed: true, errors: [], ...to })
}

/** Closes the prompts of the epoch that is over. Those that came with the new attachment belong to the new epoch. */
export function forgetPrompts(builder: RunBuilder): void {
  const { run } = builder
  const { count, beforeFirstEvent } = run.attachment
  if (run.missingPrompts.length > 0) run.missingPrompts = []
  if (!run.prompts.some(isUnsettled)) return
  run.prompts.forEach((prompt, index) => {
    if (beforeFirstEvent && prompt.beforeFirstEvent && prompt.attachment === count) return
    const isOpen = prompt.state === "open"
    const isSent = isUnconfirmed(prompt, prompt.state)
    if (isSent) logLostAnswer(builder, prompt)
    if ((isSent || isOpen) && beforeFirstEvent && prompt.repeatedIn === count) {
      // The new run asks under the same id, so the answer to the old run doesn't count for it.
      builder.setPrompt(index, { ...prompt, ...UNANSWERED, errors: [] })
    } else if (isOpen) builder.setPrompt(index, { ...prompt, state: "closed" })
    else if (isSent) builder.setPrompt(index, { ...prompt, confirmed: true, lost: true })
  })
}

/** Logs that an answer was lost because another run began. The question keeps its text (docs/decisions.md 3.1). */
function logLostAnswer(builder: RunBuilder, { title }: Prompt): void {
  const why = "not confirmed before the agent restarted. Your answer is still in the question"
  const what = { kind: "timed-out", op: `answer to ${title}`, why } as const
  addOwnRow(builder, { ts: builder.run.lastTs, level: "warning", what })
}

/**
 * The most recent session of the invokeid, else the one that spoke last. Null before an attachment's first event,
 * because what comes then may belong to another epoch.
 */
function askingSession(builder: RunBuilder, invokeid: string | null): number | null {
  const { run } = builder
  if (run.attachment.beforeFirstEvent) return null
  const invocation = builder.lookup().invocation(invokeid)
  return run.invocations[invocation ?? -1]?.sessions.at(-1) ?? run.lastSpeaker
}

/**
 * The session that waits for the answer (docs/decisions.md 3.3): the one that the event names, else the latest of its
 * invokeid, else the only one that runs a tool. Null if that is over, and where the chart asks.
 */
function waitingSession(builder: RunBuilder, { invokeid, sessionId }: EventFrame): number | null {
  const { run } = builder
  const isAlive = (index: number): boolean => run.turnBuffers[index]?.closed === false
  if (sessionId !== null) {
    const own = findSession(builder, invokeid, sessionId)
    if (own !== null) return isAlive(own) ? own : null
  }
  const members = run.invocations[builder.lookup().invocation(invokeid) ?? -1]?.sessions
  if (members !== undefined) return members.findLast(isAlive) ?? null
  const running = run.sessions.flatMap(({ epoch, pendingCalls }, index) =>
    epoch === builder.epochIndex && pendingCalls.length > 0 && isAlive(index) ? [index] : [],
  )
  return running.length === 1 ? (running[0] ?? null) : null
}
