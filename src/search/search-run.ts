// Searches one run: its recording, then the captures and artifacts in its directory.
import { SessionDirectory } from "../session-dir/session-directory.ts"
import { searchArtifact, searchCapture } from "./in-file.ts"
import { searchRecording } from "./in-recording.ts"
import { NOBODY, PlaceMap } from "./place-map.ts"
import { type SearchHit, TextFinder } from "./search-hit.ts"
import type { RunPlace, SearchOptions } from "./search-options.ts"
import { filesBelow } from "./walk-files.ts"

/**
 * The hits in a run, in the order of its files. With a filter, files that no row mentions are not searched: captures of
 * other turns, and artifacts. Rejects if the recording can't be read.
 */
export async function* searchRun(place: RunPlace, options: SearchOptions): AsyncGenerator<SearchHit> {
  const finder = new TextFinder(options.text)
  const places = new PlaceMap()
  yield* searchRecording(place, options, finder, places)
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

/** The node of a capture that no row mentions. */
function nodeOf(name: string, folder: string): string {
  return name.slice(folder.length + 1).replace(/\/\d+\/.*$/, "")
}
