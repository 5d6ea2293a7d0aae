// Records a live run to a permanent file: first what its spool has, then each line as it comes.
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  unlinkSync,
  writeSync,
} from "node:fs"
import { dirname } from "node:path"
import { noteFrame } from "../../packages/wire/src/encode.ts"
import { describeFileError } from "../../packages/wire/src/files/recording-path.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import type { Spool, SpoolFollower } from "./spool.ts"

const CHUNK_BYTES = 256 * 1024
/** Bytes copied before the event loop gets a turn. */
const AT_ONCE_BYTES = 16 * CHUNK_BYTES
/** The most ms of copying when the program ends. */
const CLOSE_MS = 1000
const LINE_END = 0x0a

export interface RecorderOptions {
  readonly spool: Spool
  readonly path: string
  /** Notifies the person that recording has started, stopped or failed. */
  readonly notify: (text: string, level?: "info") => void
  /** Epoch ms. */
  readonly now: () => number
  readonly onToggle: (isOn: boolean) => void
}

/** Appends the whole run, from the first line, to a file (docs/decisions.md 1.11). Nothing throws. */
export class Recorder implements SpoolFollower {
  #fd: number | null = null
  /** The byte offset at which the run begins in the file. */
  #base = 0
  /** The number of bytes and lines of the run in the file. */
  #copied = 0
  #lines = 0
  /** Called once the file has all lines of the spool; null while it has them. */
  #whenCopied: (() => void) | null = null
  #chunk: Uint8Array | null = null
  /** The size of the file when it was closed, bytes. A different size later means that somebody else wrote to it. */
  #sizeAtClose = -1

  constructor(private readonly options: RecorderOptions) {
    options.spool.follow(this)
  }

  /** Starts or stops recording; what the file lacks is copied first. After a pause, that is what came meanwhile. */
  toggle(): void {
    this.#try(() => {
      if (this.#fd === null) this.#start()
      else if (this.#whenCopied === null) this.#save()
      else this.#whenCopied = () => this.#save()
    })
  }

  #start(): void {
    this.#fd = this.#open()
    this.options.onToggle(true)
    this.#startCopying(() => this.#announce())
    if (this.#whenCopied === null) return
    const { spool, path, notify } = this.options
    notify(`Copying ${Math.round(spool.size / 1e6)} MB to ${sanitizeLine(path)}`, "info")
  }

  #announce(): void {
    const { notify, spool } = this.options
    const path = sanitizeLine(this.options.path)
    const missing = spool.length + spool.lost - this.#lines
    const lines = missing === 1 ? "line" : "lines"
    if (missing === 0) notify(`Recording to ${path}`, "info")
    else notify(`Recording to ${path}, without ${missing} earlier ${lines}, which could not be stored: ${spool.error}`)
  }

  #save(): void {
    this.#close()
    this.options.notify(`Saved ${sanitizeLine(this.options.path)}`, "info")
  }

  /** Written here, since the spool may have failed; and the file, unlike the spool's, is complete at any time. */
  onAppend(lines: readonly string[]): void {
    const fd = this.#fd
    if (fd === null || lines.length === 0 || this.#whenCopied !== null) return
    this.#try(() => {
      if (fstatSync(fd).nlink === 0) return this.#fail("the file was removed")
      this.#write(fd, Buffer.from(`${lines.join("\n")}\n`))
      this.#lines += lines.length
    })
  }

  onTruncate(): void {
    const { size, length } = this.options.spool
    if (size < this.#copied) this.#truncate(size, length)
  }

  onRewrite(): void {
    this.#truncate(0, 0)
    if (this.#fd !== null) this.#startCopying(this.#whenCopied ?? (() => undefined))
  }

  #truncate(size: number, lines: number): void {
    const before = this.#base + this.#copied
    this.#copied = size
    this.#lines = lines
    const fd = this.#fd
    if (fd === null) return
    this.#try(() => {
      // A different size means that somebody else has appended to the file, which must not be removed.
      if (fstatSync(fd).size === before) ftruncateSync(fd, this.#base + size)
    })
  }

  #startCopying(then: () => void): void {
    const isCopying = this.#whenCopied !== null
    this.#whenCopied = then
    if (!isCopying) this.#copyOn()
  }

  /** Copies on, with turns of the event loop in between. Lines that come meanwhile are copied from the spool too. */
  #copyOn(): void {
    this.#try(() => {
      if (!this.#copy(AT_ONCE_BYTES)) {
        setImmediate(() => this.#copyOn())
        return
      }
      const done = this.#whenCopied
      this.#whenCopied = null
      done?.()
    })
  }

  close(): void {
    this.#try(() => this.#close())
  }

  #close(): void {
    const fd = this.#fd
    if (fd === null) return
    const until = performance.now() + CLOSE_MS
    while (this.#whenCopied !== null && !this.#copy(AT_ONCE_BYTES) && performance.now() < until) {
      // What is not copied by then is lost, because the program must end.
    }
    this.#whenCopied = null
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
      this.#lines = 0
    }
    return fd
  }

  /** Copies what the spool has and the file lacks, at most `most` bytes. Returns whether that is all. */
  #copy(most: number): boolean {
    const { spool } = this.options
    const { size } = spool
    const until = this.#copied + most
    if (this.#fd === null || this.#copied >= size) return true
    this.#chunk ??= Buffer.allocUnsafe(CHUNK_BYTES)
    while (this.#copied < size) {
      if (this.#copied >= until) return false
      this.#write(this.#fd, this.#chunk.subarray(0, spool.readBytes(this.#chunk, this.#copied)))
    }
    this.#lines = spool.length
    return true
  }

  #write(fd: number, bytes: Uint8Array): void {
    for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done)
    this.#copied += bytes.length
  }

  #try(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.#fail(describeFileError(error, "can't be written"))
    }
  }

  /** Ends the recording, and tries to remove a partly written line, or the file if nothing is in it. */
  #fail(why: string): void {
    this.#whenCopied = null
    const { path } = this.options
    try {
      if (this.#fd !== null) {
        ftruncateSync(this.#fd, this.#base + this.#copied)
        const named = lstatSync(path)
        // By then the name may be another file's, a link or a device.
        if (named.isFile() && named.size === 0 && named.ino === fstatSync(this.#fd).ino) unlinkSync(path)
      }
    } catch {
      // An incomplete last line does no harm.
    }
    this.close()
    this.options.notify(`Can't record to ${sanitizeLine(path)}: ${why}`)
  }
}
