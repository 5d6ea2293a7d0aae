// Buffers unread characters for a state class, with a cursor.

/** Unread characters. Positions count from the first ever appended; an append drops all before the cursor. */
export class StreamScanner {
  #text = ""
  #start = 0
  #cursor = 0

  append(text: string): void {
    if (text === "") return
    this.drop()
    this.#text = this.#text === "" ? text : this.#text + text
  }

  /** Drops all before the cursor. */
  drop(): void {
    this.#text = this.hasMoreChars() ? this.#text.slice(this.#cursor - this.#start) : ""
    this.#start = this.#cursor
  }

  /** Holds `rest` alone, unread: it was read and given back. */
  putBack(rest: string): void {
    this.#cursor = this.end - rest.length
    this.#start = this.#cursor
    this.#text = rest
  }

  get position(): number {
    return this.#cursor
  }

  /** The position after the last character. */
  get end(): number {
    return this.#start + this.#text.length
  }

  hasMoreChars(): boolean {
    return this.#cursor < this.end
  }

  /** The character at the cursor, or `ahead` of it; undefined if there is none yet. */
  peek(ahead = 0): string | undefined {
    return this.#text[this.#cursor - this.#start + ahead]
  }

  /** Reads `count` characters, or as many as there are, and returns them. */
  advance(count = 1): string {
    const from = this.#cursor
    this.#cursor = Math.min(this.end, from + Math.max(0, count))
    return this.substring(from, this.#cursor)
  }

  /** Moves the cursor, within the characters that are still held. */
  setPosition(position: number): void {
    this.#cursor = Math.min(this.end, Math.max(this.#start, position))
  }

  /** The text between two positions, without what has been dropped. */
  substring(from: number, to = this.end): string {
    return this.#text.slice(Math.max(0, from - this.#start), Math.max(0, to - this.#start))
  }

  /** The position of `needle` at or after the cursor; -1 if it is not there. */
  indexOf(needle: string): number {
    const at = this.#text.indexOf(needle, this.#cursor - this.#start)
    return at === -1 ? -1 : at + this.#start
  }

  /** Reads all remaining text. */
  takeRest(): string {
    return this.advance(this.end - this.#cursor)
  }
}
