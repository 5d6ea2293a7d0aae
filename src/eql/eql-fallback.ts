// Lets the agent's API stand in for a socket that cannot be had, and for a debugger that the socket does not tell of.
import { decode } from "../protocol/decode.ts"
import type { Link } from "../protocol/link.ts"
import { type Clock, systemClock } from "../transport/clock.ts"
import { guarded, type OnFault, rethrow } from "../transport/guard.ts"
import type { ReceivedFrame } from "../transport/message.ts"
import type { Sink, Source } from "../transport/source.ts"
import type { DebuggerState } from "./decode-answers.ts"
import type { Eql } from "./eql.ts"
import { type EqlCall, eqlCallOf } from "./eql-call.ts"

export interface FallbackOptions {
  /** Ms between two reads of the debugger, and for which an open socket may take to tell of one; 1,000 by default. */
  readonly pollMs?: number
  readonly clock?: Clock
  /** Told what the sink throws; by default it goes to the process's own handler. */
  readonly onFault?: OnFault
}

/**
 * The same source, with the API at its side (docs/contract.md section 7). While the socket is down and the API answers, a
 * `lost` link says `api`, answers and the debugger's ops go that way, and the debugger comes as `debug` frames whenever
 * it changed. So it comes, and so its ops go, where an open socket told of no debugger and the API has one. Each failed
 * attempt to connect asks the API anew. Stopping it stops the source and closes `eql`.
 */
export function withFallback(source: Source, eql: Eql, options: FallbackOptions = {}): Source {
  return new FallbackSource(source, eql, options)
}

class FallbackSource implements Source {
  readonly #source: Source
  readonly #eql: Eql
  readonly #clock: Clock
  readonly #pollMs: number
  readonly #onFault: OnFault
  #sink: Sink | null = null
  #link: Link | null = null
  /** What the API stands in for. */
  #role: "nothing" | "line" | "debugger" = "nothing"
  /** What was told of the debugger last; null where the next read is to be told whatever it is. */
  #told: string | null = null
  /** Counts the times that everything began anew: what belongs to an earlier one is dropped. */
  #era = 0
  /** Counts the reads: only the answer to the latest counts. */
  #reads = 0
  /** Takes the coming read back; null where none is set or under way. */
  #cancel: (() => void) | null = null
  #stopped = false

  constructor(source: Source, eql: Eql, options: FallbackOptions) {
    this.#source = source
    this.#eql = eql
    this.#clock = options.clock ?? systemClock
    this.#pollMs = options.pollMs ?? 1000
    this.#onFault = options.onFault ?? rethrow
  }

  start(sink: Sink): void {
    if (this.#sink !== null || this.#stopped) return
    this.#sink = guarded(sink, this.#onFault)
    this.#source.start({
      frames: batch => this.#frames(batch),
      link: link => this.#changed(link),
      restart: () => this.#sink?.restart(),
    })
  }

  send(line: string): boolean {
    const call = this.#role === "nothing" ? null : eqlCallOf(line)
    if (this.#role === "debugger" && call?.type === "op") return this.#take(call)
    if (this.#source.send(line)) return true
    return this.#role === "line" && call !== null && this.#take(call)
  }

  stop(): void {
    this.#stopped = true
    this.#retire()
    this.#source.stop()
    this.#eql.close()
  }

  /** A socket that tells of a debugger needs no one in its place. */
  #frames(batch: readonly ReceivedFrame[]): void {
    if (this.#link?.state === "open" && batch.some(({ frame }) => frame.kind === "debug")) this.#retire()
    this.#sink?.frames(batch)
  }

  /** The next read is set before anybody is told, so `stop` ends it. */
  #changed(link: Link): void {
    if (link.state !== "lost" || this.#link?.state !== "lost") this.#retire()
    this.#link = link
    if (link.state === "lost" && this.#cancel === null) this.#read()
    if (link.state === "open") this.#readLater()
    this.#tellLink()
  }

  #retire(): void {
    this.#era += 1
    this.#role = "nothing"
    this.#told = null
    this.#rest()
  }

  #rest(): void {
    this.#reads += 1
    this.#cancel?.()
    this.#cancel = null
  }

  #readLater(): void {
    this.#rest()
    this.#cancel = this.#clock.after(this.#pollMs, () => this.#read(), false)
  }

  #read(): void {
    this.#rest()
    const read = this.#reads
    this.#cancel = () => undefined
    void this.#eql.readDebugger().then(
      state => read === this.#reads && this.#heard(state),
      () => read === this.#reads && this.#silence(),
    )
  }

  #heard(state: DebuggerState | null): void {
    this.#rest()
    if (state !== null) this.#readLater()
    if (this.#link?.state === "lost" && this.#role !== "line") {
      this.#role = "line"
      this.#tellLink()
    }
    if (this.#link?.state === "open" && state !== null) this.#role = "debugger"
    if (state !== null) this.#tell(state)
  }

  /** A debugger that was there is asked for again; a line is given up until the next attempt to connect. */
  #silence(): void {
    this.#rest()
    if (this.#role === "debugger") this.#readLater()
    if (this.#role !== "line") return
    this.#retire()
    this.#tellLink()
  }

  #tellLink(): void {
    const link = this.#link
    if (link === null || this.#stopped) return
    this.#sink?.link(link.state === "lost" && this.#role === "line" ? { ...link, api: true } : link)
  }

  #tell({ paused, stepBudget, liveConfiguration, pendingEvents }: DebuggerState): void {
    const pending = pendingEvents.map(({ external, deliveryTime, ...event }) => {
      return { ...event, "external?": external, "delivery-time": deliveryTime }
    })
    const line = JSON.stringify({
      kind: "debug",
      paused,
      "step-budget": stepBudget,
      config: liveConfiguration,
      ...(pending.length === 0 ? {} : { "pending-events": pending }),
    })
    if (line === this.#told || this.#stopped) return
    this.#told = line
    this.#sink?.frames([{ frame: decode(line), text: line }])
  }

  #take(call: EqlCall): true {
    void this.#perform(call)
    return true
  }

  /** An op that was done is told, also where it changed nothing: so a person knows of it (docs/decisions.md 3.4). */
  async #perform(call: EqlCall): Promise<void> {
    const era = this.#era
    const done = await this.#ask(call)
    if (era !== this.#era) return
    if (done) this.#told = null
    this.#read()
  }

  /** False where it had no effect on a debugger. Whether the API is still there is what the next read says. */
  async #ask(call: EqlCall): Promise<boolean> {
    try {
      if (call.type === "op") return (await this.#eql.mutate(call.op)) !== null
      await this.#eql.answer(call.promptId, call.outcome)
    } catch {
      // An op without effect is told by its time-out, and an answer is sent again until it is seen (docs/decisions.md section 3).
    }
    return false
  }
}
