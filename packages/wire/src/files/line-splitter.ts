// Splits a stream of bytes or text into lines with bounded memory.
import { isAscii } from "node:buffer"

/** The longest line in UTF-16 units, 16 Mi (docs/trust.md: a frame has at most 16 MB). */
export const LINE_LIMIT = 16 * 1024 * 1024

/** UTF-16 units that are kept of a longer line. */
export const HEAD_LIMIT = 4096

const LINE_END = 10

/** A line longer than the limit: its beginning and its full length, in UTF-16 units. */
export interface LongLine {
  readonly head: string
  readonly length: number
}

/** A line without its line end, or the head of one that is too long. */
export type SourceLine = string | LongLine

/** Takes bytes or text in pieces of any size and returns lines. Line ends are LF or CRLF. */
export class LineSplitter {
  #decoder = new TextDecoder()
  /** Pieces of the current line. They are joined once, so that a long line takes linear time. */
  #pieces: string[] = []
  #length = 0
  /** The part that is kept of a current line beyond the limit. */
  #head: string | null = null
  /** True from `takeRemainder()` until the line end of that remainder comes. */
  #taken = false

  /** `limit`: the longest line in UTF-16 units. */
  constructor(private readonly limit = LINE_LIMIT) {}

  /** UTF-16 units after the last line end. */
  get length(): number {
    return this.#length
  }

  /** The lines that this piece completes, in order, including empty ones. Pieces may split a character. */
  push(piece: Uint8Array | string): SourceLine[] {
    // Bytes of a line that is too long are only counted: a sparse file may have many gigabytes of them.
    if (this.#head !== null && typeof piece !== "string" && isAscii(piece) && !piece.includes(LINE_END)) {
      this.#length += this.#decoder.decode().length + piece.length
      return []
    }
    const text = typeof piece === "string" ? piece : this.#decoder.decode(piece, { stream: true })
    const lines: SourceLine[] = []
    let from = 0
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", from)) {
      const rest = text.slice(from, end)
      // Most lines lie within a piece.
      if (this.#length === 0 && !this.#taken && rest.length <= this.limit) lines.push(withoutReturn(rest))
      else this.#endLine(lines, rest)
      from = end + 1
    }
    if (from < text.length) this.#add(text.slice(from))
    return lines
  }

  /** The text after the last line end, without an incomplete character at its end. */
  remainder(): SourceLine {
    if (this.#head !== null) return { head: this.#head, length: this.#length }
    return this.#join()
  }

  /** Returns the remainder as a line although it has no line end yet. A line end that comes next belongs to it. */
  takeRemainder(): SourceLine {
    const remainder = this.remainder()
    this.#clear()
    this.#taken = true
    return remainder
  }

  #add(piece: string): void {
    this.#length += piece.length
    if (this.#head !== null) return
    this.#pieces.push(piece)
    if (this.#length <= this.limit) return
    this.#head = copyOf(this.#pieces.join("").slice(0, HEAD_LIMIT))
    this.#pieces = []
  }

  #endLine(lines: SourceLine[], rest: string): void {
    this.#add(rest)
    const whole = this.remainder()
    this.#clear()
    const line = typeof whole === "string" ? withoutReturn(whole) : whole
    const wasTaken = this.#taken
    this.#taken = false
    if (wasTaken && line === "") return
    lines.push(line)
  }

  #join(): string {
    if (this.#pieces.length > 1) this.#pieces = [this.#pieces.join("")]
    return this.#pieces[0] ?? ""
  }

  #clear(): void {
    this.#pieces = []
    this.#length = 0
    this.#head = null
  }
}

const withoutReturn = (line: string): string => (line.endsWith("\r") ? line.slice(0, -1) : line)

/** A copy with memory of its own: a slice shares its source's memory, so 4 KB would keep 16 MB alive. */
export function copyOf(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le")
}
