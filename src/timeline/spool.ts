// Keeps the lines of a live run in a file that nobody else can read, so that memory need not hold them.
import { closeSync, ftruncateSync, mkdirSync, openSync, readdirSync, readSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"
import type { SourceLine } from "../transport/line-splitter.ts"
import { describeFileError } from "../transport/recording-path.ts"
import type { FrameLog } from "./frame-log.ts"
import { LineOffsets } from "./line-offsets.ts"

/** Bytes that wait in memory to be written in one go. */
const BLOCK_BYTES = 64 * 1024
/** Of UTF-8 for a UTF-16 unit, at most. */
const UNIT_BYTES = 3
const LINE_END = 0x0a

/** `run-PID-…`: the process that wrote it, so that one which nobody removed can be told. */
const NAME = /^run-(\d+)-[0-9a-f-]+\.jsonl$/

/** Who is told when the spool has grown, and when it has lost lines and has no others yet. */
export interface Follower {
  grown(): void
  cut(): void
}

/** The tape of a live run. Nothing here throws but `lines`; a file that cannot be written ends it where it is. */
export class Spool implements FrameLog {
  readonly #path: string
  #complain: (why: string) => void = () => undefined
  readonly #stretches = new LineOffsets()
  #fd: number | null = null
  /** Lines that wait, each with its line end, and how many lines and bytes they are. */
  readonly #block = Buffer.allocUnsafe(BLOCK_BYTES)
  #waiting = 0
  #filled = 0
  /** Of what is in the file: lines and bytes. */
  #written = 0
  #size = 0
  #why: string | null = null
  #follower: Follower | null = null

  /**
   * `directory` is made where it is not; what processes that are gone have left in it is removed. `onFailure` says
   * whether the file cannot be had.
   */
  constructor(directory: string) {
    this.#path = join(directory, `run-${process.pid}-${crypto.randomUUID()}.jsonl`)
    this.#try(() => {
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      sweep(directory)
      this.#fd = openSync(this.#path, "wx+", 0o600)
    })
  }

  /** Calls back where the file cannot be had or written, at once where that is known already. */
  onFailure(complain: (why: string) => void): void {
    this.#complain = complain
    if (this.#why !== null) complain(this.#why)
  }

  get length(): number {
    return this.#written + this.#waiting
  }

  /** Why lines are lost since some time; null where none is. */
  get why(): string | null {
    return this.#why
  }

  /** Its file, with all lines in it; null where there is none. */
  get path(): string | null {
    this.#flush()
    return this.#fd === null ? null : this.#path
  }

  /** Adds lines, each without a line end. */
  append(lines: readonly string[]): void {
    if (this.#fd === null) return
    for (const line of lines) {
      if (this.#why !== null) return
      const most = line.length * UNIT_BYTES + 1
      if (most > BLOCK_BYTES - this.#filled) this.#flush()
      if (most > BLOCK_BYTES) this.#write(Buffer.from(`${line}\n`), 1)
      else {
        // Written where it will be taken from: to join the lines first would cost twice as much.
        this.#filled += this.#block.write(line, this.#filled)
        this.#block[this.#filled++] = LINE_END
        this.#waiting++
      }
    }
    this.#follower?.grown()
  }

  /** From now on this one is told. */
  follow(follower: Follower): void {
    this.#follower = follower
  }

  lines(from: number, to: number): readonly SourceLine[] {
    this.#flush()
    if (this.#fd === null) return []
    return this.#stretches.read(this.#fd, Math.max(0, from), Math.min(to, this.#written), this.#size)
  }

  /** Bytes that the lines so far take, each with its line end. */
  get size(): number {
    this.#flush()
    return this.#size
  }

  /** The bytes from `from` up to, and not including, `to`. Throws the error of the file system. */
  bytes(from: number, to: number): Uint8Array {
    if (this.#fd === null) return new Uint8Array()
    const bytes = new Uint8Array(Math.max(0, Math.min(to, this.size) - from))
    return bytes.subarray(0, readSync(this.#fd, bytes, 0, bytes.length, from))
  }

  /** Forgets the lines from `length` on: they are told anew. */
  cut(length: number): void {
    this.#flush()
    const fd = this.#fd
    if (fd === null || this.#why !== null || length >= this.#written) return
    this.#try(() => {
      this.#size = this.#stretches.cut(fd, length, this.#size)
      this.#written = length
      ftruncateSync(fd, this.#size)
    })
    this.#follower?.cut()
  }

  /** Removes the file. */
  close(): void {
    if (this.#fd === null) return
    closeSync(this.#fd)
    this.#fd = null
    rmSync(this.#path, { force: true })
  }

  #flush(): void {
    if (this.#waiting === 0) return
    const bytes = this.#block.subarray(0, this.#filled)
    const lines = this.#waiting
    this.#waiting = 0
    this.#filled = 0
    this.#write(bytes, lines)
  }

  #write(bytes: Uint8Array, lines: number): void {
    const fd = this.#fd
    if (fd === null) return
    this.#try(() => {
      for (let done = 0; done < bytes.length; )
        done += writeSync(fd, bytes, done, bytes.length - done, this.#size + done)
      this.#stretches.begin(this.#written, this.#size)
      this.#written += lines
      this.#size += bytes.length
    })
  }

  #try(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#why ??= describeFileError(error, "can't be written")
      this.#complain(this.#why)
    }
  }
}

/** Removes the spools of processes that are gone. */
function sweep(directory: string): void {
  for (const name of readdirSync(directory)) {
    const pid = NAME.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(directory, name), { force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH")
  }
}
