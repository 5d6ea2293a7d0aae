// Resolves names below a directory, including links, and refuses everything outside it.
import { constants } from "node:fs"
import { type FileHandle, lstat, open, realpath } from "node:fs/promises"
import { isAbsolute, resolve, sep } from "node:path"
import { ReadRefusal } from "./result.ts"

/**
 * The real path of `name` below `root`, which must be a real path itself. Throws a ReadRefusal if the name is absolute
 * or leads outside by `..` or a link; throws a file system error if there is no such file.
 */
export async function resolveBelow(root: string, name: string): Promise<string> {
  if (isAbsolute(name)) throw new ReadRefusal("absolute paths can't be read")
  if (!isBelow(root, resolve(root, name))) throw new ReadRefusal("outside the session directory")
  const real = await realpath(resolve(root, name))
  if (!isBelow(root, real)) throw new ReadRefusal("a link that leads outside the session directory")
  return real
}

/** Opens a regular file for reading. Throws as `resolveBelow` does, also if the path changes meanwhile. */
export async function openBelow(root: string, name: string): Promise<FileHandle> {
  const real = await resolveBelow(root, name)
  const found = await lstat(real)
  if (!found.isFile()) throw new ReadRefusal(found.isDirectory() ? "is a directory" : "not a regular file")
  // Non-blocking, so that a pipe which has replaced the file can't make `open` wait for a writer.
  const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const opened = await file.stat()
    const same = opened.isFile() && opened.ino === found.ino && opened.dev === found.dev
    if (!same || (await resolveBelow(root, name)) !== real) throw new ReadRefusal("changed while it was being opened")
    return file
  } catch (error) {
    await file.close().catch(() => undefined)
    throw error
  }
}

function isBelow(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)
}
