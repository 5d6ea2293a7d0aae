// Shows the past of a run: seeks to any moment of it, and plays on from there at its pace.
import type { Decoded } from "../protocol/frame.ts"
import type { Filter } from "../query/filter/filter.ts"
import { print } from "../query/filter/print.ts"
import type { Moment } from "../query/moment.ts"
import { frameNumber, initialRun, type Run } from "../run/model/run.ts"
import type { Clock } from "../transport/clock.ts"
import { Pace, type Timing } from "../transport/pace.ts"
import { describeFileError } from "../transport/recording-path.ts"
import type { Action } from "../view/action.ts"
import type { Store } from "../view/store.ts"
import { isPast, presentOf } from "../view/time.ts"
import { search } from "./find-condition.ts"
import type { FrameLog } from "./frame-log.ts"
import { isReached, Past } from "./past.ts"
import { Watcher } from "./watcher.ts"

/** Ms by which a frame may come early, so that a fast stream is a few batches and not a timer for each frame. */
const EARLY_MS = 16
/** Ms that one round of a loop lasts at least, however short the recording. */
const ROUND_MS = 1000
/** Ms that a search may take before keys and frames have their turn. */
const SLICE_MS = 12

export interface PlayerOptions {
  readonly store: Store
  /** Opens the tape of the run; again where the run began again. Throws the error of the file system. */
  readonly open: () => FrameLog | null
  readonly clock: Clock
  /** How a recording is played (docs/decisions.md 6.1). */
  readonly timing: Timing
  /** Where to go as soon as the run has come so far; null for nowhere. */
  readonly at: Moment | null
  readonly tell: (text: string) => void
  /** Told that a condition came true while a recording was played. */
  readonly hit: () => void
}

/** The moments of a run on the screen. The store says which is wanted; the present is taken in beside it. */
export class TimelinePlayer {
  readonly #options: PlayerOptions
  readonly #first: Run
  readonly #watcher: Watcher
  readonly #unsubscribe: () => void
  #tape: FrameLog | null = null
  #past: Past | null = null
  #wanted: Moment | null
  #cancel: (() => void) | null = null
  /** Of the way that is played now: its pace, the run that it has reached, and when the next line is due. */
  #pace: Pace | null = null
  #reached: Run | null = null
  #due: number | null = null
  #isStepping = false
  #roundSince = 0

  constructor(options: PlayerOptions) {
    this.#options = options
    this.#first = initialRun(options.store.get().run)
    this.#wanted = options.at
    const { store, clock } = options
    this.#watcher = new Watcher({
      store,
      clock,
      reading: work => this.#try(work),
      past: () => {
        const past = this.#open()
        past?.keep(presentOf(store.get()))
        return past
      },
    })
    this.#unsubscribe = store.subscribe(() => this.#look())
  }

  /** Tells that more of the run was taken in, which the tape holds by now. */
  framesAdded(): void {
    const present = presentOf(this.#options.store.get())
    if (this.past() === null) return
    this.#tellRead()
    if (this.#wanted !== null && isReached(this.#wanted, present)) this.#arrive()
    this.#look()
  }

  /** Tells that nothing more comes for now: a moment that was awaited does not exist. */
  sourceEnded(): void {
    if (this.#wanted !== null) this.#arrive()
    this.#look()
  }

  /** How much of a recording was read, in steps that can be seen. */
  #tellRead(): void {
    const { store } = this.#options
    const { link, time } = store.get()
    const read = link.state === "replaying" ? Math.min(this.#tape?.readFraction ?? 1, 0.99) : 1
    const isNews = Math.abs(read - time.read) >= 0.01 || (read === 1 && time.read < 1)
    if (isNews) store.dispatch({ type: "time", change: { read } })
  }

  /**
   * The run is told anew after its first `kept` lines, on its tape too: gives the moment that is shown as it is told now,
   * null for the present.
   */
  findAfterRewrite(kept: number, present: Run): Run | null {
    this.#past?.cut(kept)
    const { store } = this.#options
    const { run } = store.get()
    const seq = run.epochs.at(-1)?.highest
    const past = isPast(store.get()) && seq !== undefined ? this.#open() : null
    if (past === null || seq === undefined) return null
    // The earlier runs that only the disk knew come first.
    const epoch = run.epochs.length + present.diskEpochs - run.diskEpochs
    return this.#try(() => {
      past.keep(present)
      return past.find({ type: "seq", seq, epoch }, present)
    })
  }

  /** The run begins again. */
  restart(): void {
    this.#tape?.close()
    this.#tape = null
    this.#past = null
  }

  /** The past of the run up to what was taken in; null where it cannot be read. */
  past(): Past | null {
    const past = this.#open()
    const present = presentOf(this.#options.store.get())
    return this.#try(() => {
      this.#tape?.indexUpTo?.(present.frames.lines)
      past?.keep(present)
      return past
    })
  }

  /** Shows a moment, paused. */
  seek(moment: Moment): void {
    const { store, tell } = this.#options
    const past = this.past()
    if (past === null) return
    this.#try(() => {
      const present = presentOf(store.get())
      const run = past.find(moment, present, store.get().zone)
      if (run === null) return tell("The run has no such moment")
      store.dispatch({ type: "show", run })
    })
  }

  /** Shows where a condition comes true, on or back from the moment shown, and says where that is. */
  search(filter: Filter, step: 1 | -1): void {
    const past = this.#open()
    if (past === null) return
    const { store, clock, tell } = this.#options
    const from = store.get().run
    const looking = search(past, from, filter, step, store.get().zone)
    const look = (): void => {
      // Whoever moved on meanwhile wants this no more.
      if (store.get().run !== from && isPast(store.get())) return
      const found = this.#try(() => sliced(looking, clock))
      if (found === null) return
      if (found.done !== true) {
        tell(`Looking for ${print(filter)}: frame ${frameNumber(found.value)}`)
        clock.after(0, look)
        return
      }
      const what = print(filter)
      if (found.value !== null) store.dispatch({ type: "show", run: found.value })
      tell(
        found.value === null
          ? `${what} did not come true ${step > 0 ? "later" : "earlier"}`
          : `${what} came true at frame ${frameNumber(found.value)}`,
      )
    }
    look()
  }

  close(): void {
    this.#unsubscribe()
    this.#watcher.close()
    this.#cancel?.()
    this.#tape?.close()
    this.#tape = null
    this.#past = null
  }

  #arrive(): void {
    const wanted = this.#wanted
    this.#wanted = null
    if (wanted === null) return
    this.#options.store.dispatch({ type: "time", change: { playing: false } })
    this.seek(wanted)
  }

  #open(): Past | null {
    return this.#try(() => {
      this.#tape ??= this.#options.open()
      if (this.#tape !== null) this.#past ??= new Past(this.#tape, this.#first)
      return this.#past
    })
  }

  /** Plays, where that is wanted and nothing is under way. A seek, and another speed, begin a pace of their own. */
  #look(): void {
    this.#watcher.look()
    if (this.#isStepping) return
    const { run, time } = this.#options.store.get()
    if (!time.playing || time.present === null) {
      this.#rest()
      return
    }
    const pace = this.#pace
    if (pace === null || pace.speed !== time.speed || pace.idleLimitMs !== time.idleLimitMs || run !== this.#reached) {
      this.#rest()
      this.#pace = new Pace(this.#options.timing, time.speed, time.idleLimitMs)
      this.#reached = run
      if (run.frames.lines === 0) this.#roundSince = this.#options.clock.elapsed()
    }
    this.#cancel ??= this.#options.clock.after((this.#due ?? 0) - this.#options.clock.elapsed(), () => this.#step())
  }

  #rest(): void {
    this.#cancel?.()
    this.#cancel = null
    this.#pace = null
    this.#due = null
  }

  /** Shows what is due by now. */
  #step(): void {
    this.#cancel = null
    const lines = this.#try(() => this.#past?.next(this.#options.store.get().run)) ?? []
    if (lines.length === 0) {
      this.#end()
      return
    }
    const due = lines.slice(0, this.#dueOf(lines))
    if (due.length > 0) this.#change({ type: "play", frames: due })
    if (this.#options.store.get().view.breakpoints.pending.length > 0) this.#options.hit()
    this.#look()
  }

  /** How many of these lines are due; `#due` then says when the next one is. */
  #dueOf(lines: readonly Decoded[]): number {
    const now = this.#options.clock.elapsed()
    for (const [index, line] of lines.entries()) {
      this.#due ??= this.#pace?.dueAt(line, now) ?? now
      if (this.#due > now + EARLY_MS) return index
      this.#due = null
    }
    return lines.length
  }

  /** All that was taken in is played: more is awaited, the recording begins again, or the present is shown. */
  #end(): void {
    const { link, time } = this.#options.store.get()
    if (link.state === "replaying") return
    if (link.state !== "ended" || !time.loop) {
      this.#change({ type: "show", run: null })
      return
    }
    const wait = this.#roundSince + ROUND_MS - this.#options.clock.elapsed()
    this.#cancel = this.#options.clock.after(wait, () => {
      this.#cancel = null
      this.#options.store.dispatch({ type: "show", run: this.#first })
    })
  }

  /** A change that playing makes itself, after which the pace goes on. */
  #change(action: Action): void {
    this.#isStepping = true
    this.#options.store.dispatch(action)
    this.#isStepping = false
    this.#reached = this.#options.store.get().run
  }

  /** What `work` gives, null where the file system failed it: then that is told. */
  #try<T>(work: () => T): T | null {
    try {
      return work()
    } catch (error) {
      this.#options.tell(`The past cannot be read: ${describeFileError(error)}`)
      return null
    }
  }
}

/** Goes on with a search until it ends, or others must have their turn. */
function sliced(looking: Generator<Run, Run | null>, clock: Clock): IteratorResult<Run, Run | null> {
  const until = clock.elapsed() + SLICE_MS
  for (;;) {
    const next = looking.next()
    if (next.done === true || clock.elapsed() >= until) return next
  }
}
