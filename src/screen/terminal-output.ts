// Writes to the terminal without ever waiting for it: one that stops reading must not stop the run.
import { constants, openSync, writeSync } from "node:fs"

/** How soon a terminal that takes no more is tried again, ms. */
const RETRY_MS = 8
/** A terminal that reads nothing for this long at the very end is left as it is, ms. */
const PATIENCE_MS = 500

interface Piece {
  bytes: Uint8Array
  readonly done: () => void
}

/** What goes to the terminal, in order. Made once; `stream` is what the renderer writes to. */
export class TerminalOutput {
  /** stdout with our way of writing; all else of it is the terminal's own. */
  readonly stream: typeof process.stdout
  readonly #descriptor = ownDescriptor()
  #waiting: Piece[] = []
  #retry: ReturnType<typeof setTimeout> | null = null

  constructor() {
    const write = (bytes: Uint8Array | string, done: () => void = () => {}): boolean => this.write(bytes, done)
    this.stream = Object.create(process.stdout, { write: { value: write, writable: true } })
  }

  /** Hands text or bytes over; `done` is called once they are with the terminal, or it is gone. False: they wait. */
  write(data: Uint8Array | string, done: () => void = () => {}): boolean {
    const piece: Piece = { bytes: typeof data === "string" ? Buffer.from(data) : data, done }
    if (this.#waiting.length === 0 && this.#put(piece)) return true
    // The renderer's bytes are its own memory, which it may take back.
    piece.bytes = piece.bytes.slice()
    this.#waiting.push(piece)
    this.#retry ??= setTimeout(() => this.#again(), RETRY_MS)
    return false
  }

  /** Writes what waits before anything else happens; gives up on a terminal that no longer reads. */
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

  /** The bytes that still wait. */
  #drain(): number {
    const pieces = this.#waiting
    const stuck = pieces.findIndex(piece => !this.#put(piece))
    this.#waiting = stuck < 0 ? [] : pieces.slice(stuck)
    return this.#waiting.reduce((sum, piece) => sum + piece.bytes.length, 0)
  }

  /** Whether the whole piece is with the terminal; what is not stays in the piece. */
  #put(piece: Piece): boolean {
    try {
      while (piece.bytes.length > 0) piece.bytes = piece.bytes.subarray(writeSync(this.#descriptor, piece.bytes))
    } catch (fault) {
      if (isFull(fault)) return false
      // A terminal that is gone needs nothing.
    }
    piece.done()
    return true
  }
}

const isFull = (fault: unknown): boolean => fault instanceof Error && "code" in fault && fault.code === "EAGAIN"

/**
 * The terminal once more, opened without blocking: set on stdout itself, that would hold for the parent's as well, which
 * shares it. Where it cannot be opened, stdout serves, and waits for its reader.
 */
function ownDescriptor(): number {
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants
  for (const path of [`/proc/self/fd/${process.stdout.fd}`, "/dev/tty"]) {
    try {
      return openSync(path, O_WRONLY | O_NONBLOCK | O_NOCTTY)
    } catch {
      // Another user's terminal cannot be opened by its name.
    }
  }
  return process.stdout.fd
}
