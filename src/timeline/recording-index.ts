// Keeps what reading a recording found, its states and where its lines are, so that it opens at once the next time.
import { closeSync, fstatSync, mkdirSync, openSync, readSync, renameSync, rmSync, writeSync } from "node:fs"
import { openRecordingSync } from "../../packages/wire/src/files/recording-path.ts"
import type { TimelineMarkers } from "../query/timeline-markers.ts"
import { type DeltaSnapshot, withoutLines } from "../run/memory/delta-snapshot.ts"
import type { SnapshotHead, StateStore, StoredState } from "../run/memory/snapshots.ts"
import { StoredObjects } from "../run/memory/stored-objects.ts"
import type { Run } from "../run/model/run.ts"
import type { IndexedLines } from "./frame-log.ts"
import { type FileIdentity, identityOf, indexPath, stillBeginsWith, sweep, touch } from "./index-directory.ts"
import { checksum, type Places, pack, RecordFile, readPacked } from "./record-file.ts"

const MB = 1024 * 1024

/** Bounds in bytes (docs/trust.md). */
export interface IndexLimits {
  /** A shorter recording has no index: it is read as fast. */
  readonly least: number
  /** The most of one index, and of all. */
  readonly most: number
  readonly mostOfAll: number
  /** How large a state, not compressed, may be for each line that it saves from being folded. */
  readonly perLine: number
}

const LIMITS: IndexLimits = { least: 16 * MB, most: 128 * MB, mostOfAll: 512 * MB, perLine: 24 }
/** The last bytes of an index: where its contents are, their length and their hash. */
const TRAILER_BYTES = 24

export interface IndexOptions {
  readonly directory: string
  /** Names the build of the program: what another one wrote is thrown away. */
  readonly program: string
  /** The run before its first line, with its options. */
  readonly first: Run
  readonly limits?: IndexLimits
}

export interface FoundIndex {
  readonly present: Run
  readonly marks: TimelineMarkers
  readonly lines: IndexedLines
}

interface KeptState {
  readonly record: number
  readonly head: SnapshotHead
  readonly gap: number
}

interface Contents {
  readonly program: string
  readonly options: string
  readonly identity: FileIdentity
  readonly lines: IndexedLines
  readonly places: Places
  readonly states: readonly KeptState[]
  /** The record of the present and its markers. */
  readonly end: number
}

/** The index of one recording. Nothing here throws once it is open: an index that fails is given up. */
export class RecordingIndex implements StateStore, Disposable {
  readonly states: readonly StoredState[]
  #found: FoundIndex | null
  readonly #kept: KeptState[]
  readonly #file: RecordFile
  readonly #objects: StoredObjects
  /** The new index, until it is finished. */
  #temporary: string | null = null
  #recordingFd: number | null
  #indexFd: number | null
  #hasFailed = false
  readonly #limits: IndexLimits

  private constructor(
    private readonly options: IndexOptions,
    recordingFd: number,
    private readonly path: string,
    opened: { readonly fd: number; readonly contents: Contents } | null,
  ) {
    const { prices, limits } = options.first.options
    this.#limits = options.limits ?? LIMITS
    this.#recordingFd = recordingFd
    this.#indexFd = opened?.fd ?? null
    this.#file = new RecordFile(opened?.fd ?? null, opened?.contents.places)
    this.#objects = new StoredObjects(this.#file, [prices, limits])
    this.#kept = [...(opened?.contents.states ?? [])]
    this.states = this.#kept.map(state => this.#stored(state))
    this.#found = opened === null ? null : this.#restoreEnd(opened.contents)
  }

  /** Null for a short recording, or if it can't be read. Never throws. */
  static open(recording: string, options: IndexOptions): RecordingIndex | null {
    let fd: number | null = null
    try {
      fd = openRecordingSync(recording)
      if (fstatSync(fd).size >= (options.limits ?? LIMITS).least) {
        const path = indexPath(options.directory, fd)
        return RecordingIndex.#openAt(path, fd, options) ?? new RecordingIndex(options, fd, path, null)
      }
    } catch {
      // Reading the recording will say what is wrong with it.
    }
    if (fd !== null) closeSync(fd)
    return null
  }

  /** Null if there is no index at `path` that fits. */
  static #openAt(path: string, recordingFd: number, options: IndexOptions): RecordingIndex | null {
    let fd: number | null = null
    try {
      fd = openRecordingSync(path)
      const contents = contentsOf(fd)
      const { program, options: folded, identity } = contents
      const fits = program === options.program && folded === nameOf(options.first)
      if (fits && stillBeginsWith(recordingFd, identity)) {
        const index = new RecordingIndex(options, recordingFd, path, { fd, contents })
        touch(path)
        return index
      }
    } catch {
      // It is not there, or damaged.
    }
    if (fd !== null) closeSync(fd)
    return null
  }

  /** What an earlier opening found; null if nothing fits, and once this is closed. */
  get found(): FoundIndex | null {
    return this.#found
  }

  put(state: DeltaSnapshot): StoredState | null {
    if (this.#hasFailed) return null
    try {
      this.#begin()
      const before = this.#file.plainBytes
      const record = this.#objects.store(state)
      if (this.#file.end > this.#limits.most) throw new RangeError("the index is too long")
      const { frames, lastTs, epochs } = state.run
      const head = { frames, lastTs, epochs: epochs.map(({ highest }) => ({ highest })) }
      const kept = { record, head, gap: Math.ceil((this.#file.plainBytes - before) / this.#limits.perLine) }
      this.#kept.push(kept)
      return this.#stored(kept)
    } catch {
      this.#giveUp()
      return null
    }
  }

  /**
   * Puts the new index in place of the old one, if states were put. `lines` are those of the present. Runs in steps,
   * since a long run has said much; it comes to nothing if this is closed meanwhile.
   */
  *finish(present: Run, marks: TimelineMarkers, lines: IndexedLines): Generator<void> {
    const { options } = this
    const [recordingFd, indexFd, temporary] = [this.#recordingFd, this.#indexFd, this.#temporary]
    if (temporary === null || recordingFd === null || indexFd === null) return
    try {
      const light = withoutLines(present)
      for (const { entries, stages, replies } of light.sessions) {
        for (const items of [...entries.full, ...stages.full, ...replies.full]) {
          if (!Array.isArray(items)) this.#objects.store(items)
        }
        yield
        if (this.#temporary !== temporary) return
      }
      const end = this.#objects.store({ present: light, marks })
      const contents: Contents = {
        program: options.program,
        options: nameOf(options.first),
        identity: identityOf(recordingFd, lines.bytes),
        lines,
        places: this.#file.places(),
        states: this.#kept,
        end,
      }
      writeContents(indexFd, contents)
      renameSync(temporary, this.path)
      this.#temporary = null
      sweep(options.directory, this.#limits.mostOfAll)
    } catch {
      this.#giveUp()
    }
  }

  /** What was not finished is removed. May be called more than once. */
  [Symbol.dispose](): void {
    this.#giveUp()
    this.#found = null
    this.#file.close()
    for (const fd of [this.#recordingFd, this.#indexFd]) if (fd !== null) closeSync(fd)
    this.#recordingFd = null
    this.#indexFd = null
  }

  /** Opens a new file beside the index, which begins with what the index has. */
  #begin(): void {
    if (this.#temporary !== null) return
    mkdirSync(this.options.directory, { recursive: true, mode: 0o700 })
    this.#temporary = `${this.path}.${crypto.randomUUID()}`
    sweep(this.options.directory, this.#limits.mostOfAll)
    const fd = openSync(this.#temporary, "wx+", 0o600)
    if (this.#indexFd !== null) copyStart(this.#indexFd, fd, this.#file.end)
    this.#file.continueIn(fd)
    if (this.#indexFd !== null) closeSync(this.#indexFd)
    this.#indexFd = fd
  }

  /** What was put can still be read. */
  #giveUp(): void {
    this.#hasFailed = true
    if (this.#temporary !== null) remove(this.#temporary)
    this.#temporary = null
  }

  #stored({ record, head, gap }: KeptState): StoredState {
    const read = (): DeltaSnapshot | null => {
      try {
        return this.#objects.restore(record) as DeltaSnapshot
      } catch {
        remove(this.path)
        return null
      }
    }
    return { head, gap, read }
  }

  #restoreEnd({ end, lines }: Contents): FoundIndex {
    const { present, marks } = this.#objects.restore(end) as Pick<FoundIndex, "present" | "marks">
    return { present, marks, lines }
  }
}

/** The options that a run was folded with, as one text. */
function nameOf({ options: { strategy, rowWindow, textBudget, limits, prices } }: Run): string {
  const all = JSON.stringify([strategy, rowWindow, textBudget, limits, [...prices]])
  return new Bun.CryptoHasher("sha256").update(all).digest("hex")
}

function writeContents(fd: number, contents: Contents): void {
  const { end } = contents.places
  const { packed } = pack(contents)
  writeAll(fd, packed, end)
  const hash = checksum(fd, end + packed.length)
  const trailer = BigUint64Array.of(BigInt(end), BigInt(packed.length), hash)
  writeAll(fd, new Uint8Array(trailer.buffer), end + packed.length)
}

/** Throws if the file is damaged. */
function contentsOf(fd: number): Contents {
  const trailer = new BigUint64Array(TRAILER_BYTES / BigUint64Array.BYTES_PER_ELEMENT)
  const end = fstatSync(fd).size - TRAILER_BYTES
  readSync(fd, trailer, 0, TRAILER_BYTES, end)
  const [offset = 0n, length = 0n, hash = 0n] = trailer
  if (Number(offset + length) !== end || checksum(fd, end) !== hash) throw new Error("the index is damaged")
  return readPacked(fd, Number(offset), Number(length)) as Contents
}

function writeAll(fd: number, bytes: Uint8Array, offset: number): void {
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, offset + at)
}

function copyStart(from: number, to: number, length: number): void {
  const block = Buffer.allocUnsafe(MB)
  for (let at = 0; at < length; ) {
    const read = readSync(from, block, 0, Math.min(MB, length - at), at)
    if (read === 0) throw new Error("damaged")
    at += writeSync(to, block, 0, read, at)
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {}
}
