// Shows the past of a run: seeks to any moment and plays from there.

import { describeFileError } from "../../packages/wire/src/files/recording-path.ts"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import type { Filter } from "../query/filter/filter.ts"
import { print } from "../query/filter/print.ts"
import type { Moment } from "../query/moment.ts"
import type { TimelineMarkers } from "../query/timeline-markers.ts"
import { Snapshots } from "../run/memory/snapshots.ts"
import { frameNumber, initialRun, type Run } from "../run/model/run.ts"
import type { Clock } from "../transport/clock.ts"
import { Pace, type Timing } from "../transport/pace.ts"
import type { Action } from "../view/action.ts"
import { presentOf } from "../view/state.ts"
import type { Store } from "../view/store.ts"
import { ConditionWatcher } from "./condition-watcher.ts"
import { findCondition } from "./find-condition.ts"
import type { FrameLog } from "./frame-log.ts"
import { MomentSearch } from "./moment-search.ts"
import { isReached, Past } from "./past.ts"
import type { RecordingIndex } from "./recording-index.ts"
import { runSlice } from "./steps.ts"

/** Frames are shown up to this early, ms, so that a fast stream comes in batches and not with a timer per frame. */
const EARLY_MS = 16
const ROUND_MS = 1000

interface PlayerOptions {
  readonly store: Store
  /** Opens the frame log of the run, also after a restart. Throws a file system error. */
  readonly openLog: () => FrameLog | null
  /** Where the states of a recording are kept; null if they are in memory alone. */
  readonly index?: RecordingIndex | null
  readonly clock: Clock
  /** How fast to play (docs/decisions.md 6.1). */
  readonly timing: Timing
  /** The moment to show once the run has reached it; null for none. */
  readonly at: Moment | null
  /** Called if the run has ended without that moment; by default the person is notified. */
  readonly onMissed?: (() => void) | undefined
  readonly notify: (text: string, level?: "info") => void
  readonly onHit: () => void
}

/** A run that takes the place of another: its snapshots if it was told from its start, and its markers. */
export interface RewrittenRun {
  readonly run: Run
  readonly snapshots: Snapshots | null
  readonly marks: TimelineMarkers
}

/** Plays the past according to the store's state, while the present grows independently. */
export class TimelinePlayer {
  readonly #first: Run
  readonly #watcher: ConditionWatcher
  readonly #search: MomentSearch
  readonly #unsubscribe: () => void
  /** Null once the run began again: the index is of what the file held before. */
  #index: RecordingIndex | null
  #frameLog: FrameLog | null = null
  #past: Past | null = null
  #awaited: Moment | null
  #cancel: (() => void) | null = null
  /** The current playback: its pace, the state it has shown, when the next line is due, and since when it is held. */
  #pace: Pace | null = null
  #shown: Run | null = null
  #nextDue: number | null = null
  #heldAt: number | null = null
  #isStepping = false
  #roundSince = 0

  constructor(private readonly options: PlayerOptions) {
    this.#index = options.index ?? null
    this.#first = initialRun(options.store.get().run.options)
    this.#awaited = options.at
    const attempt = <T>(work: () => T): T | null => this.#try(work)
    this.#watcher = new ConditionWatcher({ ...options, attempt, past: () => this.past() })
    this.#search = new MomentSearch({ ...options, attempt })
    this.#unsubscribe = options.store.subscribe(() => this.#update())
  }

  /** Call it after the run has grown and its lines are in the log. */
  framesAdded(): void {
    const present = presentOf(this.options.store.get())
    if (this.past() === null) return
    this.#reportProgress()
    if (this.#awaited !== null && isReached(this.#awaited, present)) this.seekAwaited()
  }

  /** Seeks the awaited moment. Call it when nothing more comes for now. */
  seekAwaited(): void {
    const moment = this.#awaited
    this.#awaited = null
    if (moment === null) return
    this.options.store.dispatch({ type: "time", change: { playing: false } })
    this.seek(moment, this.options.onMissed)
  }

  /** Updates the fraction of the recording that was read, in visible steps. */
  #reportProgress(): void {
    const { store } = this.options
    const { link, time } = store.get()
    const read = link.state === "replaying" ? Math.min(this.#frameLog?.readFraction ?? 1, 0.99) : 1
    if (Math.abs(read - time.read) >= 0.01) store.dispatch({ type: "time", change: { read } })
  }

  /**
   * Shows a run that was rewritten from line `from`, at the moment shown before; one far away is reached in slices.
   * The snapshots are of a rewrite from the start.
   */
  replaceRun(from: number, { run: present, snapshots, marks }: RewrittenRun): void {
    this.#search.cancel()
    this.#past?.truncate(from)
    if (snapshots !== null) this.#openPast(snapshots)
    const { store, clock } = this.options
    const steps = this.#momentShown(present)
    const next = steps === null ? null : this.#try(() => runSlice(steps, clock))
    store.dispatch({ type: "refilled", run: present, shown: next?.value ?? null, marks })
    if (steps === null || next === null || next.done === true) return
    this.#search.begin(steps, "Seeking", run => store.dispatch({ type: "show", run }))
  }

  /** Looks in a rewritten run for the moment that is shown; null if that is the present. */
  #momentShown(present: Run): Generator<Run, Run | null> | null {
    const { run, time } = this.options.store.get()
    const seq = run.epochs.at(-1)?.highest
    const past = time.present === null ? null : this.#openPast()
    if (past === null || seq === undefined) return null
    // The rewrite adds epochs of earlier runs, known only from disk, at the front.
    const epoch = run.epochs.length + present.disk.epochs - run.disk.epochs
    return this.#try(() => {
      past.setPresent(present)
      return past.find({ type: "seq", seq, epoch }, present)
    })
  }

  /** Call it when the run begins again. */
  restart(): void {
    this.#search.cancel()
    this.#index?.[Symbol.dispose]()
    this.#index = null
    this.#frameLog?.close()
    this.#frameLog = null
    this.#past = null
  }

  /** Keeps what reading found for the next opening, in slices. Call it when the file was read to its end. */
  keepIndex(): void {
    const { store, clock } = this.options
    const state = store.get()
    const indexed = this.past() === null ? null : this.#frameLog?.indexed
    const steps = indexed && this.#index?.finish(presentOf(state), state.time.marks, indexed)
    if (!steps) return
    const finishSlice = (): void => {
      if (runSlice(steps, clock).done !== true) clock.after(0, finishSlice)
    }
    finishSlice()
  }

  /** The past up to the present; null if it can't be read. */
  past(): Past | null {
    const past = this.#openPast()
    const present = presentOf(this.options.store.get())
    return this.#try(() => {
      this.#frameLog?.indexUpTo?.(present.frames.lines)
      past?.setPresent(present)
      return past
    })
  }

  /** Shows a moment; calls `onMissed` if the run doesn't have it. */
  seek(moment: Moment, onMissed = () => this.options.notify("This run doesn't have that moment")): void {
    const past = this.past()
    if (past === null) return
    const { store, notify } = this.options
    const state = store.get()
    this.#search.begin(past.find(moment, presentOf(state), state.zone), "Seeking", (run, isLong) => {
      if (run === null) return onMissed()
      store.dispatch({ type: "show", run })
      if (isLong) notify(`Frame ${frameNumber(run)}`)
    })
  }

  /** Shows where a condition became true, after or before the moment shown, and notifies the person. */
  search(filter: Filter, step: 1 | -1): void {
    const past = this.#openPast()
    if (past === null) return
    const { store, notify } = this.options
    const condition = print(filter)
    const { run: from, zone } = store.get()
    this.#search.begin(findCondition(past, from, filter, step, zone), `Searching for ${condition}`, run => {
      if (run !== null) store.dispatch({ type: "show", run })
      notify(
        run === null
          ? `${condition}: no ${step === 1 ? "later" : "earlier"} match`
          : `${condition} became true at frame ${frameNumber(run)}`,
      )
    })
  }

  close(): void {
    this.#unsubscribe()
    this.#watcher.close()
    this.#search.cancel()
    this.#stopTimer()
    this.#frameLog?.close()
    this.#frameLog = null
    this.#past = null
  }

  #openPast(snapshots: Snapshots | null = null): Past | null {
    return this.#try(() => {
      this.#frameLog ??= this.options.openLog()
      if (this.#frameLog === null) return null
      if (snapshots !== null) this.#past = new Past(this.#frameLog, this.#first, snapshots)
      this.#past ??= new Past(this.#frameLog, this.#first, new Snapshots(this.#first, { store: this.#index }))
      return this.#past
    })
  }

  /** Starts, continues or holds playing, as the state says. A seek starts a new pace. */
  #update(): void {
    this.#watcher.resume()
    if (this.#isStepping) return
    const { run, time } = this.options.store.get()
    const now = this.options.clock.elapsed()
    if (run !== this.#shown) this.#startAt(run)
    if (!time.playing || time.present === null) {
      this.#stopTimer()
      this.#heldAt ??= now
      return
    }
    const pace = this.#pace
    if (pace === null) this.#pace = new Pace(this.options.timing, time.speed, time.idleLimitMs)
    else if (this.#heldAt !== null || pace.speed !== time.speed || pace.idleLimitMs !== time.idleLimitMs) {
      this.#stopTimer()
      this.#pace = pace.continued(time.speed, time.idleLimitMs, this.#heldAt ?? now, now)
      if (this.#nextDue !== null) this.#nextDue = this.#pace.due
    }
    this.#heldAt = null
    this.#cancel ??= this.options.clock.after((this.#nextDue ?? 0) - now, () => this.#step())
  }

  #startAt(run: Run): void {
    this.#stopTimer()
    this.#shown = run
    this.#pace = null
    this.#nextDue = null
    if (run.frames.lines === 0) this.#roundSince = this.options.clock.elapsed()
  }

  #stopTimer(): void {
    this.#cancel?.()
    this.#cancel = null
  }

  #step(): void {
    this.#cancel = null
    const lines = this.#try(() => this.#past?.linesToPlay(this.options.store.get().run)) ?? []
    if (lines.length === 0) {
      this.#end()
      return
    }
    const due = this.#countDue(lines)
    if (due > 0) this.#dispatch({ type: "play", frames: lines.slice(0, due) })
    if (this.options.store.get().view.conditions.pending.length > 0) this.options.onHit()
    this.#update()
  }

  /** The number of lines that are due. Sets `#nextDue` for the one after them. */
  #countDue(lines: readonly Decoded[]): number {
    const now = this.options.clock.elapsed()
    for (const [index, line] of lines.entries()) {
      this.#nextDue ??= this.#pace?.dueAt(line, now) ?? now
      if (this.#nextDue > now + EARLY_MS) return index
      this.#nextDue = null
    }
    return lines.length
  }

  /** At the end of the lines: waits for more, starts a new round, or shows the present. */
  #end(): void {
    const { link, time } = this.options.store.get()
    if (link.state === "replaying") return
    if (link.state !== "ended" || !time.loop) {
      this.#dispatch({ type: "show", run: null })
      return
    }
    const wait = this.#roundSince + ROUND_MS - this.options.clock.elapsed()
    const again = { type: "show", run: this.#first } as const
    this.#cancel = this.options.clock.after(wait, () => this.options.store.dispatch(again))
  }

  /** Dispatches a change made by playing, which doesn't start a new pace. */
  #dispatch(action: Action): void {
    this.#isStepping = true
    this.options.store.dispatch(action)
    this.#isStepping = false
    this.#shown = this.options.store.get().run
  }

  /** The result of `work`, or null after a file system error, which the person is notified of. */
  #try<T>(work: () => T): T | null {
    try {
      return work()
    } catch (error) {
      this.options.notify(`Can't read the past: ${describeFileError(error)}`)
      return null
    }
  }
}
