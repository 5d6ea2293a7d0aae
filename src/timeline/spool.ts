// Stores the lines of a live run in a private temporary file, so that memory need not hold them.
import { closeSync, ftruncateSync, mkdirSync, openSync, readdirSync, readSync, rmSync, writeSync } from "node:fs"
import { join } from "node:path"
import { errorCode } from "../../packages/wire/src/files/error-code.ts"
import type { SourceLine } from "../../packages/wire/src/files/line-splitter.ts"
import { describeFileError } from "../../packages/wire/src/files/recording-path.ts"
import type { FrameLog } from "./frame-log.ts"
import { LineOffsets } from "./line-offsets.ts"

const BLOCK_BYTES = 64 * 1024
/** The most UTF-8 bytes per UTF-16 unit. */
const UNIT_BYTES = 3
const LINE_END = 0x0a

/** `run-PID-…` names the process that writes the spool, so that spools left behind by a crash can be removed. */
const NAME = /^run-(\d+)-[0-9a-f-]+\.jsonl$/

/** Where the spools lie, which hold what was said in live runs. */
export function spoolDirectory(stateDir: string): string {
  return join(stateDir, "spool")
}

/** Gets every line that is appended, stored or lost, and is called after other changes. */
export interface SpoolFollower {
  onAppend(lines: readonly string[]): void
  onTruncate(): void
  onRewrite(): void
}

/** The frame log of a live run. Only `lines` and `readBytes` throw. If the file can't be written, it ends there. */
export class Spool implements FrameLog {
  #path: string
  #onError: (why: string) => void = () => undefined
  #offsets = new LineOffsets()
  #fd: number | null = null
  /** The write buffer: lines with their line ends, and the number of lines and bytes in it. */
  readonly #block = Buffer.allocUnsafe(BLOCK_BYTES)
  #pending = 0
  #pendingBytes = 0
  /** The number of lines and bytes in the file. */
  #written = 0
  #size = 0
  #lost = 0
  #error: string | null = null
  #follower: SpoolFollower | null = null

  /** Creates `directory` if needed. `onFailure` reports if it fails. */
  constructor(private readonly directory: string) {
    this.#path = join(directory, `run-${process.pid}-${crypto.randomUUID()}.jsonl`)
    this.#try(() => {
      mkdirSync(directory, { recursive: true, mode: 0o700 })
      this.#fd = openSync(this.#path, "wx+", 0o600)
    })
  }

  /** Calls `report` if the file can't be created or written; at once if that is known already. */
  onFailure(report: (why: string) => void): void {
    this.#onError = report
    if (this.#error !== null) report(this.#error)
  }

  get length(): number {
    return this.#written + this.#pending
  }

  /** Why later lines are lost; null if none are. */
  get error(): string | null {
    return this.#error
  }

  get lost(): number {
    return this.#lost
  }

  /** The path of the file, which then contains all lines; null if there is no file. */
  get path(): string | null {
    this.#flush()
    return this.#fd === null ? null : this.#path
  }

  /** Adds lines, each without a line end. */
  append(lines: readonly string[]): void {
    for (const line of lines) this.#add(line)
    this.#follower?.onAppend(lines)
  }

  follow(follower: SpoolFollower): void {
    this.#follower = follower
  }

  lines(from: number, to: number): readonly SourceLine[] {
    this.#flush()
    if (this.#fd === null) return []
    return this.#offsets.read(this.#fd, Math.max(0, from), Math.min(to, this.#written), this.#size)
  }

  get size(): number {
    this.#flush()
    return this.#size
  }

  /** Reads the bytes from `from` on into `chunk`, and returns how many. Throws a file system error. */
  readBytes(chunk: Uint8Array, from: number): number {
    if (this.#fd === null) return 0
    return readSync(this.#fd, chunk, 0, Math.min(chunk.length, this.size - from), from)
  }

  /** Removes the lines from `length` on, because they are rewritten. */
  truncate(length: number): void {
    this.#flush()
    const fd = this.#fd
    if (fd === null || this.#error !== null || length >= this.#written) return
    this.#try(() => {
      this.#size = this.#offsets.truncate(fd, length, this.#size)
      this.#written = length
      ftruncateSync(fd, this.#size)
    })
    this.#follower?.onTruncate()
  }

  /** An empty spool, to write the lines of the run anew. */
  successor(): Spool {
    return new Spool(this.directory)
  }

  /** Replaces all lines with those of `other`, which is used up. */
  takeOver(other: Spool): void {
    other.#flush()
    if (this.#fd === null || other.#fd === null) return
    this.close()
    this.#path = other.#path
    this.#offsets = other.#offsets
    this.#written = other.#written
    this.#size = other.#size
    this.#error = other.#error
    this.#lost = other.#lost
    this.#fd = other.#fd
    other.#fd = null
    this.#follower?.onRewrite()
  }

  /** Removes the file. Under another name, as a run that is kept has, it stays whole. */
  close(): void {
    if (this.#fd === null) return
    this.#flush()
    closeSync(this.#fd)
    this.#fd = null
    rmSync(this.#path, { force: true })
  }

  #add(line: string): void {
    const most = line.length * UNIT_BYTES + 1
    if (most > BLOCK_BYTES - this.#pendingBytes) this.#flush()
    if (this.#fd === null || this.#error !== null) this.#lost++
    else if (most > BLOCK_BYTES) this.#write(Buffer.from(`${line}\n`), 1)
    else {
      // Encoded directly into the buffer: joining the lines first would cost twice as much.
      this.#pendingBytes += this.#block.write(line, this.#pendingBytes)
      this.#block[this.#pendingBytes++] = LINE_END
      this.#pending++
    }
  }

  #flush(): void {
    if (this.#pending === 0) return
    const bytes = this.#block.subarray(0, this.#pendingBytes)
    const lines = this.#pending
    this.#pending = 0
    this.#pendingBytes = 0
    this.#write(bytes, lines)
  }

  #write(bytes: Uint8Array, lines: number): void {
    const fd = this.#fd
    if (fd === null) return
    const isStored = this.#try(() => {
      for (let done = 0; done < bytes.length; )
        done += writeSync(fd, bytes, done, bytes.length - done, this.#size + done)
      this.#offsets.add(this.#written, this.#size)
      this.#written += lines
      this.#size += bytes.length
    })
    if (!isStored) this.#lost += lines
  }

  /** Returns whether `work` succeeded. */
  #try(work: () => void): boolean {
    try {
      work()
      return true
    } catch (error) {
      this.#error ??= describeFileError(error, "can't be written")
      this.#onError(this.#error)
      return false
    }
  }
}

/** Removes spools whose processes are gone. Never throws. */
export function removeStaleSpools(directory: string): void {
  try {
    for (const name of readdirSync(directory)) {
      const pid = NAME.exec(name)?.[1]
      if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(directory, name), { force: true })
    }
  } catch {
    // There is none yet, or they can't be removed.
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) !== "ESRCH"
  }
}
