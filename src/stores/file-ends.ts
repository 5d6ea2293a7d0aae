// Reads the beginning and the end of a session file: files of gigabytes exist.
import { type Dirent, constants as fileConstants } from "node:fs"
import { open, readdir, stat } from "node:fs/promises"
import { join } from "node:path"
import { isObject, type JsonObject, parseJson } from "../../packages/wire/src/json.ts"
import { unpackedText } from "../guest/saved-log.ts"
import type { StoredFile } from "./stored-session.ts"

const END = 64 * 1024

export interface FileEnds {
  /** Each line that is a JSON object, in order; those of the middle are left out of a long file. */
  readonly lines: readonly JsonObject[]
  readonly isWhole: boolean
  /** False for a compressed file of which only the beginning was read. */
  readonly hasEnd: boolean
}

const NOTHING: FileEnds = { lines: [], isWhole: false, hasEnd: false }

/** The lines of both ends of a file, but for those that begin with one of `skips`. Never rejects. */
export async function readEnds({ path, size }: StoredFile, skips: readonly string[] = []): Promise<FileEnds> {
  try {
    // A pipe of that name must not hold us.
    await using file = await open(path, fileConstants.O_RDONLY | fileConstants.O_NONBLOCK)
    if (!(await file.stat()).isFile()) return NOTHING
    const bytes = async (from: number, length: number): Promise<Uint8Array> => {
      const { bytesRead, buffer } = await file.read(new Uint8Array(length), 0, length, from)
      return buffer.subarray(0, bytesRead)
    }
    const read = async (from: number, length: number) => new TextDecoder().decode(await bytes(from, length))
    const isPacked = path.endsWith(".zst")
    const isWhole = size <= 2 * END
    if (isWhole || isPacked) {
      const text = isPacked ? unpackedText(await bytes(0, 2 * END)) : await read(0, size)
      return { lines: objectsIn(text.split("\n"), skips), isWhole, hasEnd: isWhole }
    }
    const [head, tail] = [await read(0, END), await read(size - END, END)]
    const lines = [...head.split("\n").slice(0, -1), ...tail.split("\n").slice(1)]
    return { lines: objectsIn(lines, skips), isWhole, hasEnd: true }
  } catch {
    return NOTHING
  }
}

/** The lines of both ends of several files, one file after the other. Never rejects. */
export async function readAllEnds(files: readonly StoredFile[], skips: readonly string[] = []): Promise<FileEnds> {
  const ends = await Promise.all(files.map(file => readEnds(file, skips)))
  const isWhole = ends.every(one => one.isWhole)
  return { lines: ends.flatMap(({ lines }) => lines), isWhole, hasEnd: true }
}

function objectsIn(lines: readonly string[], skips: readonly string[]): readonly JsonObject[] {
  const read = lines.filter(line => line !== "" && !skips.some(begin => line.startsWith(begin)))
  return read.map(line => parseJson(line)).filter(value => isObject(value))
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
