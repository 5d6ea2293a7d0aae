// Searches one run: its recording, then the captures and artifacts in its directory.
import { readLines } from "../../packages/wire/src/files/file-reader.ts"
import { NO_SUCH_FILE } from "../../packages/wire/src/files/recording-path.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { asksFold } from "../query/filter/event-facts.ts"
import { SessionDirectory } from "../session-dir/session-directory.ts"
import { Collector } from "../transport/collector.ts"
import { ednTexts } from "./edn-text.ts"
import { filterTests, readFiltered } from "./filtered-reader.ts"
import { LineSearch } from "./line-search.ts"
import { type CaptureOwner, NOBODY, PlaceMap } from "./place-map.ts"
import { type QuickSizes, quickSearch } from "./quick-search.ts"
import { fileOf, type HitKind, type RunPlace, type SearchHit, type SearchOptions, TextFinder } from "./search-hit.ts"

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

/** Batches of 256 KB after which lines let go of what was read with them. */
const OWN_BATCHES = 64

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
    const garbage = new Collector(2 * 1024 * 1024, true)
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

/** A file to search and the owner of its texts. */
interface SearchedFile {
  readonly directory: SessionDirectory
  /** Raw, relative to the directory. */
  readonly name: string
  readonly owner: CaptureOwner
}

/** Bytes of an artifact read at a time. */
const PIECE = 4 * 1024 * 1024

/** The hits in a capture, in its first 16 MB. */
async function* searchCapture(
  { directory, name, owner }: SearchedFile,
  finder: TextFinder,
  { warn }: Pick<SearchOptions, "warn">,
): AsyncGenerator<SearchHit> {
  const { error, value: piece } = await directory.read(name, 0)
  if (piece === undefined) return warn(error)
  if (piece.end < piece.size) warn(`${sanitizeLine(name)}: searched only the first 16 MB`)
  const what = kindOfCapture(name)
  for (const { text, line } of ednTexts(piece.text)) {
    yield* finder.in(text, what, { file: name, line, seq: null }, owner, "once")
  }
}

/** The hits in an artifact, all of it unless it is binary. */
async function* searchArtifact(
  { directory, name, owner }: SearchedFile,
  finder: TextFinder,
  { warn, signal }: Pick<SearchOptions, "warn" | "signal">,
): AsyncGenerator<SearchHit> {
  let line = 1
  let from = 0
  let rest = ""
  for (;;) {
    const { error, value: piece } = await directory.read(name, from, PIECE)
    if (piece === undefined) return warn(error)
    if (piece.text.includes("\0") || signal?.aborted === true) return
    const isEnd = piece.end >= piece.size || piece.end === from
    const text = rest + piece.text
    // A line that continues in the next piece is searched with it, unless it is too long.
    const end = isEnd || text.length > 2 * PIECE ? text.length : text.lastIndexOf("\n") + 1
    const complete = text.slice(0, end)
    yield* finder.in(complete, "artifact", { file: name, line, seq: null }, owner)
    line += complete.split("\n").length - 1
    rest = text.slice(end)
    from = piece.end
    if (isEnd) return
  }
}

function kindOfCapture(name: string): HitKind {
  if (/\/tool-results\/[^/]+$/.test(name)) return "tool result"
  return /\/(?:request|seed)\.edn$/.test(name) ? "prompt" : "reply"
}
