// Folds deltas into the turn buffer of their session. This is the hot path.
import type { ParserName } from "../../packages/llm-stream-segments/src/parse/rules.ts"
import type { DeltaFrame } from "../../packages/wire/src/frame.ts"
import { nameModel, unreportedReplies } from "./charge.ts"
import { recordSilence } from "./findings.ts"
import { foldLate } from "./fold-late.ts"
import { emptyList, pushed, slice } from "./model/chunked-list.ts"
import { emptyTurn, emptyTurnBuffer } from "./model/empty-session.ts"
import { joined } from "./model/flat-text.ts"
import { addTokens, secondsWith } from "./model/pulse.ts"
import {
  type LatestDelta,
  type LatestDeltas,
  type Mutable,
  spentTokens,
  type TextPiece,
  type Turn,
  type TurnBuffer,
} from "./model/session.ts"
import type { RunBuilder } from "./run-builder.ts"
import { beginSegments, feedSegments } from "./segments.ts"
import { findOrAddSession } from "./session-index.ts"
import { recordStage } from "./stages.ts"

/** UTF-16 units after which the tail becomes a piece, so that appending costs only what is new. */
const PIECE_UNITS = 4096
/** Number of deltas after which the tail is flattened; until then the engine keeps every part. */
const FLATTEN_EVERY = 128
/** UTF-16 units of a turn's streamed text that are kept. The frame log has the rest. */
const TURN_UNITS = 4 * 1024 * 1024
/** Numbers after a gap, or after the first, among which a delta may have been overtaken. */
const NEAR = 64
/** Ranges of coalesced numbers that a session remembers: enough for the events that the hub repeats. */
const RANGES_KEPT = 256

/** Folds a piece of a reply (docs/contract.md). `late` is true for a frame that fills a gap. */
export function foldDelta(builder: RunBuilder, frame: DeltaFrame, late: boolean): void {
  const { run, facts } = builder
  const index = findOrAddSession(builder, frame.invokeid, frame.sessionId)
  if (index === null) return
  if (late && isOfEarlierTurn(run.turnBuffers[index], frame.seq)) {
    foldLate(builder, index, frame)
    return
  }
  facts.lastSpeaker = index
  // The response already holds the whole text; only a new delta begins another reply.
  if (late && run.turnBuffers[index]?.turn.replied === true) return
  const buffer = replyBuffer(builder, index)
  if (!late) recordSilence(builder, index, frame.ts, frame.seq)
  const { status, model, retry } = buffer.turn
  if (!late && retry !== null) builder.turn(index).retry = null
  const begins = status !== "streaming"
  if (begins && (!late || status === "waiting")) builder.turn(index).status = "streaming"
  if (frame.model !== null && frame.model !== model) nameModel(builder.turn(index), frame.model)
  if (frame.coalesced > 1) recordCoalescedRange(builder, index, buffer, frame)
  const fresh = frame.coalesced > 1 ? unseenPart(buffer, frame) : null
  buffer.deltas += fresh?.deltas ?? frame.coalesced
  const before = buffer.tokens
  if (!frame.whole) countTokens(builder, index, buffer, frame)
  const ts = frame.whole ? null : frame.ts
  const fed = Math.max(0, buffer.tokens - before)
  if (ts !== null) countRecent(buffer, ts, fed)
  if (ts !== null && fed > 0) addTokens(builder.pulse(), ts, ts, fed)
  if (ts !== null) {
    const { firstTs } = buffer.turn
    if (firstTs === null || ts < firstTs) builder.turn(index).firstTs = ts
    if (buffer.lastTs === null || ts > buffer.lastTs) buffer.lastTs = ts
  }
  if (frame.seq !== null && frame.seq > buffer.lastSeq) buffer.lastSeq = frame.seq
  addText(builder, buffer, { seq: frame.seq, thinking: frame.thinking, text: fresh?.text ?? frame.text }, late)
  if (begins) {
    builder.session(index)
    recordStage(builder, index, frame.ts)
  }
}

/** True for a number below the start of the buffer's turn. A late frame of an earlier turn must not change this one. */
export function isOfEarlierTurn(buffer: TurnBuffer | undefined, seq: number | null): boolean {
  return buffer !== undefined && seq !== null && seq < buffer.turn.startSeq
}

function countTokens(
  builder: RunBuilder,
  index: number,
  buffer: Mutable<TurnBuffer>,
  { outputTokens }: DeltaFrame,
): void {
  const { hasReportedTokens, captured } = buffer.turn
  if (outputTokens === null && hasReportedTokens) return
  if (outputTokens !== null && !hasReportedTokens) builder.turn(index).hasReportedTokens = true
  const tokens = outputTokens ?? buffer.deltas
  if (!captured) builder.facts.tokens += tokens - buffer.tokens
  buffer.tokens = tokens
}

/** Counts tokens in the second in which they came. Late ones count in the latest second. */
function countRecent(buffer: Mutable<TurnBuffer>, ts: number, tokens: number): void {
  const second = Math.floor(ts / 1000)
  if (buffer.second < 0) buffer.second = second
  else if (second > buffer.second) {
    buffer.earlier = secondsWith(buffer.earlier, buffer.secondTokens, second - buffer.second - 1)
    buffer.second = second
    buffer.secondTokens = 0
  }
  buffer.secondTokens += tokens
}

/** Sets the output tokens of the session's current reply, and adds the new ones to the run's. */
export function setTokens(builder: RunBuilder, index: number, tokens: number, captured: boolean): void {
  const { run } = builder
  const buffer = builder.turnBuffer(index)
  const before = spentTokens(buffer)
  buffer.tokens = tokens
  if (captured !== buffer.turn.captured) builder.turn(index).captured = captured
  const more = spentTokens(buffer) - before
  builder.facts.tokens += more
  // Of a reply that didn't stream, only its start and end are known.
  const { deltas, turn } = buffer
  if (deltas === 0 && more > 0 && run.lastTs !== null)
    addTokens(builder.pulse(), turn.startTs ?? run.lastTs, run.lastTs, more)
}

type StreamedText = TextPiece & Pick<DeltaFrame, "seq">

/** Adds the text of a delta: at the end, or before deltas with higher numbers that came shortly before it. */
function addText({ epoch }: RunBuilder, buffer: Mutable<TurnBuffer>, told: StreamedText, late: boolean): void {
  const { seq, thinking, text } = told
  const { latest } = buffer
  if (seq === null || seq >= epoch.wholeFrom + NEAR) {
    buffer.latest = null
    append(buffer, told)
    return
  }
  const delta = { seq, thinking, text }
  const place = late ? (latest?.deltas.findIndex(one => one.seq > seq) ?? -1) : -1
  if (latest !== null && place !== -1) {
    insert(buffer, latest, place, delta)
    return
  }
  const isFull = latest === null || latest.deltas.length >= NEAR
  buffer.latest = isFull
    ? { before: textOf(buffer), deltas: [delta] }
    : { ...latest, deltas: [...latest.deltas, delta] }
  append(buffer, delta)
}

/** Adds the latest deltas again with one more among them; the first of too many belongs to the text before them. */
function insert(buffer: Mutable<TurnBuffer>, latest: LatestDeltas, place: number, delta: LatestDelta): void {
  const deltas = latest.deltas.toSpliced(place, 0, delta)
  Object.assign(buffer, latest.before)
  const [first] = deltas.length > NEAR ? deltas.splice(0, 1) : []
  if (first !== undefined) append(buffer, first)
  buffer.latest = { before: textOf(buffer), deltas }
  for (const one of deltas) append(buffer, one)
}

function textOf(buffer: TurnBuffer): LatestDeltas["before"] {
  const { units, missing, pieces, tail, tailThinking, segments } = buffer
  return { units, missing, pieces, tail, tailThinking, segments }
}

/** Adds a text up to the limit, without half a character at its end; the rest is counted. */
function append(buffer: Mutable<TurnBuffer>, { text: whole, thinking }: TextPiece): void {
  const room = Math.max(0, TURN_UNITS - buffer.units)
  const text = whole.length < room ? whole : whole.slice(0, room).replace(/[\ud800-\udbff]$/, "")
  buffer.units += whole.length
  buffer.missing += whole.length - text.length
  if (text === "") return
  if (buffer.segments !== null) buffer.segments = feedSegments(buffer.segments, text, thinking)
  if (buffer.tail !== "" && (buffer.tailThinking !== thinking || buffer.tail.length >= PIECE_UNITS)) endPiece(buffer)
  buffer.tailThinking = thinking
  buffer.tail += text
  if (buffer.deltas % FLATTEN_EVERY === 0) buffer.tail = joined(buffer.tail)
}

function endPiece(buffer: Mutable<TurnBuffer>): void {
  buffer.pieces = pushed(buffer.pieces, { thinking: buffer.tailThinking, text: joined(buffer.tail) })
  buffer.tail = ""
}

/** The streamed text of the reply so far, joined. */
export function streamedPieces(buffer: TurnBuffer): readonly TextPiece[] {
  const pieces = slice(buffer.pieces, 0, buffer.pieces.length)
  if (buffer.tail !== "") pieces.push({ thinking: buffer.tailThinking, text: joined(buffer.tail) })
  return pieces
}

/** The writable buffer of the session's reply: a new one if the current reply has its response. */
export function replyBuffer(builder: RunBuilder, index: number): Mutable<TurnBuffer> {
  const buffer = builder.turnBuffer(index)
  return buffer.turn.replied ? nextTurnBuffer(builder, index) : buffer
}

/** Puts a buffer for the session's next reply in the place of its buffer; it may be written to. */
export function nextTurnBuffer(builder: RunBuilder, index: number): Mutable<TurnBuffer> {
  const buffer = builder.turnBuffer(index)
  const { turn: last, tokens } = buffer
  const { model, startTs, startSeq, captured, state, account, models, retry, closed } = last
  const turn: Mutable<Turn> = { ...emptyTurn }
  Object.assign(turn, { model, startTs, startSeq, captured, state, account, models, retry })
  turn.unreported = closed ? 0 : unreportedReplies(last, tokens)
  turn.spentBefore = spentTokens(buffer)
  const next: Mutable<TurnBuffer> = { ...emptyTurnBuffer }
  next.turn = turn
  next.lastSeq = buffer.lastSeq
  next.segments = beginSegments(builder.run.options.strategy)
  builder.putTurnBuffer(index, next)
  return next
}

/** Drops the streamed text, because it was moved to the entries or a response repeats it. */
export function clearText(buffer: Mutable<TurnBuffer>, strategy: ParserName): void {
  buffer.pieces = emptyList
  buffer.tail = ""
  buffer.missing = 0
  buffer.segments = beginSegments(strategy)
  buffer.latest = null
}

function recordCoalescedRange(builder: RunBuilder, index: number, buffer: TurnBuffer, frame: DeltaFrame): void {
  if (frame.seq === null) return
  const session = builder.session(index)
  const first = Math.min(buffer.lastSeq, frame.seq - frame.coalesced) + 1
  const range = { from: Math.max(first, 0), to: frame.seq }
  session.coalescedRanges = [...session.coalescedRanges.slice(1 - RANGES_KEPT), range]
}

/** The part of a delta that is new to its turn: the text, and the number of deltas it stands for. */
export function unseenPart(buffer: TurnBuffer, frame: DeltaFrame): { readonly text: string; readonly deltas: number } {
  const { seq, coalesced, text } = frame
  const all = { text, deltas: coalesced }
  // Without an overlap of numbers nothing can have arrived before.
  if (seq === null || buffer.lastSeq >= seq || buffer.lastSeq <= seq - coalesced) return all
  const seen = Math.min(coalesced - 1, buffer.lastSeq - (seq - coalesced))
  const tail = buffer.tailThinking === frame.thinking ? buffer.tail : ""
  const length = overlap(tail, text, (text.length * seen) / coalesced)
  return length === 0 ? all : { text: text.slice(length), deltas: coalesced - seen }
}

/** Length of a beginning of `text` that is also the end of `tail`; if several match, the one nearest to `about`. */
function overlap(tail: string, text: string, about: number): number {
  let best = 0
  for (let length = 1; length <= Math.min(tail.length, text.length); length++) {
    const isNearer = best === 0 || Math.abs(length - about) < Math.abs(best - about)
    if (isNearer && tail.endsWith(text.slice(0, length))) best = length
  }
  return best
}
