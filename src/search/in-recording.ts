// Searches a recording: prompts, requests, replies, tool results and errors.
import { readLines } from "../../packages/wire/src/files/file-reader.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { asksFold } from "../query/filter/event-facts.ts"
import { Collector } from "../transport/collector.ts"
import { filterTests, readFiltered } from "./filtered-reader.ts"
import { fileOf } from "./frame-hits.ts"
import { LineSearch } from "./line-search.ts"
import type { PlaceMap } from "./place-map.ts"
import { type QuickSizes, quickSearch } from "./quick-search.ts"
import type { RunPlace, SearchHit, SearchOptions, TextFinder } from "./search-hit.ts"

/** Batches of 512 KB after which lines let go of what was read with them. */
const OWN_BATCHES = 32

/** The hits, streamed replies maybe last; in a log, by its own lines. `places` records who owns what a row names. */
export async function* searchRecording(
  place: Pick<RunPlace, "recording" | "log">,
  { filter, zone, signal, warn, onShare, prices }: Omit<SearchOptions, "text">,
  { finder, places }: { readonly finder: TextFinder; readonly places: PlaceMap | null },
  sizes?: QuickSizes,
): AsyncGenerator<SearchHit> {
  const { needle } = finder.matcher
  const asked = { filter, zone, ...(prices && { prices }) }
  const isFolded = filter !== null && asksFold(filter)
  const { frame: passes } = await filterTests(place.recording, asked)
  const isQuick = needle !== null && !isFolded
  const told = isQuick ? yield* quickSearch(place, signal, { finder, needle, passes }, sizes) : null
  const search = new LineSearch({ place, finder, passes, places, streams: true, ...(told && { told }) })
  let skipped = 0
  if (!isFolded) {
    let [line, batches] = [0, 0]
    // Collected often, so that less than 150 MB are held.
    const garbage = new Collector(4 * 1024 * 1024)
    for await (const { lines, remainder, share } of readLines(place.recording)) {
      if (signal?.aborted === true) return
      for (const one of remainder === null || remainder === "" ? lines : [...lines, remainder]) {
        line++
        garbage.add(one.length)
        if (typeof one === "string") search.addLine(one, line)
        else skipped++
      }
      yield* search.hits()
      if (++batches % OWN_BATCHES === 0) search.own()
      onShare?.(share)
    }
  } else {
    const options = { ...asked, onSkipped: () => void skipped++, ...(onShare && { onShare }) }
    for await (const batch of readFiltered(place.recording, options)) {
      if (signal?.aborted === true) return
      for (const line of batch) search.addFrame(line)
      yield* search.hits()
    }
  }
  yield* search.rest()
  if (search.undecided.size > 0)
    for await (const batch of readFiltered(place.recording, asked)) {
      if (signal?.aborted === true) return
      for (const { line, passes } of batch) if (passes) yield* search.undecided.get(line)?.() ?? []
    }
  if (skipped > 0)
    warn(`${sanitizeLine(fileOf(place))}: skipped ${skipped} ${skipped === 1 ? "line" : "lines"} longer than 16 MB`)
}
