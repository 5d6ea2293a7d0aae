// Finds out where a file that is open really is.
import { type FileHandle, readlink } from "node:fs/promises"
import { sep } from "node:path"

const IS_LINUX = process.platform === "linux"

/** True for `root` itself and for what is below it. Both paths are real ones. */
export function isBelow(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)
}

/**
 * False if what was opened is not below `root`. Each folder of its path may have been replaced by a link between a
 * check of the path and the opening, and back again before the next check; an open descriptor can't be. Only Linux
 * tells; elsewhere it is true.
 */
export async function isOpenedBelow(root: string, handle: FileHandle): Promise<boolean> {
  return !IS_LINUX || isBelow(root, await readlink(descriptorPath(handle)))
}

/** A path that leads to what is open, whatever happens to its name; `fallback` where there is no such path. */
export function openedPath(handle: FileHandle, fallback: string): string {
  return IS_LINUX ? descriptorPath(handle) : fallback
}

function descriptorPath({ fd }: FileHandle): string {
  return `/proc/self/fd/${fd}`
}
