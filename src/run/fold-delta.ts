import type { ParserName } from "../parse/syntax-rules.ts"
import type { DeltaFrame } from "../protocol/frame.ts"
import { emptyList, pushed, slice } from "./model/chunked-list.ts"
import { joined } from "./model/flat-text.ts"
import type { Mutable } from "./model/mutable.ts"
import type { TextPiece, TurnBuffer } from "./model/session.ts"
import { unseenPart } from "./overlap.ts"
import type { RunBuilder } from "./run-builder.ts"
import { beginSegments, feedSegments } from "./segments.ts"
import { findOrAddSession } from "./session-index.ts"
import { recordStage } from "./stages.ts"

/** Characters after which a growing tail becomes a piece: appending then costs what is new, not what is there. */
const PIECE = 4096
/** Deltas after which the tail is put together: until then the engine keeps each of its parts. */
const PARTS = 128
/** Spans of merged numbers that a session remembers, enough for the ring that the hub repeats. */
const COVERS = 256

/** Folds one delta into its stream: the hot path. */
export function foldDelta(builder: RunBuilder, frame: DeltaFrame, late: boolean): void {
  const index = findOrAddSession(builder, frame.invokeid, frame.sessionId)
  if (index === null) return
  if (late && isOfEarlierTurn(builder.run.turnBuffers[index], frame.seq)) return
  builder.run.lastSpeaker = index
  const stream = builder.turnBuffer(index)
  if (stream.replied) {
    // The response holds the whole text; only a delta that is really new opens another reply.
    if (late) return
    resetTurnBuffer(stream, builder.run.strategy)
  }
  const begins = stream.status !== "streaming"
  if (!late || stream.status === "waiting") stream.status = "streaming"
  if (frame.model !== null) stream.model = frame.model
  if (frame.coalesced > 1) cover(builder, index, stream, frame)
  const fresh = frame.coalesced > 1 ? unseenPart(stream, frame) : null
  const text = fresh?.text ?? frame.text
  stream.deltas += fresh?.deltas ?? frame.coalesced
  countTokens(builder, stream, frame)
  const ts = frame.ts
  if (ts !== null) {
    if (stream.firstTs === null || ts < stream.firstTs) stream.firstTs = ts
    if (stream.lastTs === null || ts > stream.lastTs) stream.lastTs = ts
  }
  if (frame.seq !== null && frame.seq > stream.lastSeq) stream.lastSeq = frame.seq
  append(stream, text, frame.thinking)
  feedSegments(stream, text, frame.thinking)
  if (begins) recordStage(builder, index, ts)
}

/** True for a number below the start of the turn that the stream is in: what came late must not be told into it. */
export function isOfEarlierTurn(stream: TurnBuffer | undefined, seq: number | null): boolean {
  return stream !== undefined && seq !== null && seq < stream.startSeq
}

function countTokens(builder: RunBuilder, stream: Mutable<TurnBuffer>, frame: DeltaFrame): void {
  const before = stream.tokens
  if (frame.outputTokens !== null) {
    stream.hasReportedTokens = true
    stream.tokens = frame.outputTokens
  } else if (!stream.hasReportedTokens) stream.tokens = stream.deltas
  builder.run.tokens += stream.tokens - before
}

function append(stream: Mutable<TurnBuffer>, text: string, thinking: boolean): void {
  if (text === "") return
  if (stream.tail !== "" && (stream.tailThinking !== thinking || stream.tail.length >= PIECE)) endPiece(stream)
  stream.tailThinking = thinking
  stream.tail += text
  if (stream.deltas % PARTS === 0) stream.tail = joined(stream.tail)
}

function endPiece(stream: Mutable<TurnBuffer>): void {
  stream.pieces = pushed(stream.pieces, { thinking: stream.tailThinking, text: joined(stream.tail) })
  stream.tail = ""
}

/** Everything streamed so far, in order: the pieces and the tail. */
export function streamedPieces(stream: TurnBuffer): readonly TextPiece[] {
  const pieces = slice(stream.pieces, 0, stream.pieces.length)
  if (stream.tail !== "") pieces.push({ thinking: stream.tailThinking, text: joined(stream.tail) })
  return pieces
}

/** Begins the next reply of the same session with its numbers at nothing. */
export function resetTurnBuffer(stream: Mutable<TurnBuffer>, strategy: ParserName): void {
  stream.status = "waiting"
  stream.tokens = 0
  stream.deltas = 0
  stream.hasReportedTokens = false
  stream.firstTs = null
  stream.lastTs = null
  stream.tps = null
  stream.replied = false
  clearText(stream, strategy)
}

/** Forgets what has streamed: it stands elsewhere by now, or a response tells it again. */
export function clearText(stream: Mutable<TurnBuffer>, strategy: ParserName): void {
  stream.pieces = emptyList
  stream.tail = ""
  stream.parser = beginSegments(strategy)
  stream.parts = emptyList
  stream.part = null
}

function cover(builder: RunBuilder, index: number, stream: TurnBuffer, frame: DeltaFrame): void {
  if (frame.seq === null) return
  const session = builder.session(index)
  const first = Math.min(stream.lastSeq, frame.seq - frame.coalesced) + 1
  const span = { from: Math.max(first, 0), to: frame.seq }
  session.coalescedRanges = [...session.coalescedRanges.slice(1 - COVERS), span]
}
