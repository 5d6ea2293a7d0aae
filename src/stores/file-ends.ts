// Reads the beginning and the end of a session file: files of gigabytes exist.
import { type Dirent, constants as fileConstants } from "node:fs"
import { open, readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { isObject, type JsonObject, parseJson } from "../../packages/wire/src/json.ts"
import { unpackedText } from "../guest/saved-log.ts"
import type { StoredFile } from "./stored-session.ts"

const END = 64 * 1024

/** The lines of a session file that are read; those of the middle are left out of a long one. */
export class FileEnds {
  readonly #kinds: readonly (string | undefined)[]
  readonly #values: (JsonObject | null | undefined)[] = []

  /**
   * `kinds` finds the kind of a line in its text, so that few lines are parsed. `isWhole`: nothing is left out.
   * `hasEnd`: false for a compressed file of which only the beginning was read.
   */
  constructor(
    private readonly texts: readonly string[],
    kinds: RegExp,
    readonly isWhole: boolean,
    readonly hasEnd = true,
  ) {
    this.#kinds = texts.map(text => kinds.exec(text)?.[1])
  }

  /** What the first line tells that tells something, of all or of those of these kinds. */
  first<T>(of: (line: JsonObject) => T | null | "", ...kinds: readonly string[]): T | null {
    return this.#find([...this.texts.keys()], of, kinds)
  }

  last<T>(of: (line: JsonObject) => T | null | "", ...kinds: readonly string[]): T | null {
    return this.#find([...this.texts.keys()].reverse(), of, kinds)
  }

  /** The lines of a kind, of those behind the last one of the kind `after`. */
  all(kind: string, after?: string): readonly JsonObject[] {
    const from = after === undefined ? 0 : this.#kinds.lastIndexOf(after)
    const lines = this.texts.map((_, i) => (i < from ? null : this.#told(i, line => line, [kind])))
    return lines.filter(line => line !== null)
  }

  #find<T>(order: readonly number[], of: (line: JsonObject) => T | null | "", kinds: readonly string[]): T | null {
    for (const at of order) {
      const told = this.#told(at, of, kinds)
      if (told) return told
    }
    return null
  }

  #told<T>(at: number, of: (line: JsonObject) => T, kinds: readonly string[]): T | null {
    if (kinds.length > 0 && !kinds.includes(this.#kinds[at] ?? "")) return null
    let value = this.#values[at]
    if (value === undefined) {
      const parsed = parseJson(this.texts[at] ?? "")
      value = isObject(parsed) ? parsed : null
      this.#values[at] = value
    }
    return value && of(value)
  }
}

/** The lines of both ends of a file, but for those that begin with one of `skips`. Never rejects. */
export async function readEnds(
  { path, size }: StoredFile,
  kinds: RegExp,
  skips: readonly string[] = [],
): Promise<FileEnds> {
  const ends = (texts: readonly string[], ...told: [isWhole: boolean, hasEnd?: boolean]) =>
    new FileEnds(
      texts.filter(text => !skips.some(begin => text.startsWith(begin))),
      kinds,
      ...told,
    )
  try {
    // A pipe of that name must not hold us.
    await using file = await open(path, fileConstants.O_RDONLY | fileConstants.O_NONBLOCK)
    if (!(await file.stat()).isFile()) return ends([], false, false)
    const bytes = async (from: number, length: number): Promise<Uint8Array> => {
      const { bytesRead, buffer } = await file.read(new Uint8Array(length), 0, length, from)
      return buffer.subarray(0, bytesRead)
    }
    const read = async (from: number, length: number) => new TextDecoder().decode(await bytes(from, length)).split("\n")
    const isWhole = size <= 2 * END
    if (path.endsWith(".zst")) return ends(unpackedText(await bytes(0, 2 * END)).split("\n"), isWhole, isWhole)
    if (isWhole) return ends(await read(0, size), true)
    const [head, tail] = [await read(0, END), await read(size - END, END)]
    // A line that fills the end is passed over.
    const isFilled = tail.length > 1 && (tail[0]?.length ?? 0) > END / 2
    const before = isFilled ? await read(Math.max(END, size - 2 * END), END) : []
    return ends([...head.slice(0, -1), ...before.slice(1, -1), ...tail.slice(1)], false)
  } catch {
    return ends([], false, false)
  }
}

/** The ends of several files; null if some were not read whole. */
export async function readWhole(
  files: readonly StoredFile[],
  own: FileEnds,
  kinds: RegExp,
  skips: readonly string[] = [],
): Promise<readonly FileEnds[] | null> {
  const all = own.isWhole ? [...(await Promise.all(files.map(file => readEnds(file, kinds, skips)))), own] : []
  return own.isWhole && all.every(({ isWhole }) => isWhole) ? all : null
}

/** The regular files below a directory whose paths below it match. Never rejects. */
export async function filesBelow(root: string, paths: RegExp, below = ""): Promise<StoredFile[]> {
  const foldersAbove = (text: string): number => text.split("/").length - 1
  const depth = foldersAbove(paths.source) - (below === "" ? 0 : foldersAbove(below) + 1)
  const entries: readonly Dirent[] = await readdir(join(root, below), { withFileTypes: true }).catch(() => [])
  const found = await Promise.all(
    entries.map(async (entry): Promise<StoredFile[]> => {
      const path = below === "" ? entry.name : `${below}/${entry.name}`
      if (entry.isDirectory()) return depth === 0 ? [] : filesBelow(root, paths, path)
      const file = entry.isFile() && paths.test(path) ? await storedFile(join(root, path)) : null
      return file === null ? [] : [file]
    }),
  )
  return found.flat()
}

/** A regular file; null if there is none. Never rejects. */
export async function storedFile(path: string): Promise<StoredFile | null> {
  const found = await stat(path).catch(() => null)
  if (found?.isFile() !== true) return null
  return { path, inode: found.ino, size: found.size, changedAt: Math.floor(found.mtimeMs) }
}
