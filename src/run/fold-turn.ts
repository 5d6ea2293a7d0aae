import type { Block, EventBody, EventFrame, Usage } from "../protocol/frame.ts"
import { entriesOf, streamedEntries } from "./event-entries.ts"
import { clearText, isOfEarlierTurn, resetTurnBuffer } from "./fold-delta.ts"
import type { Mutable } from "./memory/copy-records.ts"
import { entrySize, evictTexts, textShare } from "./memory/pack-entries.ts"
import { rewound, withReply } from "./memory/pack-turns.ts"
import { capturePlaceOf, isSameCapturePlace, replaySourceOf } from "./model/capture-place.ts"
import { at, type ChunkedList, pushed, slice, truncated } from "./model/chunked-list.ts"
import { type Entry, noUsage, type Repeat, type Reply, type Session } from "./model/session.ts"
import type { RunBuilder } from "./run-builder.ts"
import { findOrAddSession, findSession } from "./session-index.ts"
import { recordStage, recordToolStage } from "./stages.ts"

/**
 * Folds an `llm/*` event, or a guest's line, into the session it belongs to; gives that session's index, or null. What comes late of an
 * earlier turn is only its row.
 */
export function foldTurn(draft: RunBuilder, frame: EventFrame, late: boolean): number | null {
  const body = frame.body
  const index =
    body.type === "llm/model-policy-empty"
      ? findSession(draft, frame.invokeid, frame.sessionId)
      : findOrAddSession(draft, frame.invokeid, frame.sessionId)
  if (index === null) return null
  if (late && isOfEarlierTurn(draft.streams[index], frame.seq)) return index
  locate(draft, index, frame)
  time(draft, index, frame.ts)
  switch (body.type) {
    case "llm/start":
      start(draft, index, body.model, frame)
      break
    case "llm/request":
      request(draft, index, body, frame)
      break
    case "llm/response":
      draft.spoke = index
      respond(draft, index, body, frame)
      break
    case "llm/error":
    case "llm/model-down":
    case "llm/model-policy-empty":
      fail(draft, index, frame)
      break
    case "llm/tool-result":
      recordToolStage(draft, index, frame.ts, body.elapsedMs)
      say(draft, index, frame)
      settleCall(draft, index)
      countCall(draft, index, "tool-result", body.tool, body.preview ?? "")
      break
    case "llm/worker-exit":
      exit(draft, index, body)
      break
    case "llm/user-message":
    case "adapter/line":
      say(draft, index, frame)
      break
    case "llm/context-warning":
      warn(draft, index, body.usedFrac)
      break
    case "llm/retry":
      draft.session(index).retry = { attempt: body.attempt, max: body.maxRetries, why: body.category }
      break
  }
  recordStage(draft, index, frame.ts)
  return index
}

/** A result has come: one call less is awaited. */
function settleCall(draft: RunBuilder, index: number): void {
  const calls = draft.sessions[index]?.pendingCalls ?? 0
  if (calls > 0) draft.session(index).pendingCalls = calls - 1
}

/** Keeps where the session stands now: where its turn is captured, and whether it is served from a capture. */
function locate(draft: RunBuilder, index: number, frame: EventFrame): void {
  const known = draft.sessions[index]
  const place = capturePlaceOf(frame)
  if (place !== null && !isSameCapturePlace(place, known?.capturePlace ?? null))
    draft.session(index).capturePlace = place
  const source = replaySourceOf(frame)
  if (source !== null && source !== known?.replaySource) draft.session(index).replaySource = source
}

function time(draft: RunBuilder, index: number, ts: number | null): void {
  if (ts === null) return
  const session = draft.session(index)
  if (session.beganTs === null || ts < session.beganTs) session.beganTs = ts
  if (session.lastTs === null || ts > session.lastTs) session.lastTs = ts
}

function start(draft: RunBuilder, index: number, model: string | null, frame: EventFrame): void {
  endStreamed(draft, index)
  const stream = draft.stream(index)
  resetTurnBuffer(stream, draft.strategy)
  stream.startTs = frame.ts
  stream.startSeq = frame.seq ?? -1
  stream.model = model ?? stream.model
  const session = draft.session(index)
  session.turns++
  session.pendingCalls = 0
  session.replyFrom = session.entries.length
  evictTexts(session, textShare({ textBudget: draft.texts, sessions: draft.sessions }))
  session.stopReason = null
  session.exitReason = null
  session.error = null
  session.errorTs = null
  session.retry = null
  session.usage = noUsage
}

type Request = Extract<EventBody, { type: "llm/request" }>

function request(draft: RunBuilder, index: number, body: Request, frame: EventFrame): void {
  const stream = draft.stream(index)
  if (stream.replied) resetTurnBuffer(stream, draft.strategy)
  stream.model = body.model ?? stream.model
  const session = draft.session(index)
  const isNew = body.system !== null && body.system !== session.system
  session.system = body.system ?? session.system
  const entries = entriesOf(frame, madeNow(draft, session))
  push(session, isNew ? entries : entries.filter(({ type }) => type !== "system"))
}

type Response = Extract<EventBody, { type: "llm/response" }>

function respond(draft: RunBuilder, index: number, body: Response, frame: EventFrame): void {
  const stream = draft.stream(index)
  const session = draft.session(index)
  if (body.content === null) endStreamed(draft, index)
  else {
    dropStreamed(session)
    clearText(stream, draft.strategy)
    push(session, entriesOf(frame, madeNow(draft, session)))
    for (const block of body.content) {
      if (block.type === "tool-call") countCall(draft, index, block.type, block.name, block.input)
    }
  }
  const output = body.usage.output
  if (output !== null) {
    draft.tokens += output - stream.tokens
    stream.tokens = output
    stream.hasReportedTokens = true
  }
  stream.tps = body.outputTps
  stream.replied = true
  stream.status = "done"
  stream.model = body.model ?? stream.model
  session.usage = body.usage
  session.replies = replied(session, { turn: session.turns, model: stream.model, usage: body.usage })
  session.totalUsage = added(session.totalUsage, body.usage)
  session.pendingCalls = callsIn(body.content ?? [])
  session.replyFrom = session.entries.length
  session.stopReason = body.stopReason
  session.retry = null
}

/** A turn that is replied to twice has the later reply. */
function replied({ replies }: Session, reply: Reply): ChunkedList<Reply> {
  const isAgain = at(replies, replies.length - 1)?.turn === reply.turn
  return withReply(isAgain ? rewound(replies, replies.length - 1) : replies, reply)
}

/** Calls that a reply leaves to be made: what the provider ran itself has its result in the reply. */
function callsIn(content: readonly Block[]): number {
  const count = (type: Block["type"]) => content.filter(block => block.type === type).length
  return Math.max(0, count("tool-call") - count("tool-result"))
}

function added(spent: Usage, usage: Usage): Usage {
  const sum = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : a + b)
  return {
    input: sum(spent.input, usage.input),
    output: sum(spent.output, usage.output),
    cached: sum(spent.cached, usage.cached),
  }
}

function fail(draft: RunBuilder, index: number, frame: EventFrame): void {
  const entries = say(draft, index, frame)
  draft.stream(index).status = "error"
  const session = draft.session(index)
  if (session.error === null) session.errorTs = draft.lastTs
  session.error ??= entries.flatMap(({ text }) => text).join("")
}

/** Adds what an event says behind what has streamed before it. */
function say(draft: RunBuilder, index: number, frame: EventFrame): readonly Entry[] {
  endStreamed(draft, index)
  const session = draft.session(index)
  const entries = entriesOf(frame, madeNow(draft, session))
  push(session, entries)
  return entries
}

type Exit = Extract<EventBody, { type: "llm/worker-exit" }>

function exit(draft: RunBuilder, index: number, { reason, isError }: Exit): void {
  endStreamed(draft, index)
  const stream = draft.stream(index)
  if (stream.status !== "error") stream.status = isError ? "error" : "done"
  const session = draft.session(index)
  session.exitReason = reason
  if (!isError || session.error !== null) return
  session.error = reason ?? "it failed"
  session.errorTs = draft.lastTs
}

function warn(draft: RunBuilder, index: number, usedFrac: number | null): void {
  const session = draft.session(index)
  session.contextUsed = usedFrac
  if (session.contextTs === null) session.contextTs = draft.lastTs
}

/** Counts calls that are alike. A result repeats its call, and counts only where calls are not shown. */
function countCall(draft: RunBuilder, index: number, by: Repeat["by"], name: string | null, text: string): void {
  const session = draft.session(index)
  const { repeat } = session
  if (by === "tool-result" && repeat?.by === "tool-call") return
  const alike = repeat?.by === by && repeat.name === name && repeat.text === text
  session.repeat = alike ? { ...repeat, count: repeat.count + 1 } : { by, name, text, count: 1, since: draft.lastTs }
}

/** What is known of an entry before anything else: the turn that lasts, and the line that is folded. */
function madeNow(draft: RunBuilder, { turns }: Session): Pick<Entry, "turn" | "line"> {
  return { turn: turns, line: draft.frames.lines - 1 }
}

function push(session: Mutable<Session>, entries: readonly Entry[]): void {
  for (const entry of entries) {
    session.entries = pushed(session.entries, entry)
    session.heldUnits += entrySize(entry)
  }
}

/** Moves what has streamed so far among the entries, so that what follows stands behind it. */
function endStreamed(draft: RunBuilder, index: number): void {
  const stream = draft.streams[index]
  if (stream === undefined) return
  const session = draft.session(index)
  const entries = streamedEntries(stream, madeNow(draft, session))
  if (entries.length === 0) return
  push(session, entries)
  clearText(draft.stream(index), draft.strategy)
}

/** A response tells the whole reply again: the entries that it streamed make room for it. */
function dropStreamed(session: Mutable<Session>): void {
  const { entries, replyFrom } = session
  const all = slice(entries, replyFrom, entries.length)
  const kept = all.filter(entry => !entry.streamed)
  if (kept.length === all.length) return
  session.entries = truncated(entries, replyFrom)
  for (const entry of all) session.heldUnits -= entrySize(entry)
  push(session, kept)
}
