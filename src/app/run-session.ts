// One run: its frames, its state, its files and its timers, from opening to closing.
import { join } from "node:path"
import { zone } from "../cli/zone.ts"
import { plan } from "../panels/plan.ts"
import { notifyEffects } from "../panels/prompt/notify.ts"
import { wantArtifacts, wantCaptures, wantLog } from "../panels/wants.ts"
import type { Link } from "../protocol/link.ts"
import { added, noBreakpoints } from "../query/breakpoints.ts"
import { TEXT_BUDGET } from "../run/memory/pack-entries.ts"
import { ROW_WINDOW } from "../run/memory/pack-rows.ts"
import type { ShownRun } from "../screen/surface.ts"
import { Spool } from "../timeline/spool.ts"
import { guarded } from "../transport/guard.ts"
import { type ReceivedFrame, recordingLine } from "../transport/message.ts"
import type { Sink } from "../transport/source.ts"
import { urlWarning } from "../transport/url.ts"
import type { Title } from "../ui/title.ts"
import type { Effect } from "../view/effect.ts"
import type { Intent } from "../view/intent.ts"
import { wantTexts, withRecalledTexts } from "../view/recalled-texts.ts"
import type { State } from "../view/state.ts"
import { createStore, type Store } from "../view/store.ts"
import { atPresent } from "../view/time.ts"
import { writeCrash } from "./crash.ts"
import { GapFiller, gapFillerHost } from "./gap-filler.ts"
import { type EffectHandlers, perform } from "./handlers/effect-handlers.ts"
import { startPlaying } from "./open-player.ts"
import { firstLink } from "./open-source.ts"
import { reopenReport } from "./reopen.ts"
import { RunClock } from "./run-clock.ts"
import type { RunContext, SessionOptions } from "./run-context.ts"
import { runHandlers } from "./run-handlers.ts"
import { closeParts, openParts, type RunParts } from "./run-parts.ts"

/** Once a run is closed, nothing of it is left: no temporary file, no timer, no listener, no connection. */
export class RunSession implements ShownRun, Sink {
  readonly store: Store
  readonly title: Title
  readonly #options: SessionOptions
  readonly #abort = new AbortController()
  readonly #clock = new RunClock()
  readonly #context: RunContext
  readonly #parts: RunParts
  readonly #handlers: EffectHandlers
  #gapFiller: GapFiller | null = null
  #unsubscribe: () => void = () => undefined
  /** A guest was handed a signal that asks to stop: then we end when it does. */
  #isSignalled = false

  constructor(options: SessionOptions) {
    const { screen, opened } = options
    const { from } = opened
    this.#options = options
    this.title = { chart: screen.chart, session: screen.session }
    const spool = from.type === "replay" ? null : new Spool(join(screen.stateDir, "spool"))
    this.store = createStore({
      link: firstLink(from),
      plan,
      given: { strategy: screen.segments, rowWindow: ROW_WINDOW, textBudget: TEXT_BUDGET },
      keep: frames => spool?.append(frames.map(({ text }) => text)),
      zone: zone(),
    })
    this.#context = {
      store: this.store,
      clock: this.#clock,
      signal: this.#abort.signal,
      ask: intent => this.#ask(intent),
      tell: (text, level) => this.#ask({ type: "notice/show", text, ...(level && { level }) }),
    }
    this.#parts = openParts(this.#context, options, spool)
    this.#handlers = runHandlers(this.#context, options, this.#parts)
    this.#prepare()
  }

  /** Receives frames from now on. */
  async start(): Promise<void> {
    const { opened, sessionDir } = this.#options
    const { from, source } = opened
    this.#follow()
    if (sessionDir !== null) await this.#openDirectory(sessionDir)
    if (this.#abort.signal.aborted) return
    const unsafe = from.type === "live" ? urlWarning(from.url) : null
    if (unsafe !== null) this.#context.tell(unsafe)
    source.start(guarded(this))
  }

  perform(effects: readonly Effect[]): void {
    if (!this.#abort.signal.aborted) perform(this.#handlers, effects)
  }

  forwardSignal(signal: NodeJS.Signals): boolean {
    const isTaken = this.#options.opened.guest?.forwardSignal(signal) ?? false
    this.#isSignalled ||= isTaken
    return isTaken
  }

  fault(fault: unknown): string | null {
    return writeCrash(this.#options.screen.stateDir, fault, this.#clock.now(), this.#parts.spool)
  }

  close(): void {
    if (this.#abort.signal.aborted) return
    this.#abort.abort()
    this.#unsubscribe()
    this.#options.opened.close()
    this.#gapFiller?.stop()
    closeParts(this.#parts)
    this.#clock.close()
  }

  frames(received: readonly ReceivedFrame[]): void {
    const { spool, player, bookmarks, resender } = this.#parts
    spool?.append(received.map(recordingLine))
    const frames = received.map(({ frame }) => frame)
    this.store.dispatch({ type: "frames", frames })
    player.framesAdded()
    if (this.store.get().view.breakpoints.pending.length > 0) this.#ask({ type: "breakpoints/hits" })
    bookmarks.folded(received)
    resender.frames(frames)
    this.#gapFiller?.folded()
  }

  link(link: Link): void {
    const { surface } = this.#options
    const { player, resender } = this.#parts
    this.store.dispatch({ type: "link", link, now: this.#clock.now() })
    player.framesAdded()
    if (link.state === "ended") player.sourceEnded()
    resender.link(link)
    this.#gapFiller?.link(link)
    if (this.#isSignalled && link.state === "exited") surface.leave(link.code)
    surface.agentGone(atPresent(this.store.get()))
  }

  restart(): void {
    this.store.dispatch({ type: "restart", now: this.#clock.now() })
    this.#parts.player.restart()
  }

  #ask(intent: Intent): void {
    if (this.#abort.signal.aborted) return
    this.perform(this.store.ask(intent, { now: this.#clock.now(), page: 0, lines: 0 }))
  }

  /** Brings the state to what was asked for on the command line, before any of it is shown. */
  #prepare(): void {
    const { opened, screen, record } = this.#options
    const { from } = opened
    const { spool, recorder } = this.#parts
    spool?.onFailure(why => {
      this.store.dispatch({ type: "hold" })
      this.#context.tell(`The past of this run is not kept from here on: ${why}`)
    })
    if (record !== null) recorder?.toggle()
    if (screen.pauseAt !== null) {
      this.store.dispatch({ type: "view", change: { breakpoints: added(noBreakpoints, screen.pauseAt) } })
    }
    startPlaying(this.store, from, screen.pauseAt !== null)
    if (from.type === "replay" && from.left !== null) reopenReport(this.store, from.left)
  }

  /** After each change, performs what it asks for: calling a person, and reading what is shown and not in memory. */
  #follow(): void {
    let before = this.store.get()
    this.#unsubscribe = this.store.subscribe(() => {
      const [was, now] = [before, this.store.get()]
      before = now
      this.#changed(was, now)
    })
  }

  #changed(before: State, after: State): void {
    const { screen, surface } = this.#options
    const calling = { ...screen, focused: surface.focused() }
    this.perform(notifyEffects(atPresent(before), atPresent(after), calling))
    this.perform([...wantTexts(before, after), ...wantLog(before, after), ...wantArtifacts(before, after)])
    this.perform(wantCaptures(withRecalledTexts(before), withRecalledTexts(after)))
  }

  async #openDirectory(path: string): Promise<void> {
    const { spool, player, directory } = this.#parts
    const opened = await directory.open(path)
    if (opened === null || spool === null) return
    this.#gapFiller = new GapFiller(opened, gapFillerHost(this.store, spool, player, this.#context.tell), this.#clock)
  }
}
