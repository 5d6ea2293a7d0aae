// Decodes the lines of files and the messages of sockets into frames, and hands them on in batches.
import { decode, rejectOurs } from "../../packages/wire/src/decode.ts"
import { LINE_LIMIT, LineSplitter, type SourceLine } from "../../packages/wire/src/files/line-splitter.ts"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { parseJson } from "../../packages/wire/src/json.ts"
import type { Clock } from "./clock.ts"

/**
 * The most work before the event loop gets a turn, in units: about 5 µs of decoding and folding each, so that keys,
 * timers and drawing wait 20 ms. It is counted, because reading a clock for each item takes longer than some items do.
 * It has fewer rows than memory has frames, so that traces read each frame before it leaves memory.
 */
export const TURN_UNITS = 4096

/** A frame and the text it was decoded from; for a line that is too long, the text is its head. */
export interface ReceivedFrame {
  readonly frame: Decoded
  readonly text: string
}

/** Decodes a line; one that is too long is malformed. Never throws. */
export function decodeLine(line: SourceLine): Decoded {
  if (typeof line === "string") return decode(line)
  return { kind: "malformed", raw: line.head, length: line.length, why: "longer than 16 MB" }
}

/** A row costs more than a delta, and a text as much as its length. */
const ROW_UNITS = 16
const TEXT_PER_UNIT = 256

/** What a frame costs to decode and to fold; see `TURN_UNITS`. */
export function costOf({ frame, text }: ReceivedFrame): number {
  return (frame.kind === "delta" ? 1 : ROW_UNITS) + text.length / TEXT_PER_UNIT
}

/** UTF-16 units of a message that are split into lines at a time. */
const PIECE = TURN_UNITS * 16

/** Messages up to this length, UTF-16 units, are decoded as they arrive, which leaves less work for the batch. */
const SHORT = 4096

/**
 * Decodes one frame, which may span lines, or one frame per line; otherwise one malformed line. A step takes a line or
 * a piece of the message, and gives a frame or what the step cost. Never throws.
 */
export function decodeMessage(text: string): Iterable<ReceivedFrame | number> {
  const frame = text.length <= SHORT ? wholeFrame(text) : null
  return frame === null ? decodePieces(text) : [{ frame, text }]
}

/** The frame that the whole message is; null if it is none and has lines, each of which may be one. */
function wholeFrame(text: string): Decoded | null {
  const whole = decode(text)
  return whole.kind === "malformed" && text.includes("\n") ? null : rejectOurs(whole, text)
}

function* decodePieces(text: string): Generator<ReceivedFrame | number> {
  const frame = text.length <= LINE_LIMIT ? wholeFrame(text) : null
  if (frame !== null) {
    yield { frame, text }
    return
  }
  // They are frames of their own only if one of them is none of nonsense.
  const nonsense: ReceivedFrame[] = []
  let isOfLines = text.length > LINE_LIMIT
  for (const line of linesOf(text)) {
    if (typeof line === "number") {
      yield line
      continue
    }
    const head = typeof line === "string" ? line : line.head
    const received = { frame: rejectOurs(decodeLine(line), head), text: head }
    const { kind } = received.frame
    isOfLines ||= kind !== "malformed" && kind !== "blank"
    if (isOfLines) yield* nonsense.splice(0)
    else if (kind === "malformed") nonsense.push(received)
    yield isOfLines && kind !== "blank" ? received : costOf(received)
  }
  if (!isOfLines) yield { frame: decode(text), text }
}

/** The line to record (docs/decisions.md 1.11): the text, as a JSON string if it isn't JSON or has line ends. */
export function recordingLine({ frame, text }: ReceivedFrame): string {
  const line = text.trim()
  if (frame.kind !== "malformed") return line === "" || line.includes("\n") ? JSON.stringify(line) : line
  const decodesTo = (again: Decoded) => again.kind === "malformed" && again.raw === frame.raw && again.why === frame.why
  if (!/[\r\n]/.test(text) && parseJson(text) !== undefined && decodesTo(decode(text))) return text
  const quoted = JSON.stringify(text)
  // A line that is a JSON string itself would be unwrapped once too often.
  return decodesTo(decode(quoted)) || line.includes("\n") ? quoted : line
}

/** The lines of a text, and the cost of each piece. */
function* linesOf(text: string): Generator<SourceLine | number> {
  const splitter = new LineSplitter()
  for (let from = 0; from < text.length; from += PIECE) {
    yield* splitter.push(text.slice(from, from + PIECE))
    yield PIECE / TEXT_PER_UNIT
  }
  yield splitter.remainder()
}

/** The text of a message, which may come as bytes; invalid UTF-8 becomes U+FFFD. */
export function frameText(data: unknown): string {
  if (typeof data === "string") return data
  return data instanceof Uint8Array ? new TextDecoder().decode(data) : ""
}

/** Delivers added items in order. Batches are never empty, and `deliver` is never called from inside `add`. */
export class Batch<T extends object> {
  #added: Iterable<T | number>[] = []
  /** What is being taken, a turn at a time. */
  #taking: Iterator<T | number> | null = null
  #dueAt = Number.NEGATIVE_INFINITY
  #cancel: (() => void) | null = null

  /** `cost`: the units of an item. */
  constructor(
    private readonly clock: Clock,
    private readonly everyMs: number,
    private readonly deliver: (items: readonly T[]) => void,
    private readonly cost: (item: T) => number,
  ) {}

  /** How often `add` was called since everything was last being taken. */
  get size(): number {
    return this.#added.length
  }

  get isEmpty(): boolean {
    return this.#added.length === 0 && this.#taking === null
  }

  /** Adds items, which are made as they are taken. A number is the units of work that made none. */
  add(items: Iterable<T | number>): void {
    this.#added.push(items)
    this.#cancel ??= this.clock.after(this.#dueAt - this.clock.elapsed(), () => this.flush())
  }

  /** Delivers what one turn of the event loop takes; the rest follows in the next turns, each without a flush. */
  flush(): void {
    if (this.#taking === null) this.#deliverTurn()
  }

  #deliverTurn(): void {
    this.#cancel?.()
    this.#cancel = null
    if (this.isEmpty) return
    // The interval counts from when this batch was due, so that timers which run a little late don't lower the rate.
    const now = this.clock.elapsed()
    if (now >= this.#dueAt) this.#dueAt = (now - this.#dueAt < this.everyMs ? this.#dueAt : now) + this.everyMs
    const items = this.#take()
    if (!this.isEmpty) this.#cancel = this.clock.after(0, () => this.#deliverTurn())
    if (items.length > 0) this.deliver(items)
  }

  stop(): void {
    this.#cancel?.()
    this.#cancel = null
    this.#added = []
    this.#taking = null
  }

  #take(): readonly T[] {
    const items: T[] = []
    for (let units = 0; units < TURN_UNITS; ) {
      this.#taking ??= flat(this.#added.splice(0))
      const { done, value } = this.#taking.next()
      if (done === true) {
        this.#taking = null
        if (this.#added.length === 0) break
        continue
      }
      units += typeof value === "number" ? value : this.cost(value)
      if (typeof value !== "number") items.push(value)
    }
    return items
  }
}

function* flat<T>(lists: readonly Iterable<T>[]): Generator<T> {
  for (const list of lists) yield* list
}
