// Folds the events of questions: who waits for a person, and what became of each question.
import type { EventFrame } from "../protocol/frame.ts"
import { type Json, stringifySafe } from "../protocol/json.ts"
import { sanitizeLine } from "../protocol/sanitize.ts"
import { charge, stateNow } from "./charge.ts"
import { askingSession, dropMissing, replaceRefused, settle, UNANSWERED, waitingSession } from "./fold-prompts.ts"
import { missingInEpoch } from "./identify.ts"
import {
  decided,
  type EventMeaning,
  isNewest,
  isUnsettled,
  promptOfStart,
  questionMeant,
  type Start,
} from "./identity/which-question.ts"
import { amountOf } from "./model/ledger.ts"
import type { MissingPrompt, Prompt, Settlement, UndecidedEvent } from "./model/prompts.ts"
import type { RunBuilder } from "./run-builder.ts"
import { recordStage } from "./stages.ts"

/** Maximum number of questions kept whose prompt never arrived, and of events of which it is unknown what they mean. */
const KEPT = 64

/** Folds a `human-input/*` event. The table in docs/contract.md section 2 says which question it settles. */
export function foldHumanInput(builder: RunBuilder, frame: EventFrame): void {
  const { body } = frame
  if (body.type !== "human-input/start" && body.type !== "human-input/validation-failed") endAsking(builder, frame)
  switch (body.type) {
    case "human-input/start":
      foldStart(builder, frame, body)
      return
    case "human-input/answer":
      settleMeant(builder, frame, { state: "answered", reportedAnswer: body.shown })
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
      refuse(builder, questionMeant(builder.run, frame), body.errors)
      return
  }
}

type StartBody = Extract<EventFrame["body"], { readonly type: "human-input/start" }>

/** Records which session waits for a person, and the question if we don't have its prompt. */
function foldStart(builder: RunBuilder, frame: EventFrame, { inputKind: kind, prompt: text }: StartBody): void {
  const { invokeid, ts } = frame
  if (kind === "progress") return
  const { run } = builder
  if (kind === "custom") {
    // It waits for no person, but an event without a name may be about it.
    addMissing(builder, { invokeid, kind, text, session: null, ts })
    return
  }
  const session = waitingSession(builder, frame)
  run.personWaits = [...run.personWaits, { invokeid, session, ts }].slice(-KEPT)
  if (session !== null) recordStage(builder, session, ts)
  if (!run.questions.reportsStarts) run.questions = { ...run.questions, reportsStarts: true }
  const start: Start = { invokeid, kind, text }
  decideFor(builder, start)
  const pair = promptOfStart(run, start, prompt => isOfGreeting(builder, prompt))
  if (pair === null) {
    addMissing(builder, { ...start, session: askingSession(builder, invokeid), ts })
    return
  }
  const { to: prompt, asker } = pair
  // The greeting tells the newest prompt before its start: what it told of an earlier question is not about it.
  const told = prompt.told === null ? null : { ...prompt.told, holds: false }
  if (prompt.since !== null && prompt.told?.holds !== true) {
    const isOther = prompt.asker !== invokeid
    // Only the greeting's own prompt came after all of its starts; another may be asked by either.
    if (isOther && !isNewest(run, prompt)) {
      builder.setPrompt(run.prompts.indexOf(prompt), { ...prompt, asker: prompt.frame.invokeid })
      addMissing(builder, { ...start, session: askingSession(builder, invokeid), ts })
      return
    }
    const earlier: Start = { invokeid: prompt.asker, kind, text }
    addMissing(builder, { ...earlier, session: prompt.session, ts: prompt.ts }, prompt.since)
  }
  const index = run.prompts.indexOf(prompt)
  const name = asker ?? prompt.asker
  const title = name === null ? prompt.title : sanitizeLine(name)
  builder.setPrompt(index, { ...prompt, asker: name, title, since: builder.frames.lines, told })
  replaceRefused(builder, index)
}

/** True while a greeting lasts that may repeat the prompt's start: until then, events may be older than the prompt. */
function isOfGreeting({ run }: RunBuilder, { soughtIn, beforeFirstEvent, attachment }: Prompt): boolean {
  const { greeting, count } = run.attachment
  const isOwn = beforeFirstEvent && attachment === count
  return greeting > 0 && soughtIn === count && (isOwn || run.questions.reportsStarts)
}

type MissingStart = Start & Pick<MissingPrompt, "session" | "ts">

function addMissing(builder: RunBuilder, start: MissingStart, line = builder.frames.lines): void {
  const { run } = builder
  const { greeting, at } = run.attachment
  // What is newer than the connection is no repetition, though the greeting isn't over.
  const inGreeting = greeting > 0 && (start.ts === null || at === null || start.ts <= at)
  const missing = [...run.questions.missing, { ...start, key: `start ${line}`, line, inGreeting }].slice(-KEPT)
  run.questions = { ...run.questions, missing }
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

/** Settles the question that an event means; one that may mean several is kept until it is clear which. */
function settleMeant(builder: RunBuilder, frame: EventFrame, to: Settlement): void {
  const meant = questionMeant(builder.run, frame)
  if (meant === null) correctGuess(builder, frame, to)
  else settleOrKeep(builder, frame, meant, to)
  settleDecided(builder)
}

function settleOrKeep(builder: RunBuilder, frame: EventFrame, meant: EventMeaning, to: Settlement): void {
  if (meant.key !== null) settleKey(builder, frame, meant.key, to)
  if (meant.key === null || meant.isGuess) keep(builder, { to, among: meant.among, guess: meant.key })
}

function keep({ run }: RunBuilder, undecided: UndecidedEvent): void {
  run.questions = { ...run.questions, undecided: [...run.questions.undecided, undecided].slice(-KEPT) }
}

/** An event names a question that an earlier one was taken to mean: so that one meant another. */
function correctGuess(builder: RunBuilder, frame: EventFrame, to: Settlement): void {
  const { run } = builder
  const { undecided } = run.questions
  const at = undecided.findIndex(({ guess }) => guess !== null && isAskedBy(builder, guess, frame.invokeid))
  const wrong = undecided[at]
  if (wrong === undefined || wrong.guess === null) return
  settleKey(builder, frame, wrong.guess, to)
  const among = wrong.among.filter(key => key !== wrong.guess)
  run.questions = { ...run.questions, undecided: undecided.with(at, { ...wrong, among, guess: null }) }
}

function isAskedBy(builder: RunBuilder, key: string, invokeid: string | null): boolean {
  return invokeid !== null && builder.run.prompts[promptAt(builder, key)]?.asker === invokeid
}

function settleDecided(builder: RunBuilder): void {
  const { run } = builder
  if (run.questions.undecided.length === 0) return
  const isOpen = (key: string): boolean => {
    const prompt = run.prompts[promptAt(builder, key)]
    return prompt === undefined ? run.questions.missing.some(one => one.key === key) : isUnsettled(prompt)
  }
  const before = run.questions.undecided
  const settled = decided(run.questions, isOpen)
  for (const [key, index] of settled) settleKey(builder, null, key, before[index]?.to ?? { state: "closed" })
  const done = new Set(settled.values())
  const undecided = before.filter(
    ({ guess, among }, index) => !done.has(index) && (guess !== null || among.some(isOpen)),
  )
  if (undecided.length < before.length) run.questions = { ...run.questions, undecided }
}

/** Says of a prompt what an event told; of a greeting's prompt that is known only once the greeting is over. */
function tellOf(builder: RunBuilder, index: number, to: Settlement): void {
  const prompt = builder.run.prompts[index]
  if (prompt === undefined) return
  if (isOfGreeting(builder, prompt)) builder.setPrompt(index, { ...prompt, told: { to, holds: true } })
  else if (to.state === "open") reopen(builder, index, to.errors ?? [])
  else settle(builder, index, to)
}

function settleKey(builder: RunBuilder, frame: EventFrame | null, key: string, to: Settlement): void {
  const index = promptAt(builder, key)
  const prompt = builder.run.prompts[index]
  if (prompt === undefined) {
    dropMissing(builder, key)
    return
  }
  const reported = frame?.body.type === "human-input/answer" ? frame.body.answer : undefined
  const isCancelled = prompt.state === "cancelled" && to.state === "cancelled"
  const isSecret = prompt.answer?.secret === true && reported !== undefined
  const isOurs = isCancelled || isSecret || (reported !== undefined && isSame(prompt.answer?.value, reported))
  // Of an agent without starts only the time tells what is newer than the connection.
  const { at } = builder.run.attachment
  const isLater = !builder.run.questions.reportsStarts && frame?.ts != null && at !== null && frame.ts > at
  // The answer that took effect may be another client's, so ours stays only if the agent does not report another.
  const told = isOurs || reported === undefined ? to : { ...to, answer: null }
  if (isOurs || (isLater && to.state !== "open")) settle(builder, index, told)
  else tellOf(builder, index, told)
}

function isSame(ours: Json | undefined, reported: Json): boolean {
  return ours !== undefined && stringifySafe(ours) === stringifySafe(reported)
}

/** The greeting is over: what it told of its prompts holds, unless a later start showed that it was of earlier ones. */
export function endGreeting(builder: RunBuilder): void {
  const { run } = builder
  if (run.attachment.greeting === 0) return
  run.attachment = { ...run.attachment, greeting: 0 }
  // Without a gap the start would have come: what the events tell is of earlier questions.
  const isCut = missingInEpoch(builder.epoch) > 0
  run.prompts.forEach((prompt, index) => {
    const { told, soughtIn, beforeFirstEvent } = prompt
    if (soughtIn === null || !isUnsettled(prompt)) return
    if (told?.holds === true && (prompt.since !== null || isCut || prompt.answer !== null)) {
      tellOf(builder, index, told.to)
      return
    }
    // The start of a prompt that came during the greeting may still be on its way.
    const since = prompt.since ?? (beforeFirstEvent ? startSeen(builder, prompt) : null)
    builder.setPrompt(index, { ...prompt, soughtIn: null, told: null, since })
  })
  settleDecided(builder)
}

/** The line of the start that may be this prompt's though it has other words, which is then no longer missing. */
function startSeen(builder: RunBuilder, { frame }: Prompt): number {
  const { missing } = builder.run.questions
  const start = missing.findLast(({ invokeid }) => invokeid !== null && invokeid === frame.invokeid)
  if (start === undefined) return builder.frames.lines
  dropMissing(builder, start.key)
  return start.line
}

/** An answer was refused. If it is open to which of several questions, that shows once one of them is asked anew. */
function refuse(builder: RunBuilder, meant: EventMeaning | null, errors: readonly string[]): void {
  if (meant === null) return
  const to: Settlement = { state: "open", errors }
  if (meant.key === null) keep(builder, { to, among: meant.among, guess: null })
  else settleKey(builder, null, meant.key, to)
}

/** Who asks again has an earlier question that is over: the one that an undecided event may mean. */
function decideFor(builder: RunBuilder, { invokeid }: Start): void {
  const { run } = builder
  const { undecided } = run.questions
  const isOwn = (key: string): boolean => {
    const prompt = run.prompts[promptAt(builder, key)]
    if (prompt === undefined) return run.questions.missing.some(one => one.key === key && one.invokeid === invokeid)
    return prompt.state === "open" && prompt.asker === invokeid && prompt.since !== null
  }
  const at = undecided.findIndex(({ guess, among }) => guess === null && among.some(isOwn))
  const event = undecided[at]
  const key = event?.among.find(isOwn)
  if (event === undefined || key === undefined || invokeid === null) return
  run.questions = { ...run.questions, undecided: undecided.toSpliced(at, 1) }
  settleKey(builder, null, key, event.to)
  settleDecided(builder)
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
  builder.setPrompt(index, { ...prompt, ...UNANSWERED, errors, isRefused: true })
  const asked = prompt.answerLine ?? prompt.since ?? 0
  prompts.forEach(({ since }, later) => {
    if (later > index && (since ?? 0) > asked) replaceRefused(builder, later)
  })
}

/** Index of the prompt with this key, -1 if there is none. */
function promptAt({ run }: RunBuilder, key: string): number {
  return run.prompts.findIndex(prompt => prompt.key === key)
}
