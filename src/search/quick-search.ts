// Finds what stands in single lines of a long recording at once: most lines are told by their bytes to have no match.
import { isAscii } from "node:buffer"
import { closeSync, fstatSync, readSync } from "node:fs"
import { openRecordingSync } from "../../packages/wire/src/files/recording-path.ts"
import { ESCAPES, type Needle, UNSEEN } from "../query/needle.ts"
import type { FrameTest } from "./filtered-reader.ts"
import { LineSearch, type ToldLines } from "./line-search.ts"
import type { RunPlace, SearchHit, TextFinder } from "./search-hit.ts"

/**
 * Bytes. `least`: shorter recordings are searched whole at once. `piece`: read at a time; it stays in the processor's
 * cache, so searching it again is cheap. `chunk`: read before other work gets a turn, and the longest line searched.
 */
const SIZES = { least: 4 * 1024 * 1024, piece: 32 * 1024, chunk: 4 * 1024 * 1024 }
export type QuickSizes = typeof SIZES
const LINE_END = 10
/** The end of a start's name, since bytes that are rare are found soonest. */
const START_NAME = Buffer.from('m/start"')
const ESCAPE_BYTES = ESCAPES.map(one => Buffer.from(one))

/**
 * The hits in events and questions of a recording, in the order of its lines; returns up to which line they are told.
 * Those in streamed texts are left. A session's name may lack its number while few of its kind are known.
 */
export async function* quickSearch(
  place: Pick<RunPlace, "recording" | "log">,
  signal: AbortSignal | undefined,
  { finder, needle, passes }: { readonly finder: TextFinder; readonly needle: Needle; readonly passes: FrameTest },
  sizes = SIZES,
): AsyncGenerator<SearchHit, ToldLines> {
  const search = new LineSearch({ place, finder, passes, places: null, streams: false })
  let to = 0
  const file = openRecordingSync(place.recording)
  try {
    if (fstatSync(file).size < sizes.least) return { to, left: search.left }
    const buffer = Buffer.allocUnsafe(sizes.chunk)
    let [held, position, turnAt] = [0, 0, sizes.chunk]
    // A line that is longer than the buffer, and what follows it, is left.
    while (held < buffer.length && signal?.aborted !== true) {
      const read = readSync(file, buffer, held, Math.min(sizes.piece, buffer.length - held), position)
      if (read === 0) break
      position += read
      held += read
      const end = buffer.subarray(0, held).lastIndexOf(LINE_END) + 1
      if (end > 0) to = addPlaces(buffer.subarray(0, end), needle, search, to)
      yield* search.hits()
      buffer.copyWithin(0, end, held)
      held -= end
      if (position < turnAt) continue
      turnAt = position + sizes.chunk
      await new Promise(done => setImmediate(done))
    }
    return { to, left: search.left }
  } finally {
    closeSync(file)
  }
}

/** Searches the lines that may match or begin a turn. `line`: the number of lines before; returns that after. */
function addPlaces(chunk: Buffer, needle: Needle, search: LineSearch, line: number): number {
  const bytes = chunk.toString("latin1")
  // Most chunks have no byte above 127, of which the engine assures itself far faster than it looks for any.
  const isPlain = isAscii(chunk)
  const starts = positions(from => chunk.indexOf(START_NAME, from))
  const words = positions(from => indexOf(needle, bytes, from))
  const unseen = positions(isPlain ? () => -1 : from => indexOf(UNSEEN, bytes, from))
  const escapes = ESCAPE_BYTES.map(one => positions(from => chunk.indexOf(one, from)))
  const wanted = [starts, words, unseen, ...escapes]
  for (let from = 0; ; ) {
    let first = Infinity
    for (const next of wanted) first = Math.min(first, next(from))
    for (let end = chunk.indexOf(LINE_END, from); end !== -1 && end < first; end = chunk.indexOf(LINE_END, from)) {
      line++
      from = end + 1
    }
    if (first === Infinity) return line
    const end = chunk.indexOf(LINE_END, first)
    search.addLine(chunk.toString(isPlain ? "latin1" : "utf8", from, end), ++line)
    from = end + 1
  }
}

/** The next place of something from a place on; one that was found is not looked for again. */
function positions(find: (from: number) => number): (from: number) => number {
  let next = -1
  return from => {
    if (next < from) next = find(from)
    if (next === -1) next = Infinity
    return next
  }
}

function indexOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? -1
}
