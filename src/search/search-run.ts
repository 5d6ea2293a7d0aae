// Searches one run: what was said in it by its recording, then the captures and artifacts of its directory.
import { SessionDirectory } from "../session-dir/session-directory.ts"
import { type SearchedFileKind, searchFile } from "./in-file.ts"
import { searchRecording } from "./in-recording.ts"
import { NOBODY, PlaceMap } from "./place-map.ts"
import { type SearchHit, TextFinder } from "./search-hit.ts"
import type { RunPlace, SearchOptions } from "./search-options.ts"
import { filesBelow } from "./walk-files.ts"

/**
 * The hits in a run, in the order in which they stand in its files. With a filter, what no row tells of is not searched:
 * captures of other turns, and artifacts. Rejects where the recording cannot be read.
 */
export async function* searchRun(place: RunPlace, options: SearchOptions): AsyncGenerator<SearchHit> {
  const finder = new TextFinder(options.text)
  const places = new PlaceMap()
  yield* searchRecording(place, options, finder, places)
  if (place.directory === null) return
  const { error, value: directory } = await SessionDirectory.open(place.directory)
  if (directory === undefined) return options.warn(error)
  // Where captures stand has moved between versions of the agent (docs/contract.md section 5).
  const folders: readonly (readonly [string, SearchedFileKind])[] = [
    ["nodes", "capture"],
    ["artifacts/nodes", "capture"],
    ["artifacts", "artifact"],
  ]
  for (const [folder, kind] of folders) {
    if (kind === "artifact" && options.filter !== null) continue
    for await (const name of filesBelow(directory, folder, options.warn)) {
      if (options.signal?.aborted === true) return
      if (kind === "artifact" && name.startsWith("artifacts/nodes/")) continue
      const owner = kind === "capture" ? places.find(name.slice(folder.length + 1)) : NOBODY
      if (owner === null && options.filter !== null) continue
      yield* searchFile(directory, name, kind, owner ?? { ...NOBODY, who: nodeOf(name, folder) }, finder, options)
    }
  }
}

/** The node of a capture that no row told of: it names itself. */
function nodeOf(name: string, folder: string): string {
  return name.slice(folder.length + 1).replace(/\/\d+\/.*$/, "")
}
