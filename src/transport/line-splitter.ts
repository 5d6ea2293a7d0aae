// Cuts a stream of bytes or text into whole lines, within a bound on memory.

/** UTF-16 units (16 Mi) above which a line is given up (docs/trust.md: a frame has at most 16 MB). */
export const LINE_LIMIT = 16 * 1024 * 1024

/** UTF-16 units that are kept of a line that is given up. */
export const HEAD_LIMIT = 4096

/** A line that was given up: its beginning and its whole length, both in UTF-16 units. */
export interface LongLine {
  readonly head: string
  readonly length: number
}

/** A line without its line end, or what is left of one that is too long. */
export type SourceLine = string | LongLine

/** Bytes or text go in, in pieces of any size; whole lines come out. Text with CRLF line ends is taken too. */
export class LineSplitter {
  readonly #limit: number
  #decoder = new TextDecoder()
  /** Pieces of the line that has not ended; joined once, so that a long line costs what it weighs. */
  #pieces: string[] = []
  #length = 0
  /** Of a line past the limit only this is kept. */
  #head: string | null = null
  /** True between `take()` and the line end that is still to come for what was taken. */
  #taken = false

  /** `limit`: UTF-16 units a line may have before it is given up. */
  constructor(limit = LINE_LIMIT) {
    this.#limit = limit
  }

  /** The lines that this piece completes, in order, empty ones too. A character may be split between two pieces. */
  push(piece: Uint8Array | string): SourceLine[] {
    const text = typeof piece === "string" ? piece : this.#decoder.decode(piece, { stream: true })
    const lines: SourceLine[] = []
    let from = 0
    for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", from)) {
      this.#add(text.slice(from, end))
      this.#endLine(lines)
      from = end + 1
    }
    if (from < text.length) this.#add(text.slice(from))
    return lines
  }

  /** What came after the last line end. Half a character at its end is not in it yet. */
  remainder(): SourceLine {
    if (this.#head !== null) return { head: this.#head, length: this.#length }
    return this.#join()
  }

  /** Counts the rest as a line, though its line end has not come: the line end that may still come belongs to it. */
  takeRemainder(): SourceLine {
    const rest = this.remainder()
    this.#clear()
    this.#taken = true
    return rest
  }

  #add(piece: string): void {
    this.#length += piece.length
    if (this.#head !== null) return
    this.#pieces.push(piece)
    if (this.#length <= this.#limit) return
    this.#head = ownCopy(this.#pieces.join("").slice(0, HEAD_LIMIT))
    this.#pieces = []
  }

  #endLine(lines: SourceLine[]): void {
    const rest = this.remainder()
    this.#clear()
    const line = typeof rest === "string" && rest.endsWith("\r") ? rest.slice(0, -1) : rest
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

/** A slice shares the memory of what it was cut from, and 4 KB would hold on to 16 MB. */
function ownCopy(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le")
}
