// Folds the events of questions: the sessions that wait for a person, and the end of each question.
import type { EventFrame } from "../../packages/wire/src/frame.ts"
import { type Json, stringifySafe } from "../../packages/wire/src/json.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import {
  askingSession,
  dropMissing,
  renameQuestion,
  replaceRefused,
  settle,
  takeBack,
  UNANSWERED,
  waitingSession,
} from "./fold-prompts.ts"
import { missingInEpoch } from "./identify.ts"
import { endedOne, hadEnded, isAmong, renamed, surelyEnded, wasOpen } from "./identity/histories.ts"
import {
  isNewest,
  isUnconfirmed,
  isUnsettled,
  promptOfStart,
  questionMeant,
  type Start,
} from "./identity/which-question.ts"
import type { History, MissingPrompt, Prompt, Settlement } from "./model/prompts.ts"
import type { RunBuilder } from "./run-builder.ts"
import { endPersonWaits, recordStage, setPersonWaits } from "./stages.ts"

/** Maximum number of questions kept whose prompt never arrived, and of events that fit several questions. */
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
      settleMeant(builder, frame, { state: "answered", reportedAnswer: body.answer ?? null })
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
      settleMeant(builder, frame, { state: "open", errors: body.errors })
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
  setPersonWaits(builder, [...run.personWaits, { invokeid, session, ts }].slice(-KEPT), ts)
  if (session !== null) recordStage(builder, session, ts)
  if (!run.questions.reportsStarts) run.questions = { ...run.questions, reportsStarts: true }
  const start: Start = { invokeid, kind, text }
  endEarlier(builder, start)
  const pair = promptOfStart(run, start, prompt => isOfGreeting(builder, prompt))
  if (pair === null) {
    addMissing(builder, { ...start, session: askingSession(builder, invokeid), ts })
    return
  }
  const { to: prompt, asker } = pair
  // A greeting repeats the newest prompt before its start, so an end in it of an earlier question is of another prompt.
  const told = prompt.told === null ? null : { ...prompt.told, holds: false }
  const isOther = prompt.asker !== invokeid && prompt.asker !== null
  const isNew = isNewer(builder, ts)
  const since = prompt.told?.holds === true && !(isOther && isNew) ? null : prompt.since
  if (since !== null) {
    // Only the greeting's own prompt came after all of its starts; another may be asked by either.
    if (isOther && (!isNewest(run, prompt) || isNew)) {
      builder.setPrompt(run.prompts.indexOf(prompt), { ...prompt, asker: prompt.frame.invokeid, told })
      addMissing(builder, { ...start, session: askingSession(builder, invokeid), ts })
      return
    }
    const earlier: Start = { invokeid: prompt.asker, kind, text }
    addMissing(builder, { ...earlier, session: prompt.session, ts: prompt.ts }, since)
  }
  renameQuestion(builder, prompt.key, since === null ? null : startKey(since))
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

/** The key of a question that only has a start, in this line. */
function startKey(line: number): string {
  return `start ${line}`
}

type MissingStart = Start & Pick<MissingPrompt, "session" | "ts">

function addMissing(builder: RunBuilder, start: MissingStart, line = builder.frames.lines): void {
  const { run } = builder
  // An event newer than the connection is no repetition, though the greeting isn't over.
  const inGreeting = run.attachment.greeting > 0 && !isNewer(builder, start.ts)
  const missing = [...run.questions.missing, { ...start, key: startKey(line), line, inGreeting }].slice(-KEPT)
  run.questions = { ...run.questions, missing }
}

/** True for an event after the connection was opened, by the agent's clock, which may not be ours. */
function isNewer({ run }: RunBuilder, ts: number | null): boolean {
  const { at } = run.attachment
  return ts !== null && at !== null && ts > at
}

/** Ends the oldest wait for this question, else the latest if the event names none. The chart's are the run's. */
function endAsking(builder: RunBuilder, { invokeid, ts }: EventFrame): void {
  const { run } = builder
  const place = run.personWaits.findIndex(wait => wait.invokeid === invokeid)
  const ended = run.personWaits.at(place)
  if (ended === undefined || (place < 0 && invokeid !== null)) return
  endPersonWaits(builder, [ended], ts)
}

/** Settles the question that an event means. One that may mean several leaves open all that may be. */
function settleMeant(builder: RunBuilder, frame: EventFrame, to: Settlement): void {
  const { run } = builder
  const meant = questionMeant(run, frame)
  if (meant === null) return
  const { key, among } = meant
  const { histories } = run.questions
  if (among.length > 1) follow(builder, endedOne(histories, among, to))
  else if (key !== null) follow(builder, wasOpen(histories, key))
  const isLeft = among.length === 1 || isAmong(run.questions.histories, key ?? "")
  if (key !== null && isLeft) settleKey(builder, frame, key, to)
}

/** Takes over the histories: settles the questions that have surely ended, and takes back wrong guesses. */
function follow(builder: RunBuilder, histories: readonly History[]): void {
  const { run } = builder
  const before = run.questions.histories
  let left = histories
  for (const [key, to] of surelyEnded(histories)) {
    left = renamed(left, key, null)
    const prompt = run.prompts[promptAt(builder, key)]
    if (prompt === undefined || isUnsettled(prompt)) settleKey(builder, null, key, to)
  }
  run.prompts.forEach(({ key }, index) => {
    if (isAmong(before, key) && !isAmong(histories, key)) takeBack(builder, index)
  })
  if (left !== run.questions.histories) run.questions = { ...run.questions, histories: left }
}

/** Settles or reopens a prompt; for a greeting's prompt once the greeting is over. */
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
    endMissing(builder, key)
    return
  }
  const reported = frame?.body.type === "human-input/answer" ? frame.body.answer : undefined
  const isCancelled = prompt.state === "cancelled" && to.state === "cancelled"
  const isSecret = prompt.answer?.secret === true && reported !== undefined
  const isOurs = isCancelled || isSecret || (reported !== undefined && isSame(prompt.answer?.value, reported))
  // Without starts, only the time shows that an event is newer than the connection.
  const isLater = !builder.run.questions.reportsStarts && isNewer(builder, frame?.ts ?? null)
  // The answer that took effect may be another client's, so ours stays only if the agent does not report another.
  const told = isOurs || reported === undefined ? to : { ...to, answer: null }
  if (isOurs || (isLater && to.state !== "open")) settle(builder, index, told)
  else tellOf(builder, index, told)
}

/** Ends a question without a prompt, and the refused question that it replaced. */
function endMissing(builder: RunBuilder, key: string): void {
  const { prompts, questions } = builder.run
  const asker = questions.missing.find(one => one.key === key)?.invokeid ?? null
  dropMissing(builder, key)
  const refused = prompts.findIndex(one => one.isRefused && one.asker !== null && one.asker === asker)
  if (refused >= 0) settle(builder, refused, { state: "closed" })
}

function isSame(ours: Json | undefined, reported: Json): boolean {
  return ours !== undefined && stringifySafe(ours) === stringifySafe(reported)
}

/** Ends the greeting. The ends of prompts in it hold, unless a later start showed that they were of earlier prompts. */
export function endGreeting(builder: RunBuilder): void {
  const { run } = builder
  if (run.attachment.greeting === 0) return
  run.attachment = { ...run.attachment, greeting: 0 }
  // Without a gap the start would have come: the events are about earlier questions.
  const isCut = missingInEpoch(builder.epoch) > 0
  run.prompts.forEach((prompt, index) => {
    const { told, soughtIn, beforeFirstEvent } = prompt
    // Our answer may have taken effect: sent again, it could answer another question.
    if (isUnconfirmed(prompt) && isAmong(run.questions.histories, prompt.key)) {
      builder.setPrompt(index, { ...prompt, ...UNANSWERED, soughtIn: null, told: null })
      return
    }
    if (soughtIn === null || !isUnsettled(prompt)) return
    if (told?.holds === true && (prompt.since !== null || isCut || prompt.answer !== null)) {
      tellOf(builder, index, told.to)
      return
    }
    // The start of a prompt that came during the greeting may still be on its way.
    const since = prompt.since ?? (beforeFirstEvent ? startSeen(builder, prompt) : null)
    builder.setPrompt(index, { ...prompt, soughtIn: null, told: null, since })
  })
}

/** The line of the start that may be this prompt's though it has other words, which is then no longer missing. */
function startSeen(builder: RunBuilder, { key, frame }: Prompt): number {
  const { missing } = builder.run.questions
  const start = missing.findLast(({ invokeid }) => invokeid !== null && invokeid === frame.invokeid)
  if (start === undefined) return builder.frames.lines
  dropMissing(builder, start.key, key)
  return start.line
}

/** An asker that asks again has no question left: those that may have ended have. */
function endEarlier(builder: RunBuilder, { invokeid }: Start): void {
  const { prompts, questions } = builder.run
  const own = [
    ...prompts.filter(one => one.asker === invokeid && one.since !== null),
    ...questions.missing.filter(one => one.invokeid === invokeid),
  ]
  const keys = own.map(({ key }) => key).filter(key => isAmong(questions.histories, key))
  if (invokeid !== null && keys.length > 0) follow(builder, hadEnded(questions.histories, keys))
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

function promptAt({ run }: RunBuilder, key: string): number {
  return run.prompts.findIndex(prompt => prompt.key === key)
}
