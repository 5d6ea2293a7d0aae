// Lists the files in a folder of a session directory and below it.
import { sanitizeLine } from "../protocol/sanitize.ts"
import type { SessionDirectory } from "../session-dir/session-directory.ts"
import { NO_SUCH_FILE } from "../transport/recording-path.ts"

/** Maximum depth of folders. */
const DEPTH = 8

/**
 * The raw names of the files in the folder `name` and below it, relative to the directory and in order; none if there is
 * no such folder. Warns about what is refused.
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
    else if (one.type === "refused") warn(`${one.title}: refused, outside the session directory or not a file`)
  }
  if (listing?.truncated === true) warn(`${sanitizeLine(name)}: searched only the first names`)
}
