// Finds any moment of a run again: the nearest state that was kept before it, and the lines from there on.
import type { Decoded, EventFrame } from "../protocol/frame.ts"
import { momentTime } from "../query/filter/predicate.ts"
import type { Moment } from "../query/moment.ts"
import { entriesOf, streamedEntries } from "../run/event-entries.ts"
import { fold } from "../run/fold.ts"
import type { Recalled } from "../run/memory/recalled-frames.ts"
import { latestOf, Snapshots } from "../run/memory/snapshots.ts"
import { frameNumber, type Run } from "../run/model/run.ts"
import type { Entry } from "../run/model/session.ts"
import { decodeLine } from "../transport/message.ts"
import type { FrameLog } from "./frame-log.ts"

/** Lines that are folded in one go, and after which a state is remembered for the next step back. */
const STEP = 256
/** Lines that are read in one go on a long way. */
const READ = 2048
/** States that are remembered of the latest way. */
const NEAR = 64
/** What stands for a text whose line is gone. */
const LOST = "(its line cannot be read any more)"
/** How far behind the highest number of its epoch an event may come (it counts as a new epoch after that). */
const LATE = 131_072

/** The past of one run. What it gives is what folding the tape from its start gives. */
export class Past {
  readonly #tape: FrameLog
  readonly #kept: Snapshots
  /** The run as it was taken in. */
  #present: Run
  /** States along the way that was folded last, in order: a step back from its end begins at one of them. */
  #near: Run[] = []
  /** The state that was found last: a step on begins at it. */
  #found: Run | null = null

  /** `first` is the run before its first line. */
  constructor(tape: FrameLog, first: Run, kept = new Snapshots(first)) {
    this.#tape = tape
    this.#present = first
    this.#kept = kept
  }

  /** Tells of a later state of the run, each time that something was taken in. */
  keep(run: Run): void {
    this.#present = run
    this.#kept.keep(run)
  }

  /** From this line on the run is told anew. */
  cut(lines: number): void {
    this.#kept.cut(lines)
    this.#near = []
    this.#found = null
  }

  /** The lines that follow a state, decoded: at most `count`. Throws the error of the file system. */
  next(run: Run, count = STEP): readonly Decoded[] {
    const from = run.frames.lines
    return this.#tape.lines(from, Math.min(from + count, this.#present.frames.lines)).map(decodeLine)
  }

  /**
   * The lines that follow a state up to the next one that is kept, at most four `STEP`s: whoever folds them and goes on with
   * `shared` holds little beside what is held already, however long the way.
   */
  onward(run: Run): readonly Decoded[] {
    const { lines } = run.frames
    return this.next(run, Math.min(4 * STEP, (this.#kept.next(lines) ?? Number.POSITIVE_INFINITY) - lines))
  }

  /** This state as it is kept, where it is. */
  shared(run: Run): Run {
    const { lines } = run.frames
    if (lines === this.#present.frames.lines) return this.#present
    const kept = this.#kept.latest(one => one.frames.lines <= lines)
    return kept.frames.lines === lines ? kept : run
  }

  /** The events that these lines are, null where one cannot be read. Lines that lie near each other are read in one go. */
  frames(lines: readonly number[]): Recalled {
    const found = new Map<number, EventFrame | null>()
    for (const { from, to } of stretches(lines)) {
      const read = this.#tape.lines(from, to)
      for (const line of lines) {
        if (line < from || line >= to) continue
        const text = read[line - from]
        const frame = text === undefined ? null : decodeLine(text)
        found.set(line, frame?.kind === "event" ? frame : null)
      }
    }
    return found
  }

  /** The state after so many lines. */
  at(lines: number): Run {
    const from = this.#before(run => run.frames.lines <= lines)
    let left = lines - from.frames.lines
    return this.#walk(from, read => {
      const end = left <= read.length ? left : null
      left -= read.length
      return end
    })
  }

  /**
   * The entries of the session at `index`, whose texts are gone, as they were before memory let go of them. One whose
   * line cannot be read is lost.
   */
  entries(index: number, gone: readonly Entry[]): readonly Entry[] {
    const frames = this.frames([...new Set(gone.flatMap(({ streamed, line }) => (streamed ? [] : [line])))])
    return gone.map(entry => {
      const { streamed, line, part, turn } = entry
      const made = { turn, line }
      const frame = frames.get(line)
      const stream = streamed ? this.at(line).turnBuffers[index] : undefined
      const told = stream !== undefined ? streamedEntries(stream, made) : frame == null ? [] : entriesOf(frame, made)
      const found = told.find(one => one.part === part)
      return found ?? { ...entry, text: [LOST], evicted: "lost" }
    })
  }

  /** A state that was kept before the run had so many lines. */
  before(lines: number): Run {
    return this.#kept.latest(run => run.frames.lines < lines)
  }

  /** The state at a moment of the run that was taken in up to `present`; null where it has no such moment. */
  find(moment: Moment, present: Run, zone = 0): Run | null {
    switch (moment.type) {
      case "frame":
        return this.frame(moment.frame)
      case "time": {
        const ms = momentTime(present, moment.point, zone)
        return ms === null ? null : this.#time(ms + moment.point.span - 1)
      }
      case "seq":
        return this.#seq(moment.seq, moment.epoch, present)
    }
  }

  /** The state right after the frame with this number; the last one where there are fewer. */
  frame(frame: number): Run {
    if (frame <= 0) return this.#before(() => false)
    const from = this.#before(run => frameNumber(run) < frame)
    let left = frame - frameNumber(from)
    const stop = (lines: readonly Decoded[]): number | null => {
      const index = lines.findIndex(line => isFrame(line) && --left === 0)
      return index < 0 ? null : index + 1
    }
    return this.#walk(from, stop, () => left)
  }

  /** The state after the last line before the run's time passes `ms`. */
  #time(ms: number): Run {
    return this.#walk(
      this.#before(({ lastTs }) => lastTs === null || lastTs <= ms),
      lines => {
        const index = lines.findIndex(line => "ts" in line && line.ts !== null && line.ts > ms)
        return index < 0 ? null : index
      },
    )
  }

  #seq(seq: number, wanted: number | null, present: Run): Run | null {
    for (const [index, epoch] of present.epochs.entries()) {
      if (wanted !== null && wanted !== index + 1) continue
      if (seq < epoch.first || seq > epoch.highest) continue
      const found = this.#seqIn(index, seq)
      if (found !== null) return found
    }
    return null
  }

  /** The state after an event of this number in this epoch: mostly where the epoch reaches it, at times later. */
  #seqIn(index: number, seq: number): Run | null {
    let run = this.#before(({ epochs }) => (epochs[index]?.highest ?? -1) < seq)
    for (;;) {
      const lines = this.next(run)
      if (lines.length === 0) return null
      let from = 0
      for (;;) {
        const at = lines.findIndex((line, i) => i >= from && "seq" in line && line.seq === seq)
        const to = at < 0 ? lines.length : at + 1
        run = fold(run, lines.slice(from, to))
        if (at < 0) break
        if (run.epochs.length - 1 === index) return run
        from = to
      }
      const highest = run.epochs[index]?.highest ?? -1
      if (run.epochs.length - 1 > index || highest - seq > LATE) return null
    }
  }

  #before(isBefore: (run: Run) => boolean): Run {
    let latest = this.#kept.latest(isBefore)
    const [first] = this.#near
    const near = first !== undefined && isBefore(first) ? latestOf(this.#near, isBefore) : null
    for (const run of [near, this.#found]) {
      if (run !== null && isBefore(run) && run.frames.lines > latest.frames.lines) latest = run
    }
    return latest
  }

  /**
   * Folds on from `run` until `stop` says how many of the next lines still belong to it, or to the end. `most`: lines
   * that are still wanted at least, so that none is read in vain.
   */
  #walk(from: Run, stop: (lines: readonly Decoded[]) => number | null, most = () => READ): Run {
    let run = from
    const way: Run[] = []
    for (;;) {
      const lines = this.next(run, Math.min(READ, most()))
      const end = stop(lines)
      const wanted = end === null ? lines : lines.slice(0, end)
      for (let at = 0; at < wanted.length; at += STEP) {
        way.push(run)
        run = fold(run, wanted.slice(at, at + STEP))
      }
      if (end !== null || lines.length === 0) break
    }
    // A short way leaves what is remembered of the long one before it.
    if (way.length > 1) this.#near = way.slice(-NEAR)
    this.#found = run
    return run
  }
}

/** Spans of lines that hold these: what lies far apart is not read together. */
function stretches(lines: readonly number[]): readonly { readonly from: number; readonly to: number }[] {
  const spans: { from: number; to: number }[] = []
  for (const line of lines.toSorted((a, b) => a - b)) {
    const last = spans.at(-1)
    if (last !== undefined && line - last.to < STEP) last.to = line + 1
    else spans.push({ from: line, to: line + 1 })
  }
  return spans
}

/** True for what has a number: not for a note, an empty line, or one that was not understood. */
export function isFrame({ kind }: Decoded): boolean {
  return kind !== "note" && kind !== "blank" && kind !== "malformed"
}

/** True once a run that grows has come to a moment. */
export function isReached(moment: Moment, run: Run): boolean {
  switch (moment.type) {
    case "frame":
      return frameNumber(run) >= moment.frame
    case "seq":
      return run.epochs.some(
        ({ highest }, index) => highest >= moment.seq && (moment.epoch === null || moment.epoch === index + 1),
      )
    case "time":
      // Later times come to be known only at the end.
      return false
  }
}
