// Connects to a live agent as a source: reconnects forever, and delivers frames in order and in batches.
import type { EncodedCommand } from "../../packages/wire/src/encode.ts"
import type { Link } from "../../packages/wire/src/link.ts"
import { type Clock, systemClock } from "./clock.ts"
import { Connection, type ConnectionTiming } from "./connection.ts"
import { Batch, costOf, decodeMessage, type ReceivedFrame } from "./message.ts"
import { ReorderBuffer } from "./reorder-buffer.ts"
import type { Sink, Source } from "./source.ts"
import { requireUsable } from "./url.ts"

const FIRST_BACKOFF_MS = 500
const MAX_BACKOFF_MS = 10_000

/** Ms to wait after failure number `failures` (from 1): up to 10 s, half of it random to spread the retries. */
export function backoffMs(failures: number, random: number): number {
  const ceiling = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** Math.max(0, failures - 1))
  return Math.round((ceiling / 2) * (1 + random))
}

export interface SocketTiming extends ConnectionTiming {
  readonly batchMs: number
  /** Ms after which an open connection counts as stable: its loss then begins a new count of failures. */
  readonly steadyMs: number
}

const defaultTiming: SocketTiming = {
  connectMs: 10_000,
  silenceMs: 20_000,
  pongMs: 10_000,
  deliveryMs: 4_000,
  batchMs: 1000 / 60,
  steadyMs: 5_000,
}

/** A frame, or what happened on the line after the frames before it. */
type Arrival = ReceivedFrame | (() => void)

/** With this many messages in a batch, the process sleeps `GATHER_MS` each turn: fewer wake-ups cost less. */
const FLOOD = 64
const GATHER_MS = 1

export interface SocketOptions {
  readonly url: string
  /** Sent as `Authorization: Bearer`, never in the URL. */
  readonly token?: string | undefined
  readonly clock?: Clock
  /** Returns numbers in [0, 1). */
  readonly random?: () => number
  readonly timing?: Partial<SocketTiming>
}

/** Connects to the agent at `url`. Throws a one-line Error for a bad URL or token; later failures are `lost` links. */
export function socketSource(options: SocketOptions): Source {
  requireUsable(options.url, options.token, { allowRemote: true })
  return new SocketSource(options)
}

class SocketSource implements Source {
  readonly #clock: Clock
  readonly #random: () => number
  readonly #timing: SocketTiming
  readonly #order = new ReorderBuffer<ReceivedFrame>()
  /** What came over the line. It is decoded a turn of the event loop at a time. */
  readonly #batch: Batch<Arrival>
  #sink: Sink | null = null
  #connection: Connection | null = null
  #failures = 0
  #openSince: number | null = null
  #lostSince: number | null = null
  #everOpen = false
  #cancelConnect: () => void = () => undefined
  #cancelHold: (() => void) | null = null
  #gathering = false
  #stopped = false

  constructor(private readonly options: SocketOptions) {
    this.#clock = options.clock ?? systemClock
    this.#random = options.random ?? Math.random
    this.#timing = { ...defaultTiming, ...options.timing }
    this.#batch = new Batch(
      this.#clock,
      this.#timing.batchMs,
      arrivals => this.#take(arrivals),
      arrival => (typeof arrival === "function" ? 1 : costOf(arrival)),
    )
  }

  start(sink: Sink): void {
    if (this.#sink !== null || this.#stopped) return
    this.#sink = sink
    this.#cancelConnect = this.#clock.after(0, () => {
      this.#connect()
      this.#reportLink({ state: "connecting", url: this.options.url, attempt: 1 })
    })
  }

  send({ text }: EncodedCommand): boolean {
    return this.#connection?.send(text) ?? false
  }

  stop(): void {
    this.#stopped = true
    this.#cancelConnect()
    this.#cancelHold?.()
    this.#batch.stop()
    this.#connection?.close()
    this.#connection = null
  }

  #connect(): void {
    this.#connection = new Connection(this.options.url, this.options.token, this.#clock, this.#timing, {
      opened: () => this.#onOpened(),
      message: text => {
        this.#batch.add(decodeMessage(text))
        if (this.#batch.size >= FLOOD) this.#gather()
      },
      ended: why => this.#onEnded(why),
    })
  }

  #onOpened(): void {
    this.#openSince = this.#clock.elapsed()
    this.#lostSince = null
    this.#everOpen = true
    this.#reportLink({ state: "open", url: this.options.url, since: this.#clock.now() })
  }

  /** Sleeps once after everything else in this turn of the event loop, so that messages accumulate. */
  #gather(): void {
    if (this.#gathering) return
    this.#gathering = true
    this.#clock.after(0, () => {
      this.#gathering = false
      if (!this.#stopped) this.#clock.sleep(GATHER_MS)
    })
  }

  #take(arrivals: readonly Arrival[]): void {
    const now = this.#clock.elapsed()
    let frames: ReceivedFrame[] = []
    for (const arrival of arrivals) {
      if (typeof arrival !== "function") {
        this.#order.push(arrival, now, frames)
        continue
      }
      this.#deliver(frames)
      frames = []
      arrival()
    }
    this.#deliver(frames)
    this.#awaitHold()
  }

  /** Sets a timer for the frame that has been held longest, if there is none. */
  #awaitHold(): void {
    const { dueAt } = this.#order
    if (dueAt === null || this.#cancelHold !== null || this.#stopped) return
    this.#cancelHold = this.#clock.after(dueAt - this.#clock.elapsed(), () => {
      const now = this.#clock.elapsed()
      // Messages that still wait in the batch came in time, and may fill the gap.
      this.#add(() => {
        this.#cancelHold = null
        this.#deliver(this.#order.takeDue(now))
      })
    })
  }

  /** Lets something happen after all that came before it. */
  #add(what: () => void): void {
    this.#batch.add([what])
    this.#batch.flush()
  }

  #deliver(frames: readonly ReceivedFrame[]): void {
    if (!this.#stopped && frames.length > 0) this.#sink?.frames(frames)
  }

  #onEnded(why: string): void {
    this.#connection = null
    this.#add(() => this.#lost(why))
  }

  /** Delivers held frames, then reports the loss. Schedules the next attempt first, so that `stop` can cancel it. */
  #lost(why: string): void {
    this.#cancelHold?.()
    this.#cancelHold = null
    this.#deliver(this.#order.reset())
    if (this.#stopped) return
    const openMs = this.#openSince === null ? 0 : this.#clock.elapsed() - this.#openSince
    this.#openSince = null
    this.#failures = openMs >= this.#timing.steadyMs ? 1 : this.#failures + 1
    const wait = backoffMs(this.#failures, this.#random())
    const now = this.#clock.now()
    this.#lostSince ??= now
    this.#cancelConnect = this.#clock.after(wait, () => this.#connect())
    this.#reportLink({
      state: "lost",
      url: this.options.url,
      since: this.#lostSince,
      retryAt: now + wait,
      why,
      everOpen: this.#everOpen,
    })
  }

  #reportLink(link: Link): void {
    if (!this.#stopped) this.#sink?.link(link)
  }
}
