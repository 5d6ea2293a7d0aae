// Decides for each numbered event whether it is new, late, a repeat, or the start of a new epoch; keeps the gap rows.
import type { DeltaFrame } from "../../packages/wire/src/frame.ts"
import { contentOf, hashDelta, hashEvent, hashIds, type Numbered } from "./identity/fingerprint.ts"
import { type EpochBuilder, WINDOW } from "./identity/seen-hashes.ts"
import { rowRank } from "./log.ts"
import { at, removeAt, replaceAt } from "./model/chunked-list.ts"
import type { Gap } from "./model/row.ts"
import { type Epoch, frameNumber, type Row } from "./model/run.ts"
import type { RunBuilder } from "./run-builder.ts"
import { findSession } from "./session-index.ts"

/** How an event relates to those seen before (docs/decisions.md 1.5). */
export type Identity = "next" | "late" | "duplicate"

/** Added to the hash of a row from disk, which leaves the time out. No other hash is this large. */
const DISK_OFFSET = 2 ** 33

/** Counts the frame's `seq`, beginning a new epoch if it proves one. `fromDisk`: the hub may still send the event. */
export function identify(builder: RunBuilder, frame: Numbered, fromDisk: boolean): Identity {
  if (builder.epochIndex < 0) builder.nextEpoch()
  const seq = frame.seq
  if (seq === null) return "next"
  const hash = fromDisk ? diskHash(frame) : hashOf(builder, frame)
  const epoch = builder.epoch
  if (seq === epoch.highest + 1 && epoch.seen > 0) {
    append(epoch, seq, hash)
    if (frame.kind === "delta") explain(builder, seq, frame.coalesced - 1)
    return "next"
  }
  if (epoch.seen === 0) {
    begin(builder, frame, seq, hash)
    return "next"
  }
  if (seq > epoch.highest) {
    jump(builder, frame, seq, hash)
    return "next"
  }
  return revisit(builder, frame, seq, hash)
}

function beginEpoch(builder: RunBuilder, frame: Numbered, seq: number, hash: number): Identity {
  builder.nextEpoch()
  // A delta's hash depends on the epoch.
  begin(builder, frame, seq, hash >= DISK_OFFSET / 2 ? hash : hashOf(builder, frame))
  return "next"
}

/** Starts counting an epoch. The hub counts from 1: attaching at a higher number means that we missed some. */
function begin(builder: RunBuilder, frame: Numbered, seq: number, hash: number): void {
  const { epoch } = builder
  if (seq > 1 && (builder.run.attachment.count > 0 || hash >= DISK_OFFSET / 2)) {
    epoch.first = 1
    epoch.highest = 0
    epoch.seenHashes.base = 1
    jump(builder, frame, seq, hash)
    return
  }
  epoch.first = seq
  epoch.wholeFrom = seq
  epoch.seenHashes.base = seq
  append(epoch, seq, hash)
}

function append(epoch: EpochBuilder, seq: number, hash: number): void {
  epoch.highest = seq
  epoch.seen++
  epoch.seenHashes.push(hash)
}

function jump(builder: RunBuilder, frame: Numbered, seq: number, hash: number): void {
  const epoch = builder.epoch
  const from = epoch.highest + 1
  const skipped = seq - from
  const merged = frame.kind === "delta" ? frame.coalesced - 1 : 0
  if (skipped < WINDOW) epoch.seenHashes.skip(skipped)
  else epoch.seenHashes.restart(seq)
  append(epoch, seq, hash)
  const explained = Math.min(merged, skipped)
  epoch.explained += explained
  if (skipped > explained) {
    epoch.wholeFrom = seq
    addGap(builder, { kind: "gap", from, to: seq - 1, missing: skipped - explained }, frame.ts)
  }
  explain(builder, seq, merged - explained)
}

/** A coalesced delta stands for `count` numbers before it; those still missing are missing on purpose. */
function explain(builder: RunBuilder, seq: number, count: number): void {
  const epoch = builder.epoch
  if (count === 0 || missingInEpoch(epoch) === 0) return
  epoch.explained += explainGaps(builder, seq, count)
}

function revisit(builder: RunBuilder, frame: Numbered, seq: number, hash: number): Identity {
  const epoch = builder.epoch
  if (isOutOfWindow(epoch, seq)) return beginEpoch(builder, frame, seq, hash)
  const known = epoch.seenHashes.of(seq)
  if (known === hash) return "duplicate"
  if (known >= DISK_OFFSET / 2) {
    // The disk may have put a neighbour's row at this number, but no other run's.
    return isStart(frame) && known !== diskHash(frame) ? beginEpoch(builder, frame, seq, hash) : "duplicate"
  }
  if (frame.kind === "delta" && isCovered(builder, frame, seq, known)) return "duplicate"
  if (known !== 0 || isStart(frame)) return beginEpoch(builder, frame, seq, hash)
  epoch.seenHashes.put(seq, hash)
  epoch.seen++
  if (seq < epoch.first) moveFirstDown(builder, seq, frame.ts)
  // A number outside all gaps had been counted as explained, so a missing number takes its place.
  else if (!healGap(builder, seq)) epoch.explained = Math.max(0, epoch.explained - 1)
  if (frame.kind === "delta") explain(builder, seq, frame.coalesced - 1)
  return "late"
}

/** True if the number's hash is forgotten, or if it is so far below the first that a new count must have begun. */
function isOutOfWindow(epoch: EpochBuilder, seq: number): boolean {
  const forgotten = seq < epoch.seenHashes.base && epoch.seenHashes.base > epoch.first
  return forgotten || epoch.first - seq > WINDOW || epoch.highest - seq >= 2 * WINDOW
}

/** Moves the epoch's first number down: it began before we attached. */
function moveFirstDown(builder: RunBuilder, seq: number, ts: number | null): void {
  const epoch = builder.epoch
  const skipped = epoch.first - seq - 1
  if (skipped > 0) addGap(builder, { kind: "gap", from: seq + 1, to: epoch.first - 1, missing: skipped }, ts)
  epoch.first = seq
}

/** The hash of a frame in the current epoch, in which the index of a session stands for its ids. */
function hashOf(builder: RunBuilder, frame: Numbered): number {
  if (frame.kind === "event") return hashEvent(frame)
  const { invokeid, sessionId } = frame
  if (sessionId === null) return hashDelta(frame, hashIds(invokeid, null))
  // A new session will have the next index.
  return hashDelta(frame, builder.lookup().session(invokeid, sessionId) ?? builder.run.sessions.length)
}

function diskHash(frame: Numbered): number {
  return DISK_OFFSET + contentOf(frame)
}

function isStart(frame: Numbered): boolean {
  return frame.kind === "event" && frame.body.type === "runner/started"
}

/** True if a coalesced delta and the deltas it stands for both arrived. */
function isCovered(builder: RunBuilder, frame: DeltaFrame, seq: number, known: number): boolean {
  const index = findSession(builder, frame.invokeid, frame.sessionId)
  if (index === null) return false
  if (known !== 0 && frame.coalesced > 1) return true
  const ranges = builder.run.sessions[index]?.coalescedRanges ?? []
  return ranges.some(range => range.from <= seq && seq <= range.to)
}

/** Numbers of an epoch that are missing and not explained (docs/decisions.md 1.5). */
export function missingInEpoch({ first, highest, seen, explained }: Omit<Epoch, "seenHashes">): number {
  return seen === 0 ? 0 : Math.max(0, highest - first + 1 - seen - explained)
}

/** Rows searched for gaps that a coalesced delta explains: the merged numbers are close before it. */
const NEAR = 512

/** Adds a gap row, which begins with an unseen number. The gaps of an epoch add up to its missing numbers. */
function addGap(builder: RunBuilder, gap: Gap, ts: number | null): void {
  // The frame that reveals the gap is counted after it.
  insertGap(builder, rowRank(builder, gap.from), gap, frameNumber(builder.run) + 1, ts)
}

/** Removes `seq` from the gap it is in, which may split the gap. Returns false if it is in none. */
function healGap(builder: RunBuilder, seq: number): boolean {
  const index = rowRank(builder, seq + 1) - 1
  const row = at(builder.rows, index)
  if (row?.what.kind !== "gap" || row.epoch !== builder.epochIndex || row.what.to < seq) return false
  const { from, to, missing } = row.what
  // It is unknown which of the numbers are explained, so the missing ones may be on either side.
  const before = Math.min(missing - 1, seq - from)
  const after = missing - 1 - before
  if (after > 0) insertGap(builder, index + 1, { kind: "gap", from: seq + 1, to, missing: after }, row.frame, row.ts)
  replaceGap(builder, index, row, { kind: "gap", from, to: seq - 1, missing: before })
  return true
}

/** Removes up to `count` missing numbers from the gaps next below `seq`. Returns how many it removed. */
function explainGaps(builder: RunBuilder, seq: number, count: number): number {
  let left = count
  const start = rowRank(builder, seq)
  const end = Math.max(0, start - NEAR)
  for (let i = start - 1; i >= end && left > 0; i--) {
    const row = at(builder.rows, i)
    if (row === undefined || row.epoch !== builder.epochIndex) break
    if (row.what.kind !== "gap") continue
    const taken = Math.min(left, row.what.missing)
    replaceGap(builder, i, row, { ...row.what, missing: row.what.missing - taken })
    left -= taken
  }
  return count - left
}

function insertGap(builder: RunBuilder, index: number, gap: Gap, frame: number, ts: number | null): void {
  const epoch = builder.epochIndex
  builder.addRow({ frame, epoch, seq: gap.from, ts, level: "warning", session: null, model: null, what: gap }, index)
}

/** Sets a gap, or removes its row if nothing is missing any more. */
function replaceGap(builder: RunBuilder, index: number, row: Row, gap: Gap): void {
  if (gap.missing > 0) {
    builder.editRows(rows => replaceAt(rows, index, { ...row, what: gap }))
    return
  }
  builder.countLevel(row.level, -1)
  builder.editRows(rows => removeAt(rows, index))
}
