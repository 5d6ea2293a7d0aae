// Keeps what anything but the screen writes to stdout or stderr, until the terminal is given back.

/** The most that is kept, UTF-16 units; the rest is counted. */
const MOST_KEPT = 64 * 1024

/** Writes of libraries and warnings of the runtime, which would stand in the middle of the picture. */
export class StrayWrites {
  #kept = ""
  #dropped = 0
  #giveBack: (() => void) | null = null

  /** Diverts both streams from now on. A second call changes nothing. */
  divert(): void {
    if (this.#giveBack !== null) return
    const streams = [process.stdout, process.stderr].map(stream => ({ stream, write: stream.write }))
    const write = (data: Uint8Array | string, ...rest: readonly unknown[]): boolean => {
      this.#keep(typeof data === "string" ? data : new TextDecoder().decode(data))
      const done = rest.at(-1)
      if (typeof done === "function") queueMicrotask(() => done())
      return true
    }
    for (const { stream } of streams) Object.assign(stream, { write })
    this.#giveBack = () => {
      for (const { stream, write } of streams) Object.assign(stream, { write })
    }
  }

  /** Gives the streams back, while another program has the terminal; what was kept stays. */
  pause(): void {
    this.#giveBack?.()
    this.#giveBack = null
  }

  /** Ends the diversion. Returns what was kept, raw; empty if nothing was written. */
  end(): string {
    this.pause()
    const kept = this.#dropped === 0 ? this.#kept : `${this.#kept}\n… ${this.#dropped} more characters\n`
    this.#kept = ""
    this.#dropped = 0
    return kept === "" || kept.endsWith("\n") ? kept : `${kept}\n`
  }

  #keep(text: string): void {
    const room = MOST_KEPT - this.#kept.length
    this.#kept += text.slice(0, room)
    this.#dropped += Math.max(0, text.length - room)
  }
}
