import type { DeltaFrame, EventFrame } from "../protocol/frame.ts"
import { addGap, explainGaps, healGap } from "./gaps.ts"
import type { EpochBuilder } from "./identity/epoch.ts"
import { fingerprint, hashDelta, hashEvent } from "./identity/fingerprint.ts"
import { WINDOW } from "./identity/seen-hashes.ts"
import type { RunBuilder } from "./run-builder.ts"
import { findSession } from "./session-index.ts"

/** How an event stands to what was seen before (docs/decisions.md 1.5). */
export type Identity = "next" | "late" | "duplicate"

/**
 * Stands for the print of a row that came from the disk, whose time differs from the hub's: 2^33 and the print without
 * a time. No other print is so high.
 */
const FILLED = 2 ** 33

/**
 * Counts the frame's `seq` in its epoch, opening a new epoch where the number proves that one began. `filled`: it comes
 * from the disk, so that the hub may still tell it.
 */
export function identify(builder: RunBuilder, frame: DeltaFrame | EventFrame, filled: boolean): Identity {
  if (builder.epochIndex < 0) builder.nextEpoch()
  const seq = frame.seq
  if (seq === null) return "next"
  const print = filled ? filledPrint(frame) : printOf(builder, frame)
  const epoch = builder.epoch
  if (seq === epoch.highest + 1 && epoch.seen > 0) {
    append(epoch, seq, print)
    if (frame.kind === "delta") explain(builder, seq, frame.coalesced - 1)
    return "next"
  }
  if (epoch.seen === 0) {
    begin(builder, frame, seq, print)
    return "next"
  }
  if (seq > epoch.highest) {
    jump(builder, frame, seq, print)
    return "next"
  }
  return revisit(builder, frame, seq, print)
}

/** Marks the current epoch as over and `seq` as the first of the next. */
function beginEpoch(builder: RunBuilder, frame: DeltaFrame | EventFrame, seq: number, print: number): Identity {
  builder.nextEpoch()
  begin(builder, frame, seq, print)
  return "next"
}

/** The hub counts from 1: who attaches to it at a higher number has missed those before. */
function begin(builder: RunBuilder, frame: DeltaFrame | EventFrame, seq: number, print: number): void {
  const { epoch } = builder
  if (seq > 1 && (builder.run.attachment.count > 0 || print >= FILLED / 2)) {
    epoch.first = 1
    epoch.highest = 0
    epoch.seenHashes.base = 1
    jump(builder, frame, seq, print)
    return
  }
  epoch.first = seq
  epoch.highest = seq
  epoch.seen = 1
  epoch.seenHashes.base = seq
  epoch.seenHashes.push(print)
}

function append(epoch: EpochBuilder, seq: number, print: number): void {
  epoch.highest = seq
  epoch.seen++
  epoch.seenHashes.push(print)
}

function jump(builder: RunBuilder, frame: DeltaFrame | EventFrame, seq: number, print: number): void {
  const epoch = builder.epoch
  const from = epoch.highest + 1
  const skipped = seq - from
  const merged = frame.kind === "delta" ? frame.coalesced - 1 : 0
  if (skipped < WINDOW) epoch.seenHashes.skip(skipped)
  else epoch.seenHashes.restart(seq)
  append(epoch, seq, print)
  const own = Math.min(merged, skipped)
  epoch.explained += own
  if (skipped > own) addGap(builder, { kind: "gap", from, to: seq - 1, missing: skipped - own }, frame.ts)
  explain(builder, seq, merged - own)
}

/** A coalesced delta stands for `count` numbers before it; those still missing are missing on purpose. */
function explain(builder: RunBuilder, seq: number, count: number): void {
  const epoch = builder.epoch
  if (count === 0 || missingInEpoch(epoch) === 0) return
  epoch.explained += explainGaps(builder, seq, count)
}

function revisit(builder: RunBuilder, frame: DeltaFrame | EventFrame, seq: number, print: number): Identity {
  const epoch = builder.epoch
  if (isOutOfReach(epoch, seq)) return beginEpoch(builder, frame, seq, print)
  const known = epoch.seenHashes.of(seq)
  if (known === print) return "duplicate"
  if (known >= FILLED / 2) {
    // What the disk put at this number may be its neighbour's, but no other run's.
    return isStart(frame) && known !== filledPrint(frame) ? beginEpoch(builder, frame, seq, print) : "duplicate"
  }
  if (frame.kind === "delta" && isCovered(builder, frame, seq, known)) return "duplicate"
  if (known !== 0 || isStart(frame)) return beginEpoch(builder, frame, seq, print)
  epoch.seenHashes.put(seq, print)
  epoch.seen++
  if (seq < epoch.first) precede(builder, seq, frame.ts)
  // A number that lies in no gap was taken for explained, and another one is.
  else if (!healGap(builder, seq)) epoch.explained = Math.max(0, epoch.explained - 1)
  if (frame.kind === "delta") explain(builder, seq, frame.coalesced - 1)
  return "late"
}

/** True for a number whose content is forgotten, or so far below the first that it can only count anew. */
function isOutOfReach(epoch: EpochBuilder, seq: number): boolean {
  const forgotten = seq < epoch.seenHashes.base && epoch.seenHashes.base > epoch.first
  return forgotten || epoch.first - seq > WINDOW || epoch.highest - seq >= 2 * WINDOW
}

/** A number below the first one seen: the epoch began earlier than we attached. */
function precede(builder: RunBuilder, seq: number, ts: number | null): void {
  const epoch = builder.epoch
  const skipped = epoch.first - seq - 1
  if (skipped > 0) addGap(builder, { kind: "gap", from: seq + 1, to: epoch.first - 1, missing: skipped }, ts)
  epoch.first = seq
}

function printOf(builder: RunBuilder, frame: DeltaFrame | EventFrame): number {
  if (frame.kind === "event") return hashEvent(frame)
  return hashDelta(frame, builder.lookup().print(frame.invokeid, frame.sessionId))
}

function filledPrint(frame: DeltaFrame | EventFrame): number {
  return FILLED + fingerprint({ ...frame, ts: null })
}

function isStart(frame: DeltaFrame | EventFrame): boolean {
  return frame.kind === "event" && frame.body.type === "runner/started"
}

/** True where a coalesced delta and the deltas it stands for are two tellings of the same text. */
function isCovered(builder: RunBuilder, frame: DeltaFrame, seq: number, known: number): boolean {
  const index = findSession(builder, frame.invokeid, frame.sessionId)
  if (index === null) return false
  if (known !== 0 && frame.coalesced > 1) return true
  const covers = builder.run.sessions[index]?.coalescedRanges ?? []
  return covers.some(cover => cover.from <= seq && seq <= cover.to)
}

/** Numbers of an epoch that are missing and not explained (docs/decisions.md 1.5). */
export function missingInEpoch(epoch: {
  readonly first: number
  readonly highest: number
  readonly seen: number
  readonly explained: number
}): number {
  if (epoch.seen === 0) return 0
  return Math.max(0, epoch.highest - epoch.first + 1 - epoch.seen - epoch.explained)
}
