// Writes to the terminal without blocking: a terminal that stops reading must not stop the run.
import { constants, openSync, writeSync } from "node:fs"

/** Time until the next try after the terminal took no more, ms. */
const RETRY_MS = 8
/** At the end we give up on a terminal that reads nothing for this long, ms. */
const PATIENCE_MS = 500

interface Piece {
  bytes: Uint8Array
  readonly done: () => void
}

/** Keeps what the terminal has not taken yet, in order. The renderer writes to `stream`. */
export class TerminalOutput {
  /** stdout with our `write`. */
  readonly stream: typeof process.stdout
  readonly #descriptor = ownDescriptor()
  #waiting: Piece[] = []
  #retry: ReturnType<typeof setTimeout> | null = null

  constructor() {
    const write = (bytes: Uint8Array | string, done: () => void = () => {}): boolean => this.write(bytes, done)
    this.stream = Object.create(process.stdout, { write: { value: write, writable: true } })
  }

  /** Calls `done` once the terminal has the data, or is gone. Returns false if the data waits. */
  write(data: Uint8Array | string, done: () => void = () => {}): boolean {
    const piece: Piece = { bytes: typeof data === "string" ? Buffer.from(data) : data, done }
    if (this.#waiting.length === 0 && this.#put(piece)) return true
    // The renderer reuses the memory of its bytes.
    piece.bytes = piece.bytes.slice()
    this.#waiting.push(piece)
    this.#retry ??= setTimeout(() => this.#again(), RETRY_MS)
    return false
  }

  /** Blocks until everything is written; gives up on a terminal that no longer reads. */
  flush(): void {
    let left = PATIENCE_MS
    for (let size = this.#drain(); size > 0 && left > 0; left -= RETRY_MS) {
      Bun.sleepSync(RETRY_MS)
      const now = this.#drain()
      if (now < size) left = PATIENCE_MS
      size = now
    }
  }

  #again(): void {
    this.#retry = null
    if (this.#drain() > 0) this.#retry = setTimeout(() => this.#again(), RETRY_MS)
  }

  /** Returns the number of bytes left. */
  #drain(): number {
    const pieces = this.#waiting
    const stuck = pieces.findIndex(piece => !this.#put(piece))
    this.#waiting = stuck < 0 ? [] : pieces.slice(stuck)
    return this.#waiting.reduce((sum, piece) => sum + piece.bytes.length, 0)
  }

  /** Returns whether the terminal took the whole piece; the rest stays in it. */
  #put(piece: Piece): boolean {
    try {
      while (piece.bytes.length > 0) piece.bytes = piece.bytes.subarray(writeSync(this.#descriptor, piece.bytes))
    } catch (fault) {
      if (isFull(fault)) return false
      // The terminal is gone.
    }
    piece.done()
    return true
  }
}

const isFull = (fault: unknown): boolean => fault instanceof Error && "code" in fault && fault.code === "EAGAIN"

/** Opens the terminal again, since the parent shares stdout's flags. Falls back to stdout, which blocks. */
function ownDescriptor(): number {
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants
  for (const path of [`/proc/self/fd/${process.stdout.fd}`, "/dev/tty"]) {
    try {
      return openSync(path, O_WRONLY | O_NONBLOCK | O_NOCTTY)
    } catch {
      // A terminal of another user can't be opened by name.
    }
  }
  return process.stdout.fd
}
