// Is the live agent as a source: connects, comes back for ever, and hands over frames in order and in batches.
import type { Link } from "../protocol/link.ts"
import { backoffMs } from "./backoff.ts"
import { Batch } from "./batch.ts"
import { type Clock, systemClock } from "./clock.ts"
import { Connection, type ConnectionTiming } from "./connection.ts"
import { guarded, type OnFault, rethrow } from "./guard.ts"
import { decodeMessage, type ReceivedFrame } from "./message.ts"
import { ReorderBuffer } from "./order.ts"
import type { Sink, Source } from "./source.ts"
import { checkUrl, isToken } from "./url.ts"

export interface SocketTiming extends ConnectionTiming {
  /** Ms between two batches. */
  readonly batchMs: number
  /** Ms for which a line must have stood, so that its loss begins a new count of failures. */
  readonly steadyMs: number
}

const defaultTiming: SocketTiming = {
  connectMs: 10_000,
  silenceMs: 20_000,
  answerMs: 10_000,
  proofMs: 4_000,
  batchMs: 1000 / 60,
  steadyMs: 5_000,
}

/**
 * So many messages since the last batch are a flood. Each by itself wakes the process, which costs three times what the
 * message does: in a flood it stands still for so many ms after each turn, and takes in one go what came meanwhile.
 */
const FLOOD = 64
const GATHER_MS = 1

export interface SocketOptions {
  readonly url: string
  /** Sent as `Authorization: Bearer`, never in the URL. */
  readonly token?: string | undefined
  /** Told what the sink throws; by default it goes to the process's own handler. */
  readonly onFault?: OnFault
  readonly clock?: Clock
  /** Gives numbers in [0, 1). */
  readonly random?: () => number
  readonly timing?: Partial<SocketTiming>
}

/**
 * Speaks with the agent at `url` (docs/contract.md section 2). Throws an Error of one clear line where the
 * URL or the token cannot be used at all; afterwards nothing throws, and every failure is a `lost` link.
 */
export function socketSource(options: SocketOptions): Source {
  const complaint = checkUrl(options.url, { allowRemote: true })
  if (complaint !== null) throw new Error(complaint)
  if (options.token !== undefined && !isToken(options.token)) {
    throw new Error("the agent's token is empty or has characters that no header can carry")
  }
  return new SocketSource(options)
}

class SocketSource implements Source {
  readonly #url: string
  readonly #token: string | undefined
  readonly #onFault: OnFault
  readonly #clock: Clock
  readonly #random: () => number
  readonly #timing: SocketTiming
  readonly #order = new ReorderBuffer<ReceivedFrame>()
  /** Messages as they came: they are decoded once a batch, which is when a key or a frame has had its turn. */
  readonly #batch: Batch<string>
  #sink: Sink | null = null
  #connection: Connection | null = null
  #failures = 0
  #openSince: number | null = null
  #lostSince: number | null = null
  #everOpen = false
  #cancelConnect: () => void = () => undefined
  #cancelHold: () => void = () => undefined
  #gathering = false
  #stopped = false

  constructor(options: SocketOptions) {
    this.#url = options.url
    this.#token = options.token
    this.#onFault = options.onFault ?? rethrow
    this.#clock = options.clock ?? systemClock
    this.#random = options.random ?? Math.random
    this.#timing = { ...defaultTiming, ...options.timing }
    this.#batch = new Batch(this.#clock, this.#timing.batchMs, texts => this.#decode(texts))
  }

  start(sink: Sink): void {
    if (this.#sink !== null || this.#stopped) return
    this.#sink = guarded(sink, this.#onFault)
    this.#cancelConnect = this.#clock.after(0, () => {
      this.#connect()
      this.#tell({ state: "connecting", url: this.#url, attempt: 1 })
    })
  }

  send(line: string): boolean {
    return this.#connection?.send(line) ?? false
  }

  stop(): void {
    this.#stopped = true
    this.#cancelConnect()
    this.#cancelHold()
    this.#batch.stop()
    this.#connection?.close()
    this.#connection = null
  }

  #connect(): void {
    this.#connection = new Connection(this.#url, this.#token, this.#clock, this.#timing, {
      opened: () => this.#opened(),
      message: text => {
        this.#batch.add(text)
        if (this.#batch.size >= FLOOD) this.#gather()
      },
      ended: why => this.#lost(why),
    })
  }

  #opened(): void {
    this.#openSince = this.#clock.elapsed()
    this.#lostSince = null
    this.#everOpen = true
    this.#tell({ state: "open", url: this.#url, since: this.#clock.now() })
  }

  /** Lets whatever else waits have its turn, then more messages come before the next is looked at. */
  #gather(): void {
    if (this.#gathering) return
    this.#gathering = true
    this.#clock.after(0, () => {
      this.#gathering = false
      if (!this.#stopped) this.#clock.sleep(GATHER_MS)
    })
  }

  #decode(texts: readonly string[]): void {
    const now = this.#clock.elapsed()
    const arrivals: ReceivedFrame[] = []
    for (const text of texts) {
      for (const arrival of decodeMessage(text)) this.#order.push(arrival, now, arrivals)
    }
    this.#deliver(arrivals)
    this.#awaitHold()
  }

  /** Sets the alarm for the frame that has been held longest. */
  #awaitHold(): void {
    this.#cancelHold()
    const dueAt = this.#order.dueAt
    if (dueAt === null) return
    this.#cancelHold = this.#clock.after(dueAt - this.#clock.elapsed(), () => {
      // What waits came before the time was up, and may be what was missing.
      this.#batch.flush()
      this.#deliver(this.#order.due(this.#clock.elapsed()))
      this.#awaitHold()
    })
  }

  #deliver(arrivals: readonly ReceivedFrame[]): void {
    if (!this.#stopped && arrivals.length > 0) this.#sink?.frames(arrivals)
  }

  /** What came before the loss is told before it. The next attempt is set before anybody is told, so `stop` ends it. */
  #lost(why: string): void {
    this.#connection = null
    this.#batch.flush()
    this.#cancelHold()
    this.#deliver(this.#order.reset())
    if (this.#stopped) return
    const stood = this.#openSince === null ? 0 : this.#clock.elapsed() - this.#openSince
    this.#openSince = null
    this.#failures = stood >= this.#timing.steadyMs ? 1 : this.#failures + 1
    const wait = backoffMs(this.#failures, this.#random())
    const now = this.#clock.now()
    this.#lostSince ??= now
    this.#cancelConnect = this.#clock.after(wait, () => this.#connect())
    this.#tell({
      state: "lost",
      url: this.#url,
      since: this.#lostSince,
      retryAt: now + wait,
      why,
      everOpen: this.#everOpen,
    })
  }

  #tell(link: Link): void {
    if (!this.#stopped) this.#sink?.link(link)
  }
}
