import type { Block, EventBody, EventFrame, Usage } from "../protocol/frame.ts"
import { entriesOf, streamedEntries } from "./event-entries.ts"
import { clearText, isOfEarlierTurn, resetTurnBuffer } from "./fold-delta.ts"
import { entrySize, evictTexts, textShare } from "./memory/pack-entries.ts"
import { rewound, withReply } from "./memory/pack-turns.ts"
import { capturePlaceOf, isSameCapturePlace, replaySourceOf } from "./model/capture-place.ts"
import { at, type ChunkedList, pushed, slice, truncated } from "./model/chunked-list.ts"
import type { Mutable } from "./model/mutable.ts"
import { type Entry, noUsage, type Repeat, type Reply, type Session } from "./model/session.ts"
import type { RunBuilder } from "./run-builder.ts"
import { findOrAddSession, findSession } from "./session-index.ts"
import { recordStage, recordToolStage } from "./stages.ts"

/**
 * Folds an `llm/*` event, or a guest's line, into the session it belongs to; gives that session's index, or null. What comes late of an
 * earlier turn is only its row.
 */
export function foldTurn(builder: RunBuilder, frame: EventFrame, late: boolean): number | null {
  const body = frame.body
  const index =
    body.type === "llm/model-policy-empty"
      ? findSession(builder, frame.invokeid, frame.sessionId)
      : findOrAddSession(builder, frame.invokeid, frame.sessionId)
  if (index === null) return null
  if (late && isOfEarlierTurn(builder.run.turnBuffers[index], frame.seq)) return index
  locate(builder, index, frame)
  time(builder, index, frame.ts)
  switch (body.type) {
    case "llm/start":
      start(builder, index, body.model, frame)
      break
    case "llm/request":
      request(builder, index, body, frame)
      break
    case "llm/response":
      builder.run.lastSpeaker = index
      respond(builder, index, body, frame)
      break
    case "llm/error":
    case "llm/model-down":
    case "llm/model-policy-empty":
      fail(builder, index, frame)
      break
    case "llm/tool-result":
      recordToolStage(builder, index, frame.ts, body.elapsedMs)
      say(builder, index, frame)
      settleCall(builder, index)
      countCall(builder, index, "tool-result", body.tool, body.preview ?? "")
      break
    case "llm/worker-exit":
      exit(builder, index, body)
      break
    case "llm/user-message":
    case "adapter/line":
      say(builder, index, frame)
      break
    case "llm/context-warning":
      warn(builder, index, body.usedFrac)
      break
    case "llm/retry":
      builder.session(index).retry = { attempt: body.attempt, max: body.maxRetries, why: body.category }
      break
  }
  recordStage(builder, index, frame.ts)
  return index
}

/** A result has come: one call less is awaited. */
function settleCall(builder: RunBuilder, index: number): void {
  const calls = builder.run.sessions[index]?.pendingCalls ?? 0
  if (calls > 0) builder.session(index).pendingCalls = calls - 1
}

/** Keeps where the session stands now: where its turn is captured, and whether it is served from a capture. */
function locate(builder: RunBuilder, index: number, frame: EventFrame): void {
  const known = builder.run.sessions[index]
  const place = capturePlaceOf(frame)
  if (place !== null && !isSameCapturePlace(place, known?.capturePlace ?? null))
    builder.session(index).capturePlace = place
  const source = replaySourceOf(frame)
  if (source !== null && source !== known?.replaySource) builder.session(index).replaySource = source
}

function time(builder: RunBuilder, index: number, ts: number | null): void {
  if (ts === null) return
  const session = builder.session(index)
  if (session.beganTs === null || ts < session.beganTs) session.beganTs = ts
  if (session.lastTs === null || ts > session.lastTs) session.lastTs = ts
}

function start(builder: RunBuilder, index: number, model: string | null, frame: EventFrame): void {
  endStreamed(builder, index)
  const stream = builder.turnBuffer(index)
  resetTurnBuffer(stream, builder.run.strategy)
  stream.startTs = frame.ts
  stream.startSeq = frame.seq ?? -1
  stream.model = model ?? stream.model
  const session = builder.session(index)
  session.turns++
  session.pendingCalls = 0
  session.replyFrom = session.entries.length
  evictTexts(session, textShare(builder.run))
  session.stopReason = null
  session.exitReason = null
  session.error = null
  session.errorTs = null
  session.retry = null
  session.usage = noUsage
}

type Request = Extract<EventBody, { type: "llm/request" }>

function request(builder: RunBuilder, index: number, body: Request, frame: EventFrame): void {
  const stream = builder.turnBuffer(index)
  if (stream.replied) resetTurnBuffer(stream, builder.run.strategy)
  stream.model = body.model ?? stream.model
  const session = builder.session(index)
  const isNew = body.system !== null && body.system !== session.system
  session.system = body.system ?? session.system
  const entries = entriesOf(frame, madeNow(builder, session))
  push(session, isNew ? entries : entries.filter(({ type }) => type !== "system"))
}

type Response = Extract<EventBody, { type: "llm/response" }>

function respond(builder: RunBuilder, index: number, body: Response, frame: EventFrame): void {
  const stream = builder.turnBuffer(index)
  const session = builder.session(index)
  if (body.content === null) endStreamed(builder, index)
  else {
    dropStreamed(session)
    clearText(stream, builder.run.strategy)
    push(session, entriesOf(frame, madeNow(builder, session)))
    for (const block of body.content) {
      if (block.type === "tool-call") countCall(builder, index, block.type, block.name, block.input)
    }
  }
  const output = body.usage.output
  if (output !== null) {
    builder.run.tokens += output - stream.tokens
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

function fail(builder: RunBuilder, index: number, frame: EventFrame): void {
  const entries = say(builder, index, frame)
  builder.turnBuffer(index).status = "error"
  const session = builder.session(index)
  if (session.error === null) session.errorTs = builder.run.lastTs
  session.error ??= entries.flatMap(({ text }) => text).join("")
}

/** Adds what an event says behind what has streamed before it. */
function say(builder: RunBuilder, index: number, frame: EventFrame): readonly Entry[] {
  endStreamed(builder, index)
  const session = builder.session(index)
  const entries = entriesOf(frame, madeNow(builder, session))
  push(session, entries)
  return entries
}

type Exit = Extract<EventBody, { type: "llm/worker-exit" }>

function exit(builder: RunBuilder, index: number, { reason, isError }: Exit): void {
  endStreamed(builder, index)
  const stream = builder.turnBuffer(index)
  if (stream.status !== "error") stream.status = isError ? "error" : "done"
  const session = builder.session(index)
  session.exitReason = reason
  if (!isError || session.error !== null) return
  session.error = reason ?? "it failed"
  session.errorTs = builder.run.lastTs
}

function warn(builder: RunBuilder, index: number, usedFrac: number | null): void {
  const session = builder.session(index)
  session.contextUsed = usedFrac
  if (session.contextTs === null) session.contextTs = builder.run.lastTs
}

/** Counts calls that are alike. A result repeats its call, and counts only where calls are not shown. */
function countCall(builder: RunBuilder, index: number, by: Repeat["by"], name: string | null, text: string): void {
  const session = builder.session(index)
  const { repeat } = session
  if (by === "tool-result" && repeat?.by === "tool-call") return
  const alike = repeat?.by === by && repeat.name === name && repeat.text === text
  session.repeat = alike
    ? { ...repeat, count: repeat.count + 1 }
    : { by, name, text, count: 1, since: builder.run.lastTs }
}

/** What is known of an entry before anything else: the turn that lasts, and the line that is folded. */
function madeNow(builder: RunBuilder, { turns }: Session): Pick<Entry, "turn" | "line"> {
  return { turn: turns, line: builder.frames.lines - 1 }
}

function push(session: Mutable<Session>, entries: readonly Entry[]): void {
  for (const entry of entries) {
    session.entries = pushed(session.entries, entry)
    session.heldUnits += entrySize(entry)
  }
}

/** Moves what has streamed so far among the entries, so that what follows stands behind it. */
function endStreamed(builder: RunBuilder, index: number): void {
  const stream = builder.run.turnBuffers[index]
  if (stream === undefined) return
  const session = builder.session(index)
  const entries = streamedEntries(stream, madeNow(builder, session))
  if (entries.length === 0) return
  push(session, entries)
  clearText(builder.turnBuffer(index), builder.run.strategy)
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
