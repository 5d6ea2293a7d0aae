// Buffers characters for a state class that reads them one by one, with a cursor.

/**
 * The characters that a state has not read yet. Positions count from the first character ever appended and stay valid;
 * what lies before the cursor is let go at the next append, so a state must not advance past what it still needs.
 */
export class StreamScanner {
  #text = ""
  #start = 0
  #cursor = 0

  append(text: string): void {
    if (text === "") return
    this.#text = this.#text.slice(this.#cursor - this.#start) + text
    this.#start = this.#cursor
  }

  get position(): number {
    return this.#cursor
  }

  /** Where the cursor would be behind the last character. */
  get end(): number {
    return this.#start + this.#text.length
  }

  hasMoreChars(): boolean {
    return this.#cursor < this.end
  }

  /** The character at the cursor, or `ahead` of it; undefined where there is none yet. */
  peek(ahead = 0): string | undefined {
    return this.#text[this.#cursor - this.#start + ahead]
  }

  /** Reads `count` characters, or as many as there are, and returns them. */
  advance(count = 1): string {
    const from = this.#cursor
    this.#cursor = Math.min(this.end, from + Math.max(0, count))
    return this.substring(from, this.#cursor)
  }

  /** Moves the cursor to a position that is still held; one beyond the ends counts as the end. */
  setPosition(position: number): void {
    this.#cursor = Math.min(this.end, Math.max(this.#start, position))
  }

  /** The text between two positions, less what has been let go. */
  substring(from: number, to = this.end): string {
    return this.#text.slice(Math.max(0, from - this.#start), Math.max(0, to - this.#start))
  }

  /** Where `needle` stands at or after the cursor; -1 for nowhere. */
  indexOf(needle: string): number {
    const at = this.#text.indexOf(needle, this.#cursor - this.#start)
    return at === -1 ? -1 : at + this.#start
  }

  /** Reads everything that is left. */
  takeRest(): string {
    return this.advance(this.end - this.#cursor)
  }
}
