// Opens, connects and closes one run: its frames, its state, its files and its timers.
import type { Link } from "../../packages/wire/src/link.ts"
import { sanitize } from "../../packages/wire/src/sanitize.ts"
import { zone } from "../cli/option-value.ts"
import type { TraceOptions } from "../cli/screen-options.ts"
import { isStepping } from "../panels/debugger/index.ts"
import { diskReads } from "../panels/disk-reads.ts"
import { features } from "../panels/plan.ts"
import { notifyEffects } from "../panels/prompt/notify.ts"
import { onlyBreakpoint } from "../query/conditions.ts"
import type { Row } from "../run/model/run.ts"
import type { ShownRun } from "../screen/surface.ts"
import type { FrameLog } from "../timeline/frame-log.ts"
import { RecordingLog } from "../timeline/recording-log.ts"
import { Spool, spoolDirectory } from "../timeline/spool.ts"
import { decodeLine, type ReceivedFrame, recordingLine } from "../transport/message.ts"
import type { Sink } from "../transport/source.ts"
import type { Title } from "../ui/line.ts"
import type { Intent } from "../view/intent.ts"
import type { State } from "../view/state.ts"
import { createStore, type Store } from "../view/store.ts"
import { configuredKeys } from "./configured-keys.ts"
import { writeCrash } from "./crash.ts"
import { fillIn } from "./fill-in.ts"
import { GapFiller } from "./gap-filler.ts"
import { keepRun } from "./kept-runs.ts"
import { firstLink, foldOptions } from "./open-source.ts"
import { RunClock, tickAtEnds } from "./run-clock.ts"
import type { RunContext, SessionOptions } from "./run-context.ts"
import { performer, runHandlers } from "./run-handlers.ts"
import { closeParts, openParts, type RunParts, startReplay } from "./run-parts.ts"
import type { TraceOutput } from "./trace-output.ts"

/** How long the last output of a command that was terminated may take, ms. */
const LAST_OUTPUT_MS = 1000
/** How long after its end a recording's index is written, ms: the screen comes first. */
const INDEX_MS = 1000

/** A closed run leaves no temporary file, timer, listener or connection behind, but for its last spans: at most 1 s. */
export class RunSession implements ShownRun, Sink {
  readonly store: Store
  readonly title: Title
  readonly perform: ShownRun["perform"]
  readonly #abort = new AbortController()
  readonly #clock = new RunClock()
  readonly #context: RunContext
  readonly #parts: RunParts
  /** Mistakes in the config file and dangers of the connection, shown first. */
  readonly #warnings: string[] = []
  #gapFiller: GapFiller | null = null
  #traces: TraceOutput | null = null
  #unsubscribe: () => void = () => undefined
  /** The state after the last change that was followed. */
  #followed: State
  /** The log rows on the screen; null while the log is hidden. */
  #rows: readonly Row[] | null = null
  /** When a key, a click or a paste came last, epoch ms. */
  #keyAt = Number.NEGATIVE_INFINITY
  /** True once a guest got a signal that asks it to stop: then we end when it does. */
  #isSignalled = false

  constructor(private readonly options: SessionOptions) {
    const { screen, opened } = options
    const { from } = opened
    this.title = { chart: screen.chart, session: screen.session }
    const spool = from.type === "replay" ? null : new Spool(spoolDirectory(screen.stateDir))
    this.store = createStore({
      link: firstLink(from),
      ...features,
      given: foldOptions(screen),
      keep: frames => spool?.append(frames.map(({ text }) => text)),
      zone: zone(),
    })
    tickAtEnds(this.store, this.#clock)
    this.#context = {
      store: this.store,
      clock: this.#clock,
      signal: this.#abort.signal,
      ask: intent => this.#ask(intent),
      notify: (text, level) => this.#ask({ type: "notice/show", text, ...(level && { level }) }),
    }
    this.#parts = openParts(this.#context, options, spool)
    this.perform = performer(runHandlers(this.#context, options, this.#parts), this.#context)
    this.#prepare()
    this.#followed = this.store.shown()
  }

  async start(): Promise<void> {
    const { opened, sessionDir, screen } = this.options
    const { from, source, failed, log } = opened
    this.#follow()
    if (sessionDir !== null) await this.#openDirectory(sessionDir)
    if (this.#abort.signal.aborted) return
    if (from.type === "live" && from.warning !== null) this.#warnings.push(from.warning)
    if (this.#warnings.length > 0) this.#context.notify(this.#warnings.join(" · "))
    if (log !== undefined) void fillIn(log, this.#context, this.#parts.player)
    void failed?.then(why => this.#context.notify(`What the log gets from now on is not shown: ${why}`))
    if (screen.traces !== null && from.type !== "replay") await this.#startTraces(screen.traces)
    if (this.#abort.signal.aborted) return
    this.#restore()
    source.start(this)
  }

  /** Leaves with `code` if no agent has answered within `ms`. */
  leaveUnlessAnswered(ms: number, code: number): void {
    this.#clock.after(ms, () => {
      const { link } = this.store.get()
      const hasAnswered = link.state === "open" || (link.state === "lost" && (link.everOpen || link.api === true))
      if (!hasAnswered) this.options.surface.leave(code, sanitize(`no agent answered within ${ms / 1000} s`))
    })
  }

  showRows(rows: readonly Row[] | null): void {
    this.#rows = rows
    const state = this.store.shown()
    // A change that is just being shown hasn't been followed yet.
    if (state === this.#followed) this.perform(diskReads(state, state, rows))
  }

  keyPressed(): void {
    this.#keyAt = this.#clock.now()
  }

  forwardSignal(signal: NodeJS.Signals): boolean {
    const { opened, surface } = this.options
    const isTaken = opened.guest?.forwardSignal(signal) ?? false
    this.#isSignalled ||= isTaken
    if (isTaken && signal === "SIGTERM") {
      // What it printed last may never be read, because a parser hangs.
      void opened.guest?.terminate().then(code => this.#clock.after(LAST_OUTPUT_MS, () => surface.leave(code)))
    }
    return isTaken
  }

  fault(fault: unknown): string | null {
    const { recording, spool } = this.#parts
    const openLog = (): FrameLog | null => {
      if (recording === null) return spool
      const log = new RecordingLog(recording)
      log.indexUpTo(this.store.get().run.frames.lines)
      return log
    }
    return writeCrash(this.options.screen.stateDir, fault, this.#clock.now(), openLog)
  }

  close(): Promise<void> | null {
    if (this.#abort.signal.aborted) return null
    this.#ask({ type: "prompt/release" })
    this.#abort.abort()
    this.#unsubscribe()
    this.options.opened.close()
    this.#gapFiller?.stop()
    const sending = this.#traces?.close() ?? null
    closeParts(this.#parts)
    this.#clock.close()
    return sending
  }

  frames(received: readonly ReceivedFrame[]): Promise<void> | undefined {
    return attempt(() => this.#take(received))
  }

  #take(received: readonly ReceivedFrame[]): Promise<void> | undefined {
    const { spool, player, bookmarks } = this.#parts
    spool?.append(received.map(recordingLine))
    const frames = received.map(({ frame }) => frame)
    // Nobody has a keyboard where plain lines are printed.
    const hands = { now: this.#clock.now(), keyAt: this.#keyAt }
    this.store.dispatch({ type: "frames", frames, ...(this.options.surface.terminal !== null && { hands }) })
    player.framesAdded()
    if (this.store.get().view.conditions.pending.length > 0) this.#ask({ type: "conditions/tell" })
    if (isStepping(this.store.get())) this.#ask({ type: "debugger/step-on" })
    bookmarks.folded(received)
    this.#gapFiller?.folded()
    this.#traces?.folded()
    return this.options.surface.taken()
  }

  link(link: Link): void {
    attempt(() => this.#tell(link))
  }

  #tell(link: Link): void {
    const { surface } = this.options
    const { player, greetingEnd } = this.#parts
    this.store.dispatch({ type: "link", link, now: this.#clock.now() })
    player.framesAdded()
    if (link.state === "ended") {
      player.seekAwaited()
      this.#clock.after(INDEX_MS, () => player.keepIndex())
    }
    greetingEnd.link(link)
    this.#gapFiller?.link(link)
    if (this.#isSignalled && link.state === "exited") surface.leave(link.code)
    surface.agentGone(this.store.shown())
  }

  restart(): void {
    attempt(() => {
      this.store.dispatch({ type: "restart", now: this.#clock.now() })
      this.#parts.player.restart()
    })
  }

  #ask(intent: Intent): void {
    if (!this.#abort.signal.aborted) this.perform(this.store.ask(intent, { now: this.#clock.now(), page: 0, lines: 0 }))
  }

  /** Applies the options of the command line, before anything is shown. */
  #prepare(): void {
    const { opened, screen, record, goHome, isAttached = false } = this.options
    const { spool, recorder } = this.#parts
    spool?.onFailure(why => {
      this.store.dispatch({ type: "hold" })
      this.#context.notify(`Can't store the past of this run any longer: ${why}`)
    })
    if (record !== null) recorder?.toggle()
    const { choices, mistakes } = configuredKeys(screen.config)
    const unkept = keepRun(opened.from, screen, spool?.path ?? null, this.#clock.now())
    const isKept = opened.from.type === "run" && screen.keeps !== null && unkept.length === 0
    const setup = { readOnly: screen.readOnly, keys: choices, isKept, isFromHome: goHome !== undefined, isAttached }
    const conditions = screen.pauseAt === null ? {} : onlyBreakpoint(screen.pauseAt)
    this.store.dispatch({ type: "view", change: { setup, conditions } })
    this.#warnings.push(...screen.config.mistakes, ...mistakes, ...unkept)
    startReplay(this.store, opened.from, screen.pauseAt !== null)
  }

  /** Shows the run at once as an earlier opening of this recording read it. */
  #restore(): void {
    const found = this.options.opened.index?.found
    if (!found) return
    const { player, bookmarks, recording } = this.#parts
    this.store.dispatch({ type: "restored", run: found.present, marks: found.marks })
    player.framesAdded()
    if (recording !== null) bookmarks.folded(firstFrame(recording))
  }

  /** After each change, alerts the person to a new question, and reads what the screen needs from disk. */
  #follow(): void {
    const { screen, surface } = this.options
    this.#unsubscribe = this.store.subscribe(() => {
      const [before, after] = [this.#followed, this.store.shown()]
      this.#followed = after
      this.perform(notifyEffects(before, after, { ...screen, focused: surface.terminal?.focused() ?? true }))
      this.perform(diskReads(before, after, this.#rows))
    })
  }

  /** Its code is loaded only where it is needed. */
  async #startTraces(traces: TraceOptions): Promise<void> {
    const { TraceOutput } = await import("./trace-output.ts")
    if (!this.#abort.signal.aborted) this.#traces = new TraceOutput(this.#context, traces)
  }

  async #openDirectory(path: string): Promise<void> {
    const { spool, player, directory } = this.#parts
    const opened = await directory.open(path)
    if (opened === null || spool === null) return
    const { notify } = this.#context
    this.#gapFiller = new GapFiller(opened, { store: this.store, spool, player, notify }, this.#clock)
  }
}

/** Leaves an error to the process's own handler: the source goes on, and nothing is hidden. */
function attempt<T>(call: () => T): T | undefined {
  try {
    return call()
  } catch (error) {
    setImmediate(() => {
      throw error
    })
    return undefined
  }
}

/** The first line of a recording; none if it can't be read, which its source will report. */
function firstFrame(recording: string): readonly ReceivedFrame[] {
  try {
    using log = new RecordingLog(recording)
    log.indexUpTo(1)
    return log.lines(0, 1).map(line => ({ frame: decodeLine(line), text: typeof line === "string" ? line : line.head }))
  } catch {
    return []
  }
}
