// Finds the file that a name below a directory means, links resolved, and refuses what lies outside.
import { constants } from "node:fs"
import { type FileHandle, lstat, open, realpath } from "node:fs/promises"
import { isAbsolute, resolve, sep } from "node:path"
import { ReadRefusal } from "./result.ts"

const OUTSIDE = "lies outside the session directory"

/**
 * The real path of `name` below `root`, which is a real path itself. Throws a Refusal where the name is absolute, or
 * leads out by `..` or by a link; throws the error of the file system where there is nothing.
 */
export async function resolveBelow(root: string, name: string): Promise<string> {
  if (isAbsolute(name)) throw new ReadRefusal(`an absolute path, which ${OUTSIDE}`)
  if (!isBelow(root, resolve(root, name))) throw new ReadRefusal(OUTSIDE)
  const real = await realpath(resolve(root, name))
  if (!isBelow(root, real)) throw new ReadRefusal(`a link, which ${OUTSIDE.replace("lies", "leads")}`)
  return real
}

/**
 * Opens the regular file that `name` means, to read it. Throws as `resolveBelow` does, and a Refusal for a directory, a
 * pipe or a device. A path that is changed into another one meanwhile is refused as well.
 */
export async function openBelow(root: string, name: string): Promise<FileHandle> {
  const real = await resolveBelow(root, name)
  const found = await lstat(real)
  if (!found.isFile()) throw new ReadRefusal(found.isDirectory() ? "a directory, no file" : "not a regular file")
  // Should a pipe stand there by now, opening it does not wait for a writer.
  const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const opened = await file.stat()
    const same = opened.isFile() && opened.ino === found.ino && opened.dev === found.dev
    if (!same || (await resolveBelow(root, name)) !== real) throw new ReadRefusal("it changed while it was opened")
    return file
  } catch (error) {
    await file.close().catch(() => undefined)
    throw error
  }
}

function isBelow(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)
}
