// Finds what stands in single lines of a long recording at once: most lines are told by their bytes to have no match.
import { isAscii } from "node:buffer"
import { openRecording } from "../../packages/wire/src/files/recording-path.ts"
import { ESCAPES, type Needle, UNSEEN } from "../query/needle.ts"
import type { FrameTest } from "./filtered-reader.ts"
import { LineSearch, type ToldLines } from "./line-search.ts"
import type { RunPlace, SearchHit, TextFinder } from "./search-hit.ts"

/**
 * In bytes: a shorter recording is searched whole at once; so much is read the first time, which is little so that the
 * first match is soon there, and then at a time.
 */
const SIZES = { least: 4 * 1024 * 1024, first: 512 * 1024, chunk: 4 * 1024 * 1024 }
export type QuickSizes = typeof SIZES
/** Bytes searched at a time: a piece that stays in the processor's cache is cheap to search again. */
const PIECE = 64 * 1024
const LINE_END = 10
const START_NAME = Buffer.from('"llm/start"')

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
  const file = await openRecording(place.recording)
  const search = new LineSearch({ place, finder, passes, places: null, streams: false })
  let to = 0
  try {
    const { size } = await file.stat()
    if (size < sizes.least) return { to, left: search.left }
    const buffer = Buffer.allocUnsafe(Math.max(sizes.first, sizes.chunk))
    for (let position = 0; position < size; ) {
      const wanted = position === 0 ? sizes.first : sizes.chunk
      const { bytesRead } = await file.read(buffer, 0, Math.min(wanted, size - position), position)
      if (bytesRead === 0 || signal?.aborted === true) return { to, left: search.left }
      const end = buffer.lastIndexOf(LINE_END, bytesRead - 1) + 1
      // A line that is longer than all that is read, and what follows it, is left.
      if (end === 0) return { to, left: search.left }
      for (const chunk of piecesOf(buffer.subarray(0, end))) {
        to = addPlaces(chunk, needle, search, to)
        yield* search.hits()
      }
      position += end
    }
    return { to, left: search.left }
  } finally {
    await file.close()
  }
}

/** Whole lines, about as many as a piece holds. */
function* piecesOf(lines: Buffer): Generator<Buffer> {
  for (let from = 0; from < lines.length; ) {
    const to = lines.indexOf(LINE_END, Math.min(from + PIECE, lines.length) - 1) + 1
    yield lines.subarray(from, to)
    from = to
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
  const escapes = ESCAPES.map(one => positions(from => chunk.indexOf(one, from)))
  const wanted = [starts, words, unseen, ...escapes]
  for (let from = 0; ; ) {
    const first = Math.min(...wanted.map(one => one(from)))
    for (let end = chunk.indexOf(LINE_END, from); end !== -1 && end < first; end = chunk.indexOf(LINE_END, from)) {
      line++
      from = end + 1
    }
    if (first === Infinity) return line
    const end = chunk.indexOf(LINE_END, first)
    search.addLine(isPlain ? bytes.slice(from, end) : chunk.toString("utf8", from, end), ++line)
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
