// Resolves names below a directory, including links, and refuses everything outside it.
import { constants, type Stats } from "node:fs"
import { type FileHandle, lstat, open, realpath, stat } from "node:fs/promises"
import { isAbsolute, resolve } from "node:path"
import { isBelow, isOpenedBelow, openedPath } from "../../packages/wire/src/files/opened-path.ts"
import { ReadRefusal } from "./result.ts"

const CHANGED = "changed while it was being opened"
/** Linux only, and not in `constants`: a descriptor that names a file but does not open it. */
const O_PATH = 0o10000000

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
    if (!same || (await resolveBelow(root, name)) !== real) throw new ReadRefusal(CHANGED)
    await expectBelow(root, file)
    return file
  } catch (error) {
    await file.close().catch(() => undefined)
    throw error
  }
}

/** Opens a folder, and gives its handle and a path that leads to that very folder, whatever happens to its name. */
export async function openFolderBelow(root: string, name: string): Promise<{ handle: FileHandle; path: string }> {
  const real = await resolveBelow(root, name)
  const handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_DIRECTORY)
  try {
    await expectBelow(root, handle)
    return { handle, path: openedPath(handle, real) }
  } catch (error) {
    await handle.close().catch(() => undefined)
    throw error
  }
}

/** What `stat` says of anything below `root`, without opening it for reading. Throws as `resolveBelow` does. */
export async function statBelow(root: string, name: string): Promise<Stats> {
  const real = await resolveBelow(root, name)
  if (process.platform !== "linux") return stat(real)
  await using handle = await open(real, O_PATH | constants.O_NOFOLLOW)
  await expectBelow(root, handle)
  return handle.stat()
}

async function expectBelow(root: string, handle: FileHandle): Promise<void> {
  if (!(await isOpenedBelow(root, handle))) throw new ReadRefusal(CHANGED)
}
