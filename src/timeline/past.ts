// Restores any past state of a run from the nearest earlier snapshot and the lines after it.
import type { SourceLine } from "../../packages/wire/src/files/line-splitter.ts"
import { type Decoded, type EventFrame, isFrame } from "../../packages/wire/src/frame.ts"
import { momentTime } from "../query/filter/predicate.ts"
import type { Moment } from "../query/moment.ts"
import { entriesOf, streamedEntries } from "../run/event-entries.ts"
import { fold } from "../run/fold.ts"
import type { Recalled } from "../run/memory/recalled-frames.ts"
import { latestOf, type SnapshotHead, Snapshots } from "../run/memory/snapshots.ts"
import { frameNumber, type Run } from "../run/model/run.ts"
import type { Entry } from "../run/model/session.ts"
import { Collector } from "../transport/collector.ts"
import { decodeLine } from "../transport/message.ts"
import type { FrameLog } from "./frame-log.ts"

/** Lines folded at a time. The state before each such step is remembered, for steps back. */
const FOLD_LINES = 256
const READ_LINES = 2048
const MAX_RECENT = 64
/** Replaces a text whose line is gone. */
const LOST = "(this line can no longer be read)"
/** How far an event may be behind the highest number of its epoch. Beyond that it belongs to a new epoch. */
const MAX_LATE = 131_072

/** The past of one run. Every state is the same as if the log had been folded from its start. */
export class Past {
  /** States on the way to the last found state, in order. A step back starts at one of them. */
  #recent: Run[] = []
  /** The last state folded to. A step forward starts at it. */
  #lastFound: Run | null = null
  #truncations = 0
  /** The lines that playing read and has not all taken, and the number of the first. */
  #ahead: readonly Decoded[] = []
  #aheadFrom = 0
  readonly #garbage = new Collector()

  /** `present` is the run before its first line. */
  constructor(
    private readonly frameLog: FrameLog,
    private present: Run,
    private readonly snapshots = new Snapshots(present),
  ) {}

  /** Sets the latest state. Call it after each change of the run. */
  setPresent(run: Run): void {
    this.present = run
    this.snapshots.keep(run)
  }

  /** Forgets all states after the first `lines` lines, because the run is rewritten from there. */
  truncate(lines: number): void {
    this.snapshots.dropAfter(lines)
    this.#recent = []
    this.#lastFound = null
    this.#ahead = []
    this.#truncations++
  }

  /** The next lines after a state, decoded, at most `count`. Throws a file system error. */
  linesAfter(run: Run, count = FOLD_LINES): readonly Decoded[] {
    const from = run.frames.lines
    return this.lines(from, from + count).map(decodeLine)
  }

  /** As `linesAfter`, for lines that are taken a few at a time: the others are kept rather than read again. */
  linesToPlay(run: Run): readonly Decoded[] {
    const taken = run.frames.lines - this.#aheadFrom
    if (taken >= 0 && taken < this.#ahead.length) return this.#ahead.slice(taken)
    this.#ahead = this.linesAfter(run)
    this.#aheadFrom = run.frames.lines
    return this.#ahead
  }

  /** The number of lines up to the present. */
  get length(): number {
    return this.present.frames.lines
  }

  /** Lines `from` to `to` as they stand in the log, as far as there are. Throws a file system error. */
  lines(from: number, to: number): readonly SourceLine[] {
    const lines = this.frameLog.lines(from, Math.min(to, this.present.frames.lines))
    this.#garbage.add(lines.reduce((sum, line) => sum + line.length, 0))
    return lines
  }

  /** The lines to the next snapshot, at most 4 * `FOLD_LINES`. Fold them, then continue with `snapshotOf`. */
  linesToSnapshot(run: Run): readonly Decoded[] {
    const { lines } = run.frames
    return this.linesAfter(run, Math.min(4 * FOLD_LINES, (this.snapshots.next(lines) ?? Infinity) - lines))
  }

  /** The snapshot or the present that equals this state, if there is one; else the state itself. */
  snapshotOf(run: Run): Run {
    const { lines } = run.frames
    if (lines === this.present.frames.lines) return this.present
    const snapshot = this.snapshots.latest(one => one.frames.lines <= lines)
    return snapshot.frames.lines === lines ? snapshot : run
  }

  /** The events at these lines, null for one that can't be read. Lines close to each other are read together. */
  readEvents(lines: readonly number[]): Recalled {
    const found = new Map<number, EventFrame | null>()
    for (const { from, to } of spansOf(lines)) {
      const read = this.frameLog.lines(from, to)
      for (const line of lines) {
        if (line < from || line >= to) continue
        const text = read[line - from]
        const frame = text === undefined ? null : decodeLine(text)
        found.set(line, frame?.kind === "event" ? frame : null)
      }
    }
    return found
  }

  /** The state after the first `lines` lines. */
  *runAtLine(lines: number): Generator<Run, Run> {
    const from = this.#closest(run => run.frames.lines <= lines)
    let left = lines - from.frames.lines
    const stop = (read: readonly Decoded[]): number | null => {
      const end = left <= read.length ? left : null
      left -= read.length
      return end
    }
    return yield* this.#foldUntil(from, stop, () => left)
  }

  /** Restores entries of session `index` whose texts were evicted. An entry whose line can't be read is lost. */
  *recallEntries(index: number, evicted: readonly Entry[]): Generator<unknown, readonly Entry[]> {
    const restored: Entry[] = []
    for (const entry of evicted) {
      const { streamed, line, part, turn, order } = entry
      const origin = { turn, line, order }
      const buffer = streamed ? (yield* this.runAtLine(line)).turnBuffers[index] : undefined
      const frame = streamed ? null : this.readEvents([line]).get(line)
      const entries =
        buffer !== undefined ? streamedEntries(buffer, origin) : frame == null ? [] : entriesOf(frame, origin)
      restored.push(entries.find(one => one.part === part) ?? { ...entry, text: [LOST], evicted: "lost" })
      yield
    }
    return restored
  }

  /** The latest snapshot with fewer than `lines` lines. */
  snapshotBefore(lines: number): Run {
    return this.snapshots.latest(run => run.frames.lines < lines)
  }

  /** The state at a moment of the run up to `present`; null if there is none, as beyond the end. */
  *find(moment: Moment, present: Run, zone = 0): Generator<Run, Run | null> {
    switch (moment.type) {
      case "frame":
        return moment.frame > frameNumber(present) ? null : yield* this.runAtFrame(moment.frame)
      case "part":
        return yield* this.runAtFrame(Math.round(frameNumber(present) * moment.part))
      case "time": {
        const ms = momentTime(present, moment.point, zone)
        if (ms === null || present.lastTs === null || ms > present.lastTs) return null
        // The last state of the unit that the time's last digit stands for.
        return yield* this.#runAtTime(ms + moment.point.span - 1)
      }
      case "seq":
        return yield* this.#runAtSeq(moment.seq, moment.epoch, present)
    }
  }

  /** The state right after frame number `frame`, or the last state if there are fewer. */
  *runAtFrame(frame: number): Generator<Run, Run> {
    if (frame <= 0) return this.#closest(() => false)
    const from = this.#closest(run => frameNumber(run) < frame)
    let left = frame - frameNumber(from)
    const stop = (lines: readonly Decoded[]): number | null => {
      const index = lines.findIndex(line => isFrame(line) && --left === 0)
      return index < 0 ? null : index + 1
    }
    return yield* this.#foldUntil(from, stop, () => left)
  }

  /** The state after the last line before the run's time exceeds `ms`. */
  *#runAtTime(ms: number): Generator<Run, Run> {
    return yield* this.#foldUntil(
      this.#closest(({ lastTs }) => lastTs === null || lastTs <= ms),
      lines => {
        const index = lines.findIndex(line => "ts" in line && line.ts !== null && line.ts > ms)
        return index < 0 ? null : index
      },
    )
  }

  *#runAtSeq(seq: number, wanted: number | null, present: Run): Generator<Run, Run | null> {
    for (const [index, epoch] of present.epochs.entries()) {
      if (wanted !== null && wanted !== index + 1) continue
      if (seq < epoch.first || seq > epoch.highest) continue
      const found = yield* this.#runAtSeqOf(index, seq)
      if (found !== null) return found
    }
    return null
  }

  /** The state after the event with this number in this epoch. It may come after higher numbers. */
  *#runAtSeqOf(index: number, seq: number): Generator<Run, Run | null> {
    let run = this.#closest(({ epochs }) => (epochs[index]?.highest ?? -1) < seq)
    for (;;) {
      const lines = this.linesAfter(run)
      if (lines.length === 0) return null
      let from = 0
      for (;;) {
        const match = lines.findIndex((line, i) => i >= from && "seq" in line && line.seq === seq)
        const to = match < 0 ? lines.length : match + 1
        run = fold(run, lines.slice(from, to))
        if (match < 0) break
        if (run.epochs.length - 1 === index) return run
        from = to
      }
      const highest = run.epochs[index]?.highest ?? -1
      if (run.epochs.length - 1 > index || highest - seq > MAX_LATE) return null
      yield run
    }
  }

  #closest(isBefore: (head: SnapshotHead) => boolean): Run {
    let latest = this.snapshots.latest(isBefore)
    const [first] = this.#recent
    const recent = first !== undefined && isBefore(first) ? latestOf(this.#recent, isBefore) : null
    for (const run of [recent, this.#lastFound]) {
      if (run !== null && isBefore(run) && run.frames.lines > latest.frames.lines) latest = run
    }
    return latest
  }

  /** Folds until `stop` returns how many of the next lines to include. `needed` limits the lines read at a time. */
  *#foldUntil(
    from: Run,
    stop: (lines: readonly Decoded[]) => number | null,
    needed = () => READ_LINES,
  ): Generator<Run, Run> {
    let run = from
    const passed: Run[] = []
    const truncations = this.#truncations
    for (;;) {
      const lines = this.linesAfter(run, Math.min(READ_LINES, needed()))
      const end = stop(lines)
      const wanted = end === null ? lines : lines.slice(0, end)
      for (let start = 0; start < wanted.length; start += FOLD_LINES) {
        // Every state here holds the sessions that its lines changed, so no more are held than are kept.
        if (passed.push(run) > MAX_RECENT) passed.shift()
        run = fold(run, wanted.slice(start, start + FOLD_LINES))
        if (truncations === this.#truncations) {
          // Kept even if the walk is given up: the next one starts there. A short walk doesn't replace a long one.
          if (passed.length > 1) this.#recent = passed
          this.#lastFound = run
        }
        yield run
      }
      if (end !== null || lines.length === 0) return run
    }
  }
}

/** Spans that cover these lines. Lines far apart are in separate spans. */
function spansOf(lines: readonly number[]): readonly { readonly from: number; readonly to: number }[] {
  const spans: { from: number; to: number }[] = []
  for (const line of lines.toSorted((a, b) => a - b)) {
    const last = spans.at(-1)
    if (last !== undefined && line - last.to < FOLD_LINES) last.to = line + 1
    else spans.push({ from: line, to: line + 1 })
  }
  return spans
}

/** True once a growing run has reached a moment. */
export function isReached(moment: Moment, run: Run): boolean {
  switch (moment.type) {
    case "frame":
      return frameNumber(run) >= moment.frame
    case "seq":
      return run.epochs.some(
        ({ highest }, index) => highest >= moment.seq && (moment.epoch === null || moment.epoch === index + 1),
      )
    case "part":
    case "time":
      // Only the end of the run shows how long it is, and that no earlier time will follow.
      return false
  }
}
