// Shows home: the runs below a directory. Opens one at a time, and shows home again when a person leaves it.
import { resolve } from "node:path"
import { errorLine } from "../cli/command-arguments.ts"
import { zone } from "../cli/option-value.ts"
import type { DemoOptions, HomeOptions, WatchOptions } from "../cli/options.ts"
import { clisWith } from "../guest/cli-names.ts"
import { HookDesk } from "../hook/hook-desk.ts"
import { features } from "../panels/plan.ts"
import { tailFacts } from "../run/select/tail-facts.ts"
import type { ShownRun, Surface } from "../screen/surface.ts"
import { shownPath } from "../stores/stored-session.ts"
import { answers } from "../transport/look.ts"
import type { Title } from "../ui/line.ts"
import { type HomeAgent, KEPT, type RunTarget } from "../view/home.ts"
import { createStore, type Store } from "../view/store.ts"
import { configuredKeys } from "./configured-keys.ts"
import { writeCrash } from "./crash.ts"
import { connected, fromHomeDirectory, playedDemo, tellAsked } from "./handlers/home-handlers.ts"
import { goToTerminal } from "./handlers/session-terminal.ts"
import { terminalHandlers } from "./handlers/terminal-handlers.ts"
import { ToldSessions } from "./handlers/told-sessions.ts"
import { forgetRun, keptRuns } from "./kept-runs.ts"
import { openSource } from "./open-source.ts"
import { RunClock, tickAtEnds } from "./run-clock.ts"
import type { EffectHandlers } from "./run-context.ts"
import { performer } from "./run-handlers.ts"
import { RunList } from "./run-list.ts"
import { RunSession } from "./run-session.ts"

/** Time between two looks for an agent, ms. */
const LOOK_MS = 2000
/** An agent that answers shows its run within this time; else home shows meanwhile, ms. */
const FIRST_MS = 300
/** How long home listens to an agent that it left, to fill its row, and how long it then leaves it alone, ms. */
const LISTEN_MS = 300
const HEARD_MS = 30_000

/** A surface that shows nothing: the frames of such an agent only fill its row. */
const unseen: Surface = { terminal: null, show() {}, taken: () => undefined, leave() {}, agentGone() {} }

interface OpenedRun {
  readonly session: RunSession
  readonly url: string | null
  readonly path: string | null
  readonly close: RunSession["close"]
}

/** Home, as a surface shows it. While a run is open nothing is read or looked for. */
export class HomeSession implements ShownRun {
  readonly store: Store
  readonly title: Title = { chart: null, session: null }
  readonly #clock = new RunClock()
  /** Resolves when the last spans of the runs that were left are sent; null if there are none. */
  #sending: Promise<void> | null = null
  readonly perform: ShownRun["perform"]
  #list: RunList | null = null
  readonly #told = new ToldSessions()
  /** Receives the questions of agent CLIs' hooks; null without a socket. */
  #desk: HookDesk | null = null
  #run: OpenedRun | null = null
  #isShown = false
  #isOpening = false
  #isClosed = false
  #cancelLook: () => void = () => undefined
  /** Attaches to the agent as soon as it answers. An agent that was left must have been away first. */
  #attaches: boolean
  /** When the agent was heard last, epoch ms. */
  #heardAt = Number.NEGATIVE_INFINITY

  constructor(
    private readonly options: HomeOptions,
    private readonly surface: Surface,
  ) {
    const { root, url, attaches } = options
    this.#attaches = attaches
    this.store = createStore({
      link: { state: "closed" },
      ...features,
      given: { prices: options.screen.prices },
      zone: zone(),
    })
    const agent = { url, answers: false, facts: null }
    const clis = clisWith(program => Bun.which(program) !== null)
    const home = { root: shownPath(resolve(root)), runs: null, closed: [], facts: new Map(), agent, clis }
    this.store.dispatch({ type: "home", home })
    const { choices } = configuredKeys(options.screen.config)
    this.store.dispatch({ type: "view", change: { focus: "home", setup: { keys: choices } } })
    tickAtEnds(this.store, this.#clock)
    const handlers: Partial<EffectHandlers> = {
      ...terminalHandlers(text => this.#notify(text), surface),
      "program/exit": ({ code }) => surface.leave(code),
      "run/open": ({ target }) => void this.#open(target),
      "run/forget": ({ name }) => this.#forget(name),
      "session/terminal": ({ path }) => void this.#goToTerminal(path),
      "sessions/list": ({ command }) => void this.#listSessions(command),
    }
    this.perform = performer(handlers, { other: () => this.#notify("Open a run first") })
  }

  /** Shows the run of an agent that answers, else home. */
  async start(): Promise<void> {
    const { lists, screen } = this.options
    if (lists && !screen.readOnly) this.#desk = await HookDesk.open(screen.stateDir)
    if (this.#desk !== null) tellAsked(this.#desk, this.#clock, () => this.#run)
    const cancel = this.#clock.after(FIRST_MS, () => this.#showHome())
    if (!this.#attaches) this.#showHome()
    await this.#look()
    cancel()
    if (this.#run === null) this.#showHome()
  }

  showRows(): void {}
  keyPressed(): void {}

  forwardSignal(): boolean {
    return false
  }

  fault(fault: unknown): string | null {
    // Home is nothing without its screen.
    this.#clock.after(0, () => this.surface.leave(1))
    return writeCrash(this.options.screen.stateDir, fault, this.#clock.now(), () => null)
  }

  close(): Promise<void> | null {
    this.#isClosed = true
    this.#list?.stop()
    this.#desk?.close()
    this.#clock.close()
    return this.#sending
  }

  #notify(text: string, level?: "info"): void {
    const shows = { type: "notice/show", text, ...(level && { level }) } as const
    this.perform(this.store.ask(shows, { now: this.#clock.now(), page: 0, lines: 0 }))
  }

  async #goToTerminal(path: string): Promise<void> {
    this.#notify(await goToTerminal(path, this.options.env, text => this.surface.terminal?.copy(text) ?? false))
  }

  /** Lists the sessions of an agent, and puts the cursor on the first. */
  #listSessions(typed: string): Promise<void> {
    return this.#alone(async () => {
      this.#notify(`Asking ${typed} for its sessions…`, "info")
      const command = await this.#told.ask(typed, this.options.screen.prices)
      this.#list?.show()
      const { home, view } = this.store.get()
      const selected = home?.runs?.find(({ talk }) => talk?.command === command)?.name ?? null
      this.store.dispatch({ type: "view", change: { typing: null, home: { ...view.home, selected } } })
      this.#notify("Enter goes on with one of its sessions", "info")
    })
  }

  #forget(name: string): void {
    this.#notify(forgetRun(keptRuns(this.options.screen.stateDir), name.slice(KEPT.length)) ?? "Removed")
  }

  /** Shows why nothing opened: below the typed line if there is one, else as a notice. */
  #refuse(message: string): void {
    const { typing } = this.store.get().view
    if (typing === null) {
      this.#notify(message)
      return
    }
    const error = { at: 0, length: typing.text.length, message }
    this.store.dispatch({ type: "view", change: { typing: { ...typing, error } } })
  }

  #showHome(): void {
    if (this.#isShown || this.#isClosed) return
    this.#isShown = true
    const { root, screen, lists, env } = this.options
    const asked = (): void => void (screen.bell && this.surface.terminal?.bell())
    const places = { root, kept: keptRuns(screen.stateDir), env: lists ? env : null, told: this.#told }
    this.#list = new RunList(places, this.store, this.#clock, asked)
    this.surface.show(this)
  }

  #showRun(run: OpenedRun): void {
    this.#run = run
    this.#isShown = false
    this.#list?.stop()
    this.surface.show(run.session)
  }

  #goHome(): void {
    const run = this.#run
    if (run === null) return
    const { link, run: left, view } = run.session.store.get()
    // A second q was meant for the run that the first has left.
    this.store.dispatch({ type: "view", change: { backKey: view.backKey } })
    this.#run = null
    const sending = run.close()
    if (sending !== null) this.#sending = Promise.all([this.#sending, sending]).then(() => undefined)
    if (run.url === this.options.url) {
      this.#attaches = false
      this.#heardAt = this.#clock.now()
      this.#setAgent({ answers: link.state === "open", facts: tailFacts(left, null) })
    }
    this.#showHome()
    void this.#look()
  }

  #open(target: RunTarget): Promise<void> {
    return this.#alone(async () => {
      const run = await this.#opened(this.options.open(fromHomeDirectory(target)))
      this.store.dispatch({ type: "view", change: { typing: null } })
      this.#showRun(run)
      await run.session.start()
    })
  }

  /** Does it unless something is being opened, and says why it failed. */
  async #alone(work: () => Promise<void>): Promise<void> {
    if (this.#isOpening || this.#run !== null) return
    this.#isOpening = true
    try {
      await work()
    } catch (error) {
      this.#refuse(errorLine(error))
    } finally {
      this.#isOpening = false
    }
  }

  /** A run that is not shown yet. `surface`: where it will be shown. */
  async #opened(options: WatchOptions | DemoOptions, surface: Surface = this.surface): Promise<OpenedRun> {
    const { command, screen, record } = options
    const { source, sessionDir, end } = command === "demo" ? await playedDemo() : { ...options, end: () => undefined }
    const opened = await openSource(source, screen, undefined, this.#desk)
    const [url, path] = [source.type === "live" ? source.url : null, source.type === "replay" ? source.path : null]
    const how = { isAttached: command === "watch" && url !== null, goHome: () => this.#goHome() }
    const session = new RunSession({ opened, screen, sessionDir, record, surface, ...how })
    const close = (): Promise<void> | null => {
      void end()
      return session.close()
    }
    return { session, url, path, close }
  }

  /** Looks whether an agent answers, and goes on looking while home shows. */
  async #look(): Promise<void> {
    this.#cancelLook()
    const isThere = await answers(this.options.url)
    if (this.#isClosed || this.#run !== null) return
    if (!isThere) {
      this.#attaches = true
      this.#heardAt = Number.NEGATIVE_INFINITY
      this.#setAgent({ answers: false, facts: null })
    } else if (!this.#isOpening) {
      await this.#attach()
    }
    this.#cancelLook()
    this.#cancelLook = this.#clock.after(LOOK_MS, () => void this.#look(), false)
  }

  /** Attaches to the agent that answers, or listens for a moment, to fill its row. */
  async #attach(): Promise<void> {
    const shows = this.#attaches && this.store.get().view.typing === null
    if (!shows && this.#clock.now() - this.#heardAt < HEARD_MS) return
    this.#attaches = false
    this.#heardAt = this.#clock.now()
    const options = this.options.open({ type: "agent", url: this.options.url, directory: null })
    const listening = { ...options, record: null, screen: { ...options.screen, traces: null } }
    const run = await (shows ? this.#opened(options) : this.#opened(listening, unseen))
    await run.session.start()
    const link = await connected(run.session.store)
    if (this.#isClosed || this.#run !== null || link.state === "lost") {
      if (link.state === "lost") this.#setAgent({ answers: false, refusal: link.why, facts: null })
      run.close()
      return
    }
    if (shows) {
      this.#showRun(run)
      return
    }
    await new Promise<void>(heard => void this.#clock.after(LISTEN_MS, heard, false))
    const facts = tailFacts(run.session.store.get().run, null)
    // A slow agent has said nothing yet.
    if (facts.lastTs === null) this.#heardAt = Number.NEGATIVE_INFINITY
    this.#setAgent({ answers: true, facts })
    run.close()
  }

  #setAgent({ answers, facts, refusal = null }: Omit<HomeAgent, "url">): void {
    const { home } = this.store.get()
    const known = home?.agent
    if (home === null || known === undefined) return
    if (known.answers === answers && known.facts === facts && (known.refusal ?? null) === refusal) return
    this.store.dispatch({ type: "home", home: { ...home, agent: { ...known, answers, facts, refusal } } })
  }
}
