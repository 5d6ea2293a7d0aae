import { constants, openSync, writeSync } from "node:fs"
import type { SafeText } from "../../packages/wire/src/sanitize.ts"
import { printError } from "../ui/standard-streams.ts"
import { discardOutput } from "./terminal-control.ts"

/** Time until the next try after the terminal took no more, ms. */
const RETRY_MS = 8
/** A terminal takes 8 to 12 KB at once and more soon after: how often to wait for it, and how long each time, ms. */
const MOMENTS = 3
const MOMENT_MS = 0.5
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
  readonly #descriptor: number
  #waiting: Piece[] = []
  #retry: ReturnType<typeof setTimeout> | null = null
  /** What was written since `beginEnd`; null before. */
  #end: Uint8Array[] | null = null

  /** `fd` is a terminal. `rewrite` changes the bytes of each frame. */
  constructor(fd: number = process.stdout.fd, rewrite: ((frame: Uint8Array) => Uint8Array) | null = null) {
    this.#descriptor = ownDescriptor(fd)
    const write = (data: Uint8Array | string, done: () => void = () => {}): boolean =>
      this.write(typeof data === "string" || rewrite === null ? data : rewrite(data), done)
    this.stream = Object.create(process.stdout, { write: { value: write, writable: true } })
  }

  /** Calls `done` once the terminal has the data, or is gone. Returns false if the data waits. */
  write(data: Uint8Array | string, done: () => void = () => {}): boolean {
    const piece: Piece = { bytes: typeof data === "string" ? Buffer.from(data) : data, done }
    this.#end?.push(piece.bytes.slice())
    if (this.#waiting.length === 0 && this.#putSoon(piece)) return true
    // The renderer reuses the memory of its bytes.
    piece.bytes = piece.bytes.slice()
    this.#waiting.push(piece)
    this.#retry ??= setTimeout(() => this.#again(), RETRY_MS)
    return false
  }

  /** What is written from now on reaches the terminal even if it never reads what came before. */
  beginEnd(): void {
    this.#end = []
  }

  /** Blocks until everything is written. A terminal that no longer reads gets the end alone, if there is one. */
  flush(): void {
    let left = PATIENCE_MS
    for (let size = this.#drain(); size > 0 && left > 0; left -= RETRY_MS) {
      Bun.sleepSync(RETRY_MS)
      const now = this.#drain()
      if (now < size) left = PATIENCE_MS
      size = now
    }
    if (left > 0 || this.#end === null) return
    discardOutput(this.#descriptor)
    this.#waiting = [{ bytes: Buffer.concat(this.#end), done: () => {} }]
    this.#drain()
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

  /** As `#put`, but blocks for up to 1.5 ms, so that the rest of a large picture needn't wait for `RETRY_MS`. */
  #putSoon(piece: Piece): boolean {
    for (let moments = MOMENTS; !this.#put(piece); moments--) {
      if (moments === 0) return false
      Bun.sleepSync(MOMENT_MS)
    }
    return true
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

/** Writes to stderr as long as it takes what it gets: a terminal that does not read must not keep us from ending. */
export function writeError(text: SafeText): void {
  if (!process.stderr.isTTY) {
    printError(text)
    return
  }
  const output = new TerminalOutput(process.stderr.fd)
  output.write(text)
  output.flush()
}

/** Opens the terminal again, since the parent shares its flags. Falls back to `fd`, which blocks. */
function ownDescriptor(fd: number): number {
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants
  for (const path of [`/proc/self/fd/${fd}`, "/dev/tty"]) {
    try {
      return openSync(path, O_WRONLY | O_NONBLOCK | O_NOCTTY)
    } catch {
      // A terminal of another user can't be opened by name.
    }
  }
  return fd
}

/** Ends the process with `code`, at once if nothing is being sent. */
export function exitAfter(sending: Promise<void> | null, code: number): void {
  if (sending === null) process.exit(code)
  void sending.finally(() => process.exit(code))
}
