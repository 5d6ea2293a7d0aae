// Sends spans to a receiver in the background: a bounded queue, so that the run never waits for it.
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { type Clock, Sleeper } from "../transport/clock.ts"
import type { AttributeValue, TraceSpan } from "./trace-span.ts"

/** Spans, and UTF-16 units of their texts, that wait at most. */
const MOST_SPANS = 4096
const MOST_UNITS = 16_000_000
const REQUEST_SPANS = 512
const REQUEST_UNITS = 1_000_000
/** Spans that end together are sent together, ms. */
const BATCH_MS = 200
/** How long a receiver may take to answer, ms, and how much of its answer is read, bytes. */
const ANSWER_MS = 10_000
const ANSWER_BYTES = 64 * 1024
/** The first and the longest wait before a request is repeated, ms. */
const FIRST_WAIT_MS = 1000
const LONGEST_WAIT_MS = 30_000
/** Answers after which OTLP asks to try again; any other one but success gives the spans up. */
const TRY_AGAIN: readonly number[] = [429, 502, 503, 504]

export interface SendStatus {
  readonly sent: number
  readonly waiting: number
  readonly dropped: number
  /** The last failure; null if there was none. */
  readonly why: string | null
}

type Outcome =
  | { readonly rejected: number; readonly why: string | null }
  | { readonly again: boolean; readonly why: string }

export class SpanSender {
  #queue: { readonly span: TraceSpan; readonly units: number }[] = []
  #units = 0
  #sent = 0
  #dropped = 0
  #why: string | null = null
  #running: Promise<void> | null = null
  #isClosing = false
  readonly #abort = new AbortController()
  readonly #sleeper: Sleeper

  /** `onChange` is called when the status has changed. */
  constructor(
    private readonly receiver: { readonly url: string; readonly headers: { readonly [name: string]: string } },
    private readonly clock: Clock,
    private readonly onChange: () => void = () => undefined,
  ) {
    this.#sleeper = new Sleeper(clock)
  }

  get status(): SendStatus {
    return { sent: this.#sent, waiting: this.#queue.length, dropped: this.#dropped, why: this.#why }
  }

  /** Queues spans. Those that find no room are dropped, and counted. */
  add(spans: readonly TraceSpan[]): void {
    if (spans.length === 0) return
    let lost = 0
    for (const span of spans) {
      const units = unitsOf(span)
      const hasRoom =
        this.#queue.length < MOST_SPANS && this.#units + units <= MOST_UNITS && !this.#abort.signal.aborted
      if (!hasRoom) lost++
      else {
        this.#queue.push({ span, units })
        this.#units += units
      }
    }
    if (lost > 0) this.#drop(lost, this.#why ?? "the receiver is slower than the run")
    this.onChange()
    void this.#run()
  }

  /** Sends the waiting spans for at most `ms`, and drops the rest. Null if none wait. */
  close(ms: number): Promise<void> | null {
    this.#isClosing = true
    this.#sleeper.stop()
    if (this.#queue.length === 0) return null
    const late = Promise.withResolvers<void>()
    const cancel = this.clock.after(ms, late.resolve)
    return Promise.race([this.#run(), late.promise]).then(() => {
      cancel()
      this.#abort.abort()
      this.#give(this.#queue.length, this.#why ?? "the receiver did not answer in time")
    })
  }

  #run(): Promise<void> {
    this.#running ??= this.#sendAll().finally(() => {
      this.#running = null
    })
    return this.#running
  }

  async #sendAll(): Promise<void> {
    await this.#sleeper.sleep(BATCH_MS, false)
    let wait = FIRST_WAIT_MS
    while (this.#queue.length > 0 && !this.#abort.signal.aborted) {
      const batch = this.#nextBatch()
      const outcome = await this.#post(batch)
      if ("rejected" in outcome) {
        wait = FIRST_WAIT_MS
        this.#take(batch.length)
        const rejected = Math.min(outcome.rejected, batch.length)
        this.#sent += batch.length - rejected
        this.#drop(rejected, outcome.why ?? "the receiver rejected them")
      } else if (outcome.again && !this.#isClosing) {
        this.#why = outcome.why
        this.onChange()
        await this.#sleeper.sleep(wait, false)
        wait = Math.min(wait * 2, LONGEST_WAIT_MS)
      } else this.#give(this.#isClosing ? this.#queue.length : batch.length, outcome.why)
      this.onChange()
    }
  }

  #nextBatch(): readonly TraceSpan[] {
    const batch: TraceSpan[] = []
    let total = 0
    for (const { span, units } of this.#queue) {
      total += units
      if (batch.length === REQUEST_SPANS || (batch.length > 0 && total > REQUEST_UNITS)) break
      batch.push(span)
    }
    return batch
  }

  async #post(batch: readonly TraceSpan[]): Promise<Outcome> {
    const { url, headers } = this.receiver
    try {
      const { encodeSpans, rejectedIn } = await import("./otlp-request.ts")
      const response = await fetch(url, {
        method: "POST",
        // A few packed bytes could stand for gigabytes.
        headers: { ...headers, "content-type": "application/x-protobuf", "accept-encoding": "identity" },
        decompress: false,
        body: encodeSpans(batch, "protobuf"),
        redirect: "manual",
        signal: AbortSignal.any([AbortSignal.timeout(ANSWER_MS), this.#abort.signal]),
      })
      if (response.ok) return rejectedIn(await beginningOf(response))
      await response.body?.cancel()
      return { again: TRY_AGAIN.includes(response.status), why: `the receiver answered ${response.status}` }
    } catch (error) {
      return { again: true, why: sanitizeLine(error instanceof Error ? error.message : String(error)) }
    }
  }

  /** Drops the first spans of the queue. */
  #give(count: number, why: string): void {
    this.#take(count)
    this.#drop(count, why)
  }

  #take(count: number): void {
    for (const { units } of this.#queue.splice(0, count)) this.#units -= units
  }

  #drop(count: number, why: string): void {
    if (count === 0) return
    this.#dropped += count
    this.#why = why
  }
}

/** The answer as far as it is read. The rest is not asked for. */
async function beginningOf({ body }: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  const reader = body?.getReader()
  while (reader !== undefined && length < ANSWER_BYTES) {
    const { done, value } = await reader.read()
    if (done) break
    chunks.push(value)
    length += value.length
  }
  await reader?.cancel()
  return Buffer.concat(chunks).subarray(0, ANSWER_BYTES)
}

function unitsOf({ name, attributes, events, error }: TraceSpan): number {
  const told = [attributes, ...events.map(event => ({ name: event.name, ...event.attributes }))]
  const texts = told
    .flatMap(Object.values<AttributeValue>)
    .map(value => (typeof value === "string" ? value.length : 16))
  return texts.reduce((sum, length) => sum + length, name.length + (error?.length ?? 0))
}
