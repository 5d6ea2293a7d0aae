// Performs a script on the wire: waits out the gaps, sends what the player says, and gives it what the UIs say.

import { CaptureWriter } from "../agent/capture-writer.ts"
import { decodeCommand } from "../agent/decode-command.ts"
import { Greeting, type Outgoing } from "../agent/greeting.ts"
import { Hub } from "../agent/hub.ts"
import { TranscriptWriter } from "../agent/transcript-writer.ts"
import type { ChartDefinition } from "../protocol/chart-definition.ts"
import { type Clock, systemClock } from "../transport/clock.ts"
import { answerApi } from "./eql-api.ts"
import { type Act, type Fault, Faults } from "./faults.ts"
import { outgoing, readScript, type Script } from "./read-script.ts"
import { advance, next, open, playScript, receive, type ScriptChange, type ScriptPlayer } from "./script.ts"

export interface PlayOptions {
  /** Divides the recorded gaps; 1 by default, 0 for as fast as possible. */
  readonly speed?: number
  /** Waits at each prompt also when nobody is attached; else the recording's own answer is taken after `unattendedMs`. */
  readonly hold?: boolean
  /** Ms without anybody attached after which a prompt is passed; 3000 by default. */
  readonly unattendedMs?: number
  readonly faults?: readonly Fault[]
  /** Ms for which nobody is let in after a cut; 250 by default. */
  readonly refuseMs?: number
  /** Whether a debugger is attached, and holds the run at its start; by default whether the recording had one. */
  readonly debug?: boolean | "paused"
  /** Why a re-run cannot start; by default it can. */
  readonly branchError?: string
  /** Whose `ts` the frames carry: of the moment they are sent, as the real hub's do, or the recorded one. */
  readonly stamps?: "now" | "recorded"
  /** Starts to play when the first client attaches; true by default. */
  readonly waitForClient?: boolean
  /** Whether the WebSocket is served from the start, beside the API; true by default. Without it nobody is waited for. */
  readonly socket?: boolean
  /** What the API tells of the chart; by default nothing. */
  readonly chart?: ChartDefinition
  /** Where the run is kept on disk, as the real agent keeps it; by default nowhere. */
  readonly sessionDir?: string
  /** Characters to which rows cut what is captured as a whole, 80 in the real agent; by default they tell all of it. */
  readonly snippets?: number
  readonly clock?: Clock
}

/** Lines sent in one go before the event loop gets its turn. */
const BURST = 64
/** Ms by which lines may be late before their lateness is forgiven: a process that slept does not race. */
const LAG_MS = 250

export class ScriptPerformance {
  readonly #options: PlayOptions
  readonly #clock: Clock
  readonly #speed: number
  readonly #memory = new Greeting()
  readonly #transcript: TranscriptWriter | null
  readonly #captures: CaptureWriter | null
  readonly #faults: Faults
  readonly #heard: (text: string) => unknown
  #hub: Hub | null = null
  #player: ScriptPlayer
  /** When the last line was due, in ms of `elapsed`; null at the start and after a rest. */
  #since: number | null = null
  #started: boolean
  #stopped = false
  #cancel: () => void = () => undefined
  readonly #finish = Promise.withResolvers<void>()
  readonly #quit = Promise.withResolvers<void>()

  /** `heard` is told each inbound frame before it has any effect, and gives it back parsed. */
  constructor(script: Script, options: PlayOptions, heard: (text: string) => unknown) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#speed = options.speed === 0 ? Number.POSITIVE_INFINITY : (options.speed ?? 1)
    this.#faults = new Faults(options.faults ?? [])
    this.#heard = heard
    const { sessionDir, snippets = null } = options
    this.#transcript = sessionDir === undefined ? null : new TranscriptWriter(sessionDir)
    this.#captures = sessionDir === undefined ? null : new CaptureWriter(sessionDir, snippets)
    this.#started = options.waitForClient === false || options.socket === false
    const debug = options.debug ?? script.debugged
    const { player, out } = open(
      script,
      debug === "paused" ? "paused" : debug ? "running" : "none",
      options.branchError,
    )
    this.#player = player
    for (const frame of out) this.#send(frame)
  }

  /** Resolves when the script has been played to its end. */
  get finished(): Promise<void> {
    return this.#finish.promise
  }

  /** Resolves when a UI has quit the run and heard so. */
  get quit(): Promise<void> {
    return this.#quit.promise
  }

  /** Opens the server and, where nobody is waited for, begins. Rejects where the port is taken. */
  async listen(port: number): Promise<Hub> {
    this.#hub = await Hub.listen(port, this.#clock, {
      greeting: () => this.#memory.greeting(),
      changed: () => this.#changed(),
      heard: text => this.#hear(text),
      asked: body =>
        answerApi(body, {
          player: () => this.#player,
          chart: this.#options.chart ?? null,
          hear: frame => this.#hear(JSON.stringify(frame)),
        }),
    })
    this.serveSocket(this.#options.socket ?? true)
    this.#pump()
    return this.#hub
  }

  /** Plays a line that the script does not have; what is no line of a script is sent as it stands. */
  emit(line: string): void {
    const { cues } = readScript([line], this.#player.open)
    if (cues.length === 0) this.#send(outgoing(line) ?? line)
    for (const cue of cues) this.#become(playScript(this.#player, cue))
    this.#pump()
  }

  cut(): void {
    this.#hub?.cut(this.#options.refuseMs ?? 250)
  }

  /** Whether the WebSocket is served; the API is in any case. */
  serveSocket(serves: boolean): void {
    this.#hub?.serveSocket(serves)
  }

  /** Closes everything; `politely` lets the clients hear what was sent. */
  async stop(politely = false): Promise<void> {
    this.#stopped = true
    this.#cancel()
    await this.#hub?.close(politely)
    this.#transcript?.close()
  }

  #changed(): void {
    if (this.#stopped) return
    this.#started = true
    this.#pump()
  }

  #hear(text: string): void {
    if (this.#stopped) return
    const command = decodeCommand(this.#heard(text))
    if (command === null) return
    if (command.type === "answer" || command.type === "cancel") this.#memory.answered()
    this.#become(receive(this.#player, command))
    if (this.#player.state === "quit") this.#leave()
    else this.#pump()
  }

  /** Plays all that is due, and sets the alarm for what comes next. */
  #pump(): void {
    this.#cancel()
    if (!this.#started || this.#stopped) return
    for (let sent = 0; ; sent += 1) {
      const coming = next(this.#player)
      if (coming.type !== "cue") {
        this.#rest(coming.type)
        return
      }
      const now = this.#clock.elapsed()
      const due = this.#since === null ? now : this.#since + coming.gap / this.#speed
      if (due > now || sent === BURST) {
        this.#cancel = this.#clock.after(due - now, () => this.#pump())
        return
      }
      this.#since = Math.max(due, now - LAG_MS)
      this.#become(advance(this.#player))
    }
  }

  /** Nothing moves by itself until a command comes, or a prompt has stood for long with nobody there. */
  #rest(at: "answer" | "gate" | "over"): void {
    this.#since = null
    this.#act(at === "over" ? this.#faults.end() : this.#faults.rest())
    if (at === "over") this.#finish.resolve()
    if (at !== "answer" || this.#options.hold === true || (this.#hub?.size ?? 0) > 0) return
    this.#cancel = this.#clock.after(this.#options.unattendedMs ?? 3000, () => this.#answerOurselves())
  }

  #answerOurselves(): void {
    const own = this.#player.open.find(ask => ask.own !== null)?.own
    if (own == null) return
    this.#memory.answered()
    this.#become(receive(this.#player, own))
    this.#pump()
  }

  #leave(): void {
    this.#act(this.#faults.end())
    void this.stop(true).then(() => this.#quit.resolve())
  }

  #become(change: ScriptChange): void {
    this.#player = change.player
    for (const out of change.out) this.#send(out)
  }

  #send(out: Outgoing): void {
    const now = this.#clock.now()
    const restamp = this.#options.stamps !== "recorded"
    let told = out
    if (typeof out !== "string" && out.kind === "event") {
      const event = this.#captures?.take(out) ?? out
      this.#transcript?.add(event, restamp || typeof out.ts !== "number" ? now - 1 : out.ts - 1)
      told = event
    }
    this.#act(this.#faults.pass(this.#memory.seal(told, now, restamp)))
  }

  #act(acts: readonly Act[]): void {
    for (const act of acts) {
      if (act.type === "send") this.#hub?.broadcast(act.line)
      else if (act.type === "repeat") for (const line of this.#memory.ring()) this.#hub?.broadcast(line)
      else if (act.type === "silence") this.#hub?.silence()
      else if (act.type === "api") this.serveSocket(false)
      else this.cut()
    }
  }
}
