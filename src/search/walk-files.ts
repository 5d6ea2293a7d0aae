// Walks over the files in a folder of a session directory.

import { sanitizeLine } from "../protocol/sanitize.ts"
import type { SessionDirectory } from "../session-dir/session-directory.ts"
import { NO_SUCH_FILE } from "../transport/recording-path.ts"

/** Folders within folders beyond this depth are not looked into. */
const DEPTH = 8

/**
 * The raw names of the files in the folder `name` and below it, relative to the directory and in order; none where there
 * is no such folder. What is refused is told.
 */
export async function* filesBelow(
  directory: SessionDirectory,
  name: string,
  warn: (why: string) => void,
  depth = DEPTH,
): AsyncGenerator<string> {
  const { value: listing, error } = await directory.list(name)
  if (error !== undefined && !error.endsWith(NO_SUCH_FILE)) warn(error)
  for (const one of listing?.entries ?? []) {
    const below = `${name}/${one.name}`
    if (one.type === "file") yield below
    else if (one.type === "folder" && depth > 0) yield* filesBelow(directory, below, warn, depth - 1)
    else if (one.type === "refused") warn(`${one.title}: refused, it leads out of the session directory or is no file`)
  }
  if (listing?.truncated === true) warn(`${sanitizeLine(name)}: only its first names were searched`)
}
