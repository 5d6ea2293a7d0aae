// Keeps the bookmarks of a run in a file that nobody else can read.
import { chmod, mkdir, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type Bookmark, changedMarks, readBookmarks } from "../../view/bookmark.ts"

/** Characters of a run's name that tell it from another. */
const MOST_KEY = 65_536

/** The file of one run. What cannot be written is told once. */
export class BookmarkFile {
  private path: string | null = null
  private last: Promise<void> = Promise.resolve()
  /** The list as it was read, or written last. */
  private isRead = false
  private written: readonly Bookmark[] = []

  constructor(
    private readonly directory: string,
    private readonly complain: (why: string) => void,
  ) {}

  /** Opens the file as soon as a key is known that names the run; from then on a key does nothing. */
  name(key: string | null, known: (list: readonly Bookmark[]) => void): void {
    if (this.path === null && key !== null) void this.open(key.slice(0, MOST_KEY)).then(known)
  }

  /** Reads once what was kept of a run under another key: of a recording, when the run that it is of was live. */
  also(key: string | null, known: (list: readonly Bookmark[]) => void): void {
    if (this.isRead || key === null) return
    this.isRead = true
    void read(this.pathOf(key)).then(list => list.length > 0 && known(list))
  }

  /** Opens the file of the run that `key` names, and gives what it holds: nothing where it cannot be read. */
  async open(key: string): Promise<readonly Bookmark[]> {
    this.path = this.pathOf(key)
    this.written = await read(this.path)
    return this.written
  }

  private pathOf(key: string): string {
    const name = new Bun.CryptoHasher("sha256").update(key).digest("hex").slice(0, 32)
    return join(this.directory, `${name}.json`)
  }

  /**
   * Writes the list, after what was written before; a reader sees the old list or the new one, never half of it. What
   * another screen of the same run has marked or deleted meanwhile is kept so.
   */
  write(list: readonly Bookmark[]): Promise<void> {
    const { path } = this
    if (path === null) return this.last
    this.last = this.last
      .then(async () => {
        await replace(this.directory, path, JSON.stringify(changedMarks(await read(path), this.written, list)))
        this.written = list
      })
      .catch(fault => {
        this.complain(fault instanceof Error ? fault.message : String(fault))
      })
    return this.last
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
  const fresh = `${path}.${crypto.randomUUID()}`
  await writeFile(fresh, text, { mode: 0o600, flag: "wx" })
  await chmod(fresh, 0o600)
  await rename(fresh, path)
}
