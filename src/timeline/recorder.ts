// Copies what the spool of a live run gets to a file that stays: the recording of the run.
import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, readSync, writeSync } from "node:fs"
import { dirname, join } from "node:path"
import { encodeNote } from "../protocol/encode.ts"
import { sanitizeLine } from "../protocol/sanitize.ts"
import { describeFileError } from "../transport/recording-path.ts"
import type { Follower, Spool } from "./spool.ts"

/** Bytes that are copied in one go. */
const CHUNK_BYTES = 1024 * 1024
const LINE_END = 0x0a

/** Where a run is recorded that nobody named a file for: below the directory of the program's own state. */
export function recordingName(directory: string, now: number): string {
  return join(directory, "recordings", `${new Date(now).toISOString().replaceAll(":", "-")}-${process.pid}.jsonl`)
}

export interface RecorderOptions {
  readonly spool: Spool
  readonly path: string
  /** Told in words what became of a wish, and once why the recording ended by itself. */
  readonly tell: (text: string, level?: "info") => void
  /** Epoch ms. */
  readonly now: () => number
  /** Told whether it records. */
  readonly show: (isOn: boolean) => void
}

/**
 * A recording of one run (docs/decisions.md 1.11): behind what the file had before, the bytes of the spool from its first
 * line on, whenever it was begun. Nothing here throws.
 */
export class Recorder implements Follower {
  readonly #options: RecorderOptions
  #fd: number | null = null
  /** Where in the file the run begins, bytes. */
  #base = 0
  /** Bytes of the spool that the file has. */
  #copied = 0
  /** Bytes of the file when it was let go: another size means that somebody else wrote. */
  #left = -1

  constructor(options: RecorderOptions) {
    this.#options = options
    options.spool.follow(this)
  }

  /** Begins, or ends. What came in between is copied when it begins again. */
  toggle(): void {
    if (this.#fd !== null) {
      this.close()
      this.#options.tell(`Recorded to ${sanitizeLine(this.#options.path)}`, "info")
      return
    }
    this.#try(() => {
      this.#fd = this.#open()
      this.#copy()
      this.#options.show(true)
      this.#options.tell(`Records to ${sanitizeLine(this.#options.path)}`, "info")
    })
  }

  grown(): void {
    if (this.#fd !== null) this.#try(() => this.#copy())
  }

  cut(): void {
    const { size } = this.#options.spool
    if (size >= this.#copied) return
    const had = this.#base + this.#copied
    this.#copied = size
    const fd = this.#fd
    if (fd === null) return
    this.#try(() => {
      // What somebody else added is not ours to remove.
      if (fstatSync(fd).size === had) ftruncateSync(fd, this.#base + size)
    })
  }

  /** Lets go of the file, which stays. */
  close(): void {
    if (this.#fd === null) return
    const fd = this.#fd
    this.#fd = null
    this.#options.show(false)
    this.#left = fstatSync(fd).size
    closeSync(fd)
  }

  #open(): number {
    const { path } = this.#options
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const fd = openSync(path, "a+", 0o600)
    const { size } = fstatSync(fd)
    if (size === this.#left) ftruncateSync(fd, this.#base + this.#copied)
    else {
      const last = Buffer.alloc(1, LINE_END)
      if (size > 0) readSync(fd, last, 0, 1, size - 1)
      // What was torn there stays a line of its own; what follows is a run of its own, whatever its numbers are.
      this.#base = last[0] === LINE_END ? size : size + writeSync(fd, "\n")
      if (size > 0) this.#base += writeSync(fd, `${encodeNote(this.#options.now(), "start", {})}\n`)
      this.#copied = 0
    }
    return fd
  }

  #copy(): void {
    const { spool } = this.#options
    const { size } = spool
    while (this.#fd !== null && this.#copied < size) {
      const bytes = spool.bytes(this.#copied, Math.min(size, this.#copied + CHUNK_BYTES))
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#fd, bytes, done)
      this.#copied += bytes.length
    }
    if (spool.why !== null) this.#end(spool.why)
  }

  #try(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#end(describeFileError(error, "can't be written"))
    }
  }

  /** Ends it where it is; a line that was written in part goes, where that can be had. */
  #end(why: string): void {
    try {
      if (this.#fd !== null) ftruncateSync(this.#fd, this.#base + this.#copied)
    } catch {
      // A torn last line is no harm.
    }
    this.close()
    this.#options.tell(`Not recorded: ${sanitizeLine(this.#options.path)}: ${why}`)
  }
}
