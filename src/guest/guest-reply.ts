// Collects the blocks of a guest's reply until its response repeats them in full.
import type { JsonObject } from "../../packages/wire/src/json.ts"
import type { TranscriptEntry } from "./transcript-entry.ts"

/** A longer block is ended early, UTF-16 units: its text and its lines on the screen are held until its response. */
const MAX_BLOCK_UNITS = 64 * 1024
/** The same for the result of a tool, which comes in pieces. */
export const MAX_RESULT_UNITS = 1024 * 1024

export type SaidWords = Extract<TranscriptEntry, { kind: "assistant" | "thinking" }>

export const isWords = (entry: TranscriptEntry): entry is SaidWords =>
  entry.kind === "assistant" || entry.kind === "thinking"

/** Adjacent entries of one kind. Deltas are concatenated; whole entries are separated by line ends. */
interface Block {
  readonly kind: SaidWords["kind"]
  readonly delta: boolean
  /** Its text but what is untold, in pieces: a text that grows by each line would keep an object for each. */
  readonly pieces: string[]
  units: number
  /** True if the last entry had several lines. */
  isParagraph: boolean
}

/** Text that no delta has told yet. `ts` is the time of its first line, epoch ms. */
interface Untold {
  readonly kind: SaidWords["kind"]
  readonly ts: number | null
  readonly pieces: string[]
}

/** What a delta tells. */
interface Told {
  readonly kind: SaidWords["kind"]
  readonly ts: number | null
  readonly text: string
}

/** The reply, or the part of one, that has been told so far. */
export class GuestReply {
  #blocks: Block[] = []
  /** The line of a saved log where it began. */
  #line: number | null = null
  #lastText = ""
  #untold: Untold | null = null

  get isEmpty(): boolean {
    return this.#blocks.length === 0
  }

  get line(): number | null {
    return this.isEmpty ? null : this.#line
  }

  /** The last text that was said, also in replies that have ended. */
  get lastText(): string {
    return this.#blocks.findLast(block => block.kind === "assistant")?.pieces.join("") ?? this.#lastText
  }

  /** An empty line separates text within a block, and doesn't begin one. */
  ignores({ kind, text }: SaidWords): boolean {
    return text === "" && this.#blocks.at(-1)?.kind !== kind
  }

  /** True if these words don't go on with it: after deltas come whole entries or the reverse, or it is full. */
  endsBefore({ kind, delta }: SaidWords): boolean {
    const last = this.#blocks.at(-1)
    return last?.kind === kind && (last.delta !== delta || last.units >= MAX_BLOCK_UNITS)
  }

  /** What was added since the last call. */
  takeUntold(): Told | null {
    if (this.#untold === null) return null
    const { kind, ts, pieces } = this.#untold
    this.#untold = null
    const text = pieces.join("")
    this.#blocks.at(-1)?.pieces.push(text)
    return { kind, ts, text }
  }

  /** Adds words. Returns what a delta is to tell first, because these came later or are of another kind; else null. */
  add({ kind, delta, text: words }: SaidWords, line: number | null, ts: number | null): Told | null {
    const isTold = this.#untold?.kind !== kind || this.#untold.ts !== ts
    const told = isTold ? this.takeUntold() : null
    this.#untold ??= { kind, ts, pieces: [] }
    if (this.isEmpty) this.#line = line
    const isParagraph = !delta && words.includes("\n")
    const last = this.#blocks.at(-1)
    // Whole entries are separated by a line end, those of several lines by an empty line.
    const gap = delta || last?.kind !== kind ? "" : last.isParagraph || isParagraph ? "\n\n" : "\n"
    const text = gap + words
    this.#untold.pieces.push(text)
    if (last?.kind === kind) Object.assign(last, { units: last.units + text.length, isParagraph })
    else this.#blocks.push({ kind, delta, pieces: [], units: text.length, isParagraph })
    return told
  }

  /** Ends it, and returns its blocks as a response has them. */
  take(): readonly JsonObject[] {
    const blocks = this.#blocks.map(({ kind, pieces }) =>
      kind === "thinking" ? { type: "thinking", thinking: pieces.join("") } : { type: "text", text: pieces.join("") },
    )
    this.#lastText = this.lastText
    this.#blocks = []
    return blocks
  }
}
