// Keeps the bookmarks of each run in a private file.
import { chmod, mkdir, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { describeFileError, sessionDirectoryOf } from "../../../packages/wire/src/files/recording-path.ts"
import type { ReceivedFrame } from "../../transport/message.ts"
import { type Bookmark, changedMarks, readBookmarks } from "../../view/bookmark.ts"
import type { RunContext } from "../run-context.ts"
import { discard } from "../state-files.ts"

/** The most UTF-16 units of a key that names a run. */
const MAX_KEY_UNITS = 65_536

export class Bookmarks {
  readonly #file: BookmarkFile

  constructor(
    private readonly context: RunContext,
    directory: string,
    /** The recording that is replayed; null for a live run. */
    private readonly recording: string | null,
  ) {
    this.#file = new BookmarkFile(directory, why => context.notify(`Bookmarks are not saved: ${why}`))
  }

  write(list: readonly Bookmark[]): void {
    void this.#file.write(list)
  }

  /** Reads the bookmarks once the run has a name: its session id, or the first line of its recording. */
  folded(frames: readonly ReceivedFrame[]): void {
    const { store, ask } = this.context
    const { sessionId } = store.get().run.chart
    const report = (list: readonly Bookmark[]): void => ask({ type: "bookmarks/known", list })
    const key = this.recording === null ? sessionId : (frames[0]?.text ?? null)
    if (!this.#file.isOpen && key !== null) void this.#file.open(key.slice(0, MAX_KEY_UNITS)).then(report)
    // A recording has the bookmarks of its live run too, but the rows of a transcript are numbered differently.
    const isRecording = this.recording !== null && sessionDirectoryOf(this.recording) === null
    if (isRecording) this.#file.readOther(sessionId, report)
  }
}

/** The file of one run. A failure to write is reported. */
export class BookmarkFile {
  #path: string | null = null
  #hasReadOther = false
  #written: readonly Bookmark[] = []
  #lastWrite: Promise<void> = Promise.resolve()

  constructor(
    private readonly directory: string,
    private readonly onFailure: (why: string) => void,
  ) {}

  get isOpen(): boolean {
    return this.#path !== null
  }

  /** Opens the file of the run that `key` names, and returns its bookmarks: none if it can't be read. */
  async open(key: string): Promise<readonly Bookmark[]> {
    this.#path = this.#pathOf(key)
    this.#written = await read(this.#path)
    return this.#written
  }

  /** Reads, once, the bookmarks of the same run under another key, and reports them if there are any. */
  readOther(key: string | null, report: (list: readonly Bookmark[]) => void): void {
    if (this.#hasReadOther || key === null) return
    this.#hasReadOther = true
    void read(this.#pathOf(key)).then(list => list.length > 0 && report(list))
  }

  /** Writes the list after earlier ones, atomically. Changes by another screen of the same run stay. */
  write(list: readonly Bookmark[]): Promise<void> {
    const path = this.#path
    if (path === null) return this.#lastWrite
    this.#lastWrite = this.#lastWrite
      .then(async () => {
        await replace(this.directory, path, JSON.stringify(changedMarks(await read(path), this.#written, list)))
        this.#written = list
      })
      .catch(error => this.onFailure(describeFileError(error, "can't write the file")))
    return this.#lastWrite
  }

  #pathOf(key: string): string {
    const name = new Bun.CryptoHasher("sha256").update(key).digest("hex").slice(0, 32)
    return join(this.directory, `${name}.json`)
  }
}

async function read(path: string): Promise<readonly Bookmark[]> {
  try {
    return readBookmarks(JSON.parse(await Bun.file(path).text()))
  } catch {
    return []
  }
}

async function replace(directory: string, path: string, text: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const temporary = `${path}.${crypto.randomUUID()}`
  try {
    await writeFile(temporary, text, { mode: 0o600, flag: "wx" })
    await chmod(temporary, 0o600)
    await rename(temporary, path)
  } catch (error) {
    discard(temporary)
    throw error
  }
}
