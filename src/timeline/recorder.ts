// Records a live run: copies its spool to a permanent file.
import { closeSync, fstatSync, ftruncateSync, mkdirSync, openSync, readSync, writeSync } from "node:fs"
import { dirname } from "node:path"
import { noteFrame } from "../protocol/encode.ts"
import { sanitizeLine } from "../protocol/sanitize.ts"
import { describeFileError } from "../transport/recording-path.ts"
import type { Spool, SpoolFollower } from "./spool.ts"

/** Bytes copied at a time. */
const CHUNK_BYTES = 1024 * 1024
const LINE_END = 0x0a

export interface RecorderOptions {
  readonly spool: Spool
  readonly path: string
  /** Notifies the person that recording has started, stopped or failed. */
  readonly notify: (text: string, level?: "info") => void
  /** Epoch ms. */
  readonly now: () => number
  /** Called when recording starts or ends. */
  readonly onToggle: (isOn: boolean) => void
}

/** Appends the whole spool, from the first line, to a file (docs/decisions.md 1.11). Nothing throws. */
export class Recorder implements SpoolFollower {
  #fd: number | null = null
  /** The byte offset at which the run begins in the file. */
  #base = 0
  /** The number of bytes of the spool in the file. */
  #copied = 0
  /** The size of the file when it was closed, bytes. A different size later means that somebody else wrote to it. */
  #sizeAtClose = -1

  constructor(private readonly options: RecorderOptions) {
    options.spool.follow(this)
  }

  /** Starts or stops recording. After a pause, the lines that came meanwhile are copied too. */
  toggle(): void {
    if (this.#fd !== null) {
      this.close()
      this.options.notify(`Saved ${sanitizeLine(this.options.path)}`, "info")
      return
    }
    this.#try(() => {
      this.#fd = this.#open()
      this.#copy()
      this.options.onToggle(true)
      this.options.notify(`Recording to ${sanitizeLine(this.options.path)}`, "info")
    })
  }

  onGrowth(): void {
    if (this.#fd !== null) this.#try(() => this.#copy())
  }

  onTruncate(): void {
    const { size } = this.options.spool
    if (size >= this.#copied) return
    const before = this.#base + this.#copied
    this.#copied = size
    const fd = this.#fd
    if (fd === null) return
    this.#try(() => {
      // A different size means that somebody else has appended to the file, which must not be removed.
      if (fstatSync(fd).size === before) ftruncateSync(fd, this.#base + size)
    })
  }

  /** Closes the file, which remains. */
  close(): void {
    if (this.#fd === null) return
    const fd = this.#fd
    this.#fd = null
    this.options.onToggle(false)
    this.#sizeAtClose = fstatSync(fd).size
    closeSync(fd)
  }

  #open(): number {
    const { path } = this.options
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const fd = openSync(path, "a+", 0o600)
    const { size } = fstatSync(fd)
    if (size === this.#sizeAtClose) ftruncateSync(fd, this.#base + this.#copied)
    else {
      const last = Buffer.alloc(1, LINE_END)
      if (size > 0) readSync(fd, last, 0, 1, size - 1)
      // An incomplete last line gets a line end. A `start` note separates our run from an earlier one in the file.
      this.#base = last[0] === LINE_END ? size : size + writeSync(fd, "\n")
      if (size > 0) this.#base += writeSync(fd, `${noteFrame(this.options.now(), "start", {}).text}\n`)
      this.#copied = 0
    }
    return fd
  }

  #copy(): void {
    const { spool } = this.options
    const { size } = spool
    while (this.#fd !== null && this.#copied < size) {
      const bytes = spool.bytes(this.#copied, Math.min(size, this.#copied + CHUNK_BYTES))
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#fd, bytes, done)
      this.#copied += bytes.length
    }
    if (spool.error !== null) this.#end(spool.error)
  }

  #try(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#end(describeFileError(error, "can't be written"))
    }
  }

  /** Ends the recording after an error, and tries to remove a partly written line. */
  #end(why: string): void {
    try {
      if (this.#fd !== null) ftruncateSync(this.#fd, this.#base + this.#copied)
    } catch {
      // An incomplete last line does no harm.
    }
    this.close()
    this.options.notify(`Can't record to ${sanitizeLine(this.options.path)}: ${why}`)
  }
}
