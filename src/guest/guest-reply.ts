// Collects the blocks of a guest's reply until its response repeats them in full.
import type { JsonObject } from "../protocol/json.ts"
import type { TranscriptEntry } from "./transcript-entry.ts"

/** A longer block is ended early, UTF-16 units, because its text is held in memory until its response. */
export const MAX_BLOCK_UNITS = 1024 * 1024

type Words = Extract<TranscriptEntry, { kind: "assistant" | "thinking" }>

/** Adjacent entries of one kind. Deltas are concatenated; whole entries are separated by line ends. */
interface Block {
  readonly kind: Words["kind"]
  readonly delta: boolean
  text: string
  /** True if the last entry had several lines. */
  isParagraph: boolean
}

/** The reply, or the part of one, that has been told so far. */
export class GuestReply {
  #blocks: Block[] = []
  /** The line of a saved log where it began. */
  #line: number | null = null
  #lastText = ""

  get isEmpty(): boolean {
    return this.#blocks.length === 0
  }

  get line(): number | null {
    return this.isEmpty ? null : this.#line
  }

  /** The last text that was said, also in replies that have ended. */
  get lastText(): string {
    return this.#blocks.findLast(block => block.kind === "assistant")?.text ?? this.#lastText
  }

  /** An empty line separates text within a block, and doesn't begin one. */
  ignores({ kind, text }: Words): boolean {
    return text === "" && this.#blocks.at(-1)?.kind !== kind
  }

  /** True if these words don't go on with it: after deltas come whole entries or the reverse, or it is full. */
  endsBefore({ kind, delta }: Words): boolean {
    const last = this.#blocks.at(-1)
    return last?.kind === kind && (last.delta !== delta || last.text.length >= MAX_BLOCK_UNITS)
  }

  /** Adds words, and returns what they add to its text. */
  add({ kind, delta, text: words }: Words, line: number | null): string {
    const block = this.#blocks.at(-1)
    const isParagraph = !delta && words.includes("\n")
    const joins = block?.kind === kind
    // Whole entries are separated by a line end, those of several lines by an empty line.
    const gap = delta || !joins ? "" : block.isParagraph || isParagraph ? "\n\n" : "\n"
    const text = gap + words
    if (joins) Object.assign(block, { text: block.text + text, isParagraph })
    else {
      if (this.isEmpty) this.#line = line
      this.#blocks.push({ kind, delta, text, isParagraph })
    }
    return text
  }

  /** Ends it, and returns its blocks as a response has them. */
  take(): readonly JsonObject[] {
    const blocks = this.#blocks.map(({ kind, text }) =>
      kind === "thinking" ? { type: "thinking", thinking: text } : { type: "text", text },
    )
    this.#lastText = this.lastText
    this.#blocks = []
    return blocks
  }
}
