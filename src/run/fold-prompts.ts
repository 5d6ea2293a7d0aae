// Folds prompts and our own answers to them, and closes the prompts of an epoch that is over.
import type { AnswerFrame, EventFrame, PromptFrame } from "../../packages/wire/src/frame.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { isAmong, renamed } from "./identity/histories.ts"
import { isAlike, isAskedAnew, isUnconfirmed, isUnsettled, startOfPrompt } from "./identity/which-question.ts"
import { addOwnRow } from "./log.ts"
import { itemAt } from "./model/chunked-list.ts"
import { promptKey } from "./model/id.ts"
import { noQuestions, type Prompt, type Settlement } from "./model/prompts.ts"
import type { RunBuilder } from "./run-builder.ts"
import { findSession } from "./session-index.ts"

export const UNANSWERED = { state: "open", answer: null, answerLine: null, confirmed: false } as const

/** Opens a prompt, unless the hub repeats one that we have (docs/decisions.md 3.1). */
export function foldPrompt(builder: RunBuilder, frame: PromptFrame): void {
  const { run } = builder
  const { count, beforeFirstEvent } = run.attachment
  const index = builder.latestPrompt(frame.promptId)
  const known = run.prompts[index]
  if (known !== undefined && isRepeat(builder, known, frame)) {
    // Before an attachment's first event the run may be another run, which asks this prompt itself.
    if (beforeFirstEvent) builder.setPrompt(index, { ...known, frame, repeatedIn: count })
    return
  }
  const start = startOf(builder, frame)
  const asker = start?.asker ?? frame.invokeid
  const title = sanitizeLine(asker ?? frame.promptId)
  if (frame.faults.length > 0) {
    const why = `${title}: ${frame.faults.join("; ")}`
    addOwnRow(builder, { ts: run.lastTs, level: "warning", what: { kind: "prompt", why } })
  }
  const asked = builder.run.prompts.length
  const key = promptKey(frame.promptId, known?.key ?? null)
  if (start !== null) dropMissing(builder, start.to.key, key)
  builder.setPrompt(asked, {
    key,
    frame,
    title,
    session: askingSession(builder, asker),
    ...UNANSWERED,
    reportedAnswer: null,
    lost: false,
    errors: [],
    isRefused: false,
    asker,
    since: start?.to.line ?? null,
    soughtIn: run.attachment.greeting > 0 && (start === null || beforeFirstEvent) ? count : null,
    told: null,
    epoch: run.questions.epoch,
    attachment: count,
    beforeFirstEvent,
    repeatedIn: null,
    ts: run.lastTs,
  })
  if (start === null && !beforeFirstEvent) takeStart(builder, asked)
  replaceRefused(builder, asked)
}

/**
 * True for a prompt that the hub repeats: it is open, or the agent does not have our answer, or a greeting repeats a
 * settled one, which the hub forgets only at an answer.
 */
function isRepeat({ run }: RunBuilder, known: Prompt, frame: PromptFrame): boolean {
  if (known.state === "open") return true
  const { count, beforeFirstEvent } = run.attachment
  if (known.answer !== null && !known.confirmed) return known.attachment !== count
  return known.epoch === run.questions.epoch && beforeFirstEvent && startOfPrompt(run, frame) === null
}

/** The start of a new prompt. If a greeting's prompt may have taken the other's, the askers are unknown. */
function startOf(builder: RunBuilder, frame: PromptFrame): ReturnType<typeof startOfPrompt> {
  const { run } = builder
  const start = startOfPrompt(run, frame)
  if (start === null || frame.invokeid !== null || run.attachment.greeting === 0) return start
  const rival = run.prompts.findIndex(
    prompt =>
      prompt.soughtIn === run.attachment.count && prompt.frame.invokeid === null && isAlike(prompt.frame, start.to),
  )
  const other = run.prompts[rival]
  if (other === undefined || !isUnsettled(other)) return start
  builder.setPrompt(rival, { ...other, asker: null })
  return { ...start, asker: null }
}

/** Gives this prompt the start that the greeting's own prompt had taken. */
function takeStart(builder: RunBuilder, index: number): void {
  const { prompts, attachment } = builder.run
  const asked = prompts[index]
  if (asked === undefined || attachment.greeting === 0) return
  const wrong = prompts.findIndex(prompt => {
    if (!prompt.beforeFirstEvent || prompt.told?.holds !== false || !isUnsettled(prompt)) return false
    return asked.asker === null ? isAskedAnew(prompt, asked) : asked.asker === prompt.asker
  })
  const other = prompts[wrong]
  if (other === undefined || other.told === null) return
  const { to } = other.told
  const errors = to.state === "open" ? (to.errors ?? []) : []
  renameQuestion(builder, other.key, asked.key)
  builder.setPrompt(index, { ...asked, asker: other.asker, since: other.since, soughtIn: null, errors })
  settle(builder, wrong, to.state === "open" ? { state: "closed", errors } : to)
}

/** The hub greets us again: it may repeat starts that never came, and answers may have been lost. */
export function seekStarts(builder: RunBuilder): void {
  const { prompts, attachment, questions } = builder.run
  prompts.forEach((prompt, index) => {
    // After a cut greeting it is unknown which start belongs to its prompt.
    if (isUnsettled(prompt) && (prompt.since === null || prompt.soughtIn !== null))
      builder.setPrompt(index, { ...prompt, asker: prompt.frame.invokeid, soughtIn: attachment.count })
    const isCancelled = prompt.state === "cancelled" && prompt.answer?.cancelled === true
    if (!isCancelled && isAmong(questions.histories, prompt.key)) takeBack(builder, index)
  })
}

/** Opens a question again whose end may have been the end of another question. */
export function takeBack(builder: RunBuilder, index: number): void {
  const prompt = builder.run.prompts[index]
  if (prompt === undefined) return
  // Where another's answer was taken for this question's, ours is gone.
  const { answer } = prompt
  const state = answer === null ? "open" : answer.cancelled ? "cancelled" : "answered"
  const settled = { reportedAnswer: null, confirmed: false, errors: [], isRefused: false }
  builder.setPrompt(index, { ...prompt, ...settled, state })
}

/** Closes the prompt whose answer was refused if this prompt replaces it, and shows the refusal here. */
export function replaceRefused(builder: RunBuilder, index: number): void {
  const { prompts } = builder.run
  const asked = prompts[index]
  if (asked === undefined) return
  const replaced = prompts.findIndex((prompt, i) => i < index && prompt.isRefused && isAskedAnew(prompt, asked))
  const refused = prompts[replaced]
  if (refused === undefined) return
  settle(builder, replaced, { state: "closed", errors: refused.errors })
  if (asked.state === "open") builder.setPrompt(index, { ...asked, errors: refused.errors })
}

/** Folds our own answer, live or recorded. The agent has not confirmed it yet. */
export function foldAnswer(builder: RunBuilder, frame: AnswerFrame): void {
  const index = builder.latestPrompt(frame.promptId)
  const prompt = builder.run.prompts[index]
  if (prompt === undefined || prompt.state !== "open") return
  const state = frame.cancelled ? "cancelled" : "answered"
  const answered = { state, answer: frame, answerLine: builder.frames.lines, errors: [] } as const
  builder.setPrompt(index, { ...prompt, ...answered, repeatedIn: null })
}

/** Settles the prompt at `index` as the agent says. */
export function settle(builder: RunBuilder, index: number, to: Settlement): void {
  const prompt = builder.run.prompts[index]
  if (prompt === undefined) return
  const settled = { reportedAnswer: null, confirmed: true, errors: [], isRefused: false, told: null, ...to }
  builder.setPrompt(index, { ...prompt, ...settled })
}

/** Renames a question in the histories; null takes it out of them. */
export function renameQuestion({ run }: RunBuilder, key: string, name: string | null): void {
  run.questions = { ...run.questions, histories: renamed(run.questions.histories, key, name) }
}

/** Drops a question without a prompt: it is settled, or its prompt has arrived, whose key is `arrived`. */
export function dropMissing(builder: RunBuilder, key: string, arrived: string | null = null): void {
  renameQuestion(builder, key, arrived)
  const { questions } = builder.run
  builder.run.questions = { ...questions, missing: questions.missing.filter(one => one.key !== key) }
}

/** Closes the prompts of the epoch that is over. Those that came with the new attachment belong to the new epoch. */
export function forgetPrompts(builder: RunBuilder): void {
  const { run } = builder
  const { count, beforeFirstEvent } = run.attachment
  const isOfNew = (prompt: Prompt): boolean =>
    beforeFirstEvent && prompt.beforeFirstEvent && prompt.attachment === count
  const epoch = run.questions.epoch + 1
  run.questions = { ...noQuestions, epoch }
  run.prompts.forEach((prompt, index) => {
    const isRepeated = beforeFirstEvent && prompt.repeatedIn === count
    // Its start is still to come: an earlier start was the old run's.
    const unstarted = { asker: prompt.frame.invokeid, since: null, soughtIn: count, told: null, epoch } as const
    if (isOfNew(prompt) && !isRepeated) {
      builder.setPrompt(index, { ...prompt, ...unstarted })
      return
    }
    if (prompt.told?.holds === true && prompt.told.to.state !== "open" && !isRepeated) {
      settle(builder, index, prompt.told.to)
      return
    }
    const isSent = isUnconfirmed(prompt)
    if (isSent) logLostAnswer(builder, prompt)
    if (isRepeated) {
      // The new run asks under the same id, so the answer to the old run doesn't count for it.
      const unanswered = { ...UNANSWERED, errors: [], isRefused: false, reportedAnswer: null }
      builder.setPrompt(index, { ...prompt, ...unanswered, ...unstarted, attachment: count, beforeFirstEvent })
    } else if (prompt.state === "open") builder.setPrompt(index, { ...prompt, state: "closed", isRefused: false })
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
 * The latest session of the invokeid, else the session that spoke last. Null before an attachment's first event: until
 * then a prompt may belong to another epoch.
 */
export function askingSession(builder: RunBuilder, invokeid: string | null): number | null {
  const { run } = builder
  if (run.attachment.beforeFirstEvent) return null
  const invocation = builder.lookup().invocation(invokeid)
  return itemAt(run.invocations, invocation)?.sessions.at(-1) ?? run.facts.lastSpeaker
}

/**
 * The session that waits for the answer (docs/decisions.md 3.3): the session that the event names, else the latest of
 * its invokeid, else the only session that runs a tool. Null if that session is over, or if the chart asks.
 */
export function waitingSession(builder: RunBuilder, { invokeid, sessionId }: EventFrame): number | null {
  const { run } = builder
  const isAlive = (index: number): boolean => run.turnBuffers[index]?.turn.closed === false
  if (sessionId !== null) {
    const own = findSession(builder, invokeid, sessionId)
    if (own !== null) return isAlive(own) ? own : null
  }
  const members = itemAt(run.invocations, builder.lookup().invocation(invokeid))?.sessions
  if (members !== undefined) return members.findLast(isAlive) ?? null
  const running = run.sessions.flatMap(({ epoch, pendingCalls }, index) =>
    epoch === builder.epochIndex && pendingCalls.length > 0 && isAlive(index) ? [index] : [],
  )
  return running.length === 1 ? (running[0] ?? null) : null
}
