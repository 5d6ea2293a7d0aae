// Searches one run: its recording, then the captures and artifacts in its directory.

import { NO_SUCH_FILE } from "../../packages/wire/src/files/recording-path.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { SessionDirectory } from "../session-dir/session-directory.ts"
import { searchArtifact, searchCapture } from "./in-file.ts"
import { searchRecording } from "./in-recording.ts"
import { NOBODY, PlaceMap } from "./place-map.ts"
import { type RunPlace, type SearchHit, type SearchOptions, TextFinder } from "./search-hit.ts"

/**
 * The hits in a run, in the order of its files. With a filter, files that no row mentions are not searched: captures of
 * other turns, and artifacts. Rejects if the recording can't be read.
 */
export async function* searchRun(place: RunPlace, options: SearchOptions): AsyncGenerator<SearchHit> {
  const finder = new TextFinder(options.text)
  const places = new PlaceMap()
  const { error: why } = finder.matcher
  if (why !== null) options.warn(`Searched for as it stands: ${why}`)
  yield* searchRecording(place, options, { finder, places: place.directory === null ? null : places })
  if (place.directory === null) return
  const { error, value: directory } = await SessionDirectory.open(place.directory)
  if (directory === undefined) return options.warn(error)
  // Different versions of the agent put captures in different places (docs/contract.md section 5).
  for (const folder of ["nodes", "artifacts/nodes"]) {
    for await (const name of filesBelow(directory, folder, options.warn)) {
      if (options.signal?.aborted === true) return
      const owner = places.find(name.slice(folder.length + 1))
      if (owner === null && options.filter !== null) continue
      const file = { directory, name, owner: owner ?? { ...NOBODY, who: nodeOf(name, folder) } }
      yield* searchCapture(file, finder, options)
    }
  }
  if (options.filter !== null) return
  for await (const name of filesBelow(directory, "artifacts", options.warn)) {
    if (options.signal?.aborted === true) return
    if (!name.startsWith("artifacts/nodes/")) {
      yield* searchArtifact({ directory, name, owner: NOBODY }, finder, options)
    }
  }
}

/** The node of a capture that no row mentions, as one line. */
function nodeOf(name: string, folder: string): string {
  return sanitizeLine(name.slice(folder.length + 1).replace(/\/\d+\/.*$/s, ""))
}

/** Maximum depth of folders. */
const DEPTH = 8

/** The raw names of the files below a folder, in order; none if it doesn't exist. Warns about refused files. */
async function* filesBelow(
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
    else if (one.type === "refused") warn(`${one.title}: skipped: outside the session directory, or not a file`)
  }
  if (listing?.truncated === true) warn(`${sanitizeLine(name)}: too many files; searched only the first`)
}
