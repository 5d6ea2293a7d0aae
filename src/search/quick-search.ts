// Finds what stands in single lines of a long recording at once: most lines are told by their bytes to have no match.
import { isAscii } from "node:buffer"
import { copyOf } from "../../packages/wire/src/files/line-splitter.ts"
import { openRecording } from "../../packages/wire/src/files/recording-path.ts"
import { type EventFrame, isFrame } from "../../packages/wire/src/frame.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { hasRow } from "../run/log.ts"
import { decodeLine } from "../transport/message.ts"
import { type FrameHits, fileOf, hitsOfFrame } from "./frame-hits.ts"
import { ESCAPES, type Needle, UNSEEN } from "./needle.ts"
import { type CaptureOwner, NOBODY } from "./place-map.ts"
import type { RunPlace, SearchHit, TextFinder } from "./search-hit.ts"

/**
 * In bytes: a shorter recording is searched whole at once; so much is read the first time, which is little so that the
 * first match is soon there, and then at a time.
 */
const SIZES = { least: 4 * 1024 * 1024, first: 512 * 1024, chunk: 4 * 1024 * 1024 }
/** Bytes searched at a time: a piece that stays in the processor's cache is cheap to search again. */
const PIECE = 64 * 1024
const LINE_END = 10
const START_NAME = Buffer.from('"llm/start"')

/**
 * The hits in events and questions of a recording, in the order of its lines; those in streamed replies, and in events
 * whose session only the events before them tell, are left to the search of the whole. `done` gets the lines that are
 * done with. A session's name may lack its number while few of its kind are known.
 */
export async function* quickSearch(
  place: Pick<RunPlace, "recording" | "log">,
  signal: AbortSignal | undefined,
  { finder, needle, done }: { readonly finder: TextFinder; readonly needle: Needle; readonly done: Set<number> },
  sizes = SIZES,
): AsyncGenerator<SearchHit> {
  const file = await openRecording(place.recording)
  try {
    const { size } = await file.stat()
    if (size < sizes.least) return
    const owners = new Owners()
    const buffer = Buffer.allocUnsafe(Math.max(sizes.first, sizes.chunk))
    const lines = new LineCount()
    for (let position = 0; position < size; ) {
      const wanted = position === 0 ? sizes.first : sizes.chunk
      const { bytesRead } = await file.read(buffer, 0, Math.min(wanted, size - position), position)
      if (bytesRead === 0 || signal?.aborted === true) return
      const end = buffer.lastIndexOf(LINE_END, bytesRead - 1) + 1
      // A line that is longer than all that is read, and what follows it, is left to the search of the whole.
      if (end === 0) return
      for (const chunk of piecesOf(buffer.subarray(0, end))) {
        for (const { from, text, isStart } of placesIn(chunk, needle)) {
          if (isStart) owners.begin(text)
          else yield* hitsAt(text, lines.at(from, chunk), { place, owners, finder, done })
        }
        lines.end(chunk)
      }
      position += end
    }
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

interface LinePlace {
  readonly from: number
  readonly text: string
  readonly isStart: boolean
}

/** The lines that may match or begin a turn, in their order, without their line ends. */
function* placesIn(chunk: Buffer, needle: Needle): Generator<LinePlace> {
  const bytes = chunk.toString("latin1")
  // Most chunks have no byte above 127, of which the engine assures itself far faster than it looks for any.
  const isPlain = isAscii(chunk)
  const starts = new Positions(from => chunk.indexOf(START_NAME, from))
  const words = new Positions(from => indexOf(needle, bytes, from))
  const unseen = new Positions(isPlain ? () => -1 : from => indexOf(UNSEEN, bytes, from))
  const escapes = ESCAPES.map(one => new Positions(from => chunk.indexOf(one, from)))
  const odd = [unseen, ...escapes]
  for (let from = 0; ; ) {
    const start = starts.from(from)
    const found = Math.min(words.from(from), ...odd.map(one => one.from(from)))
    const first = Math.min(start, found)
    if (first === Infinity) return
    const begin = chunk.lastIndexOf(LINE_END, first) + 1
    const end = chunk.indexOf(LINE_END, first)
    // The names of events are plain words, so a start that matches has no other text of its own.
    const text = isPlain ? bytes.slice(begin, end) : chunk.toString("utf8", begin, end)
    yield { from: begin, text, isStart: start < end }
    from = end + 1
  }
}

/** The next place of something from a place on; one that was found is not looked for again. */
class Positions {
  #next = -1

  constructor(private readonly find: (from: number) => number) {}

  from(place: number): number {
    if (this.#next >= place) return this.#next
    const found = this.find(place)
    this.#next = found === -1 ? Infinity : found
    return this.#next
  }
}

function indexOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? -1
}

/** Counts lines up to where they are asked for. */
class LineCount {
  #counted = 0
  #line = 1

  /** The number, from 1, of the line that begins at a place in the chunk; places must rise. */
  at(place: number, chunk: Buffer): number {
    let end = chunk.indexOf(LINE_END, this.#counted)
    for (; end !== -1 && end < place; end = chunk.indexOf(LINE_END, this.#counted)) {
      this.#line++
      this.#counted = end + 1
    }
    return this.#line
  }

  /** The next place is in the next chunk. */
  end(chunk: Buffer): void {
    this.at(chunk.length, chunk)
    this.#counted = 0
  }
}

interface Looking {
  readonly place: Pick<RunPlace, "recording" | "log">
  readonly owners: Owners
  readonly finder: TextFinder
  readonly done: Set<number>
}

function hitsAt(text: string, own: number, { place, owners, finder, done }: Looking): readonly SearchHit[] {
  const frame = decodeLine(text.endsWith("\r") ? text.slice(0, -1) : text)
  if (!isFrame(frame) || (frame.kind !== "event" && frame.kind !== "prompt")) return []
  const owner = frame.kind === "prompt" ? NOBODY : owners.of(frame)
  if (owner === null) return []
  const asked: FrameHits = { frame, own, file: fileOf(place), log: place.log !== undefined, owner }
  done.add(own)
  return [...hitsOfFrame(asked, finder)]
}

/** A session and its turns so far. */
interface Begun {
  readonly who: string
  readonly nth: number
  turns: number
  isUnsure: boolean
  /** The highest number and time of their starts. */
  seq: number
  ts: number
}

/** What the start of a turn says of itself. */
interface Start {
  readonly invokeid: string | null
  readonly sessionId: string | null
  readonly seq: number | null
  readonly ts: number | null
}

/** Tells whose an event is by the starts of turns before it, as far as the event itself names its session. */
class Owners {
  readonly #sessions = new Map<string, Begun>()
  readonly #siblings = new Map<string | null, number>()
  /** Numbers of events that may match, to know one that is repeated. */
  readonly #seen = new Set<number>()
  /** A turn began without naming its session, so no count of turns is sure any more. */
  #isUnsure = false

  /** A turn begins. One that may have begun before leaves the session's turns to the search of the whole. */
  begin(text: string): void {
    const start = startIn(text)
    if (start === null) return
    const { invokeid, sessionId, seq, ts } = start
    if (sessionId === null) {
      this.#isUnsure = true
      return
    }
    const known = this.#begun(invokeid, sessionId)
    if (seq !== null && seq <= known.seq && (ts ?? 0) <= known.ts) known.isUnsure = true
    known.turns++
    known.seq = Math.max(known.seq, seq ?? known.seq)
    known.ts = Math.max(known.ts, ts ?? known.ts)
  }

  #begun(invokeid: string | null, sessionId: string): Begun {
    const key = keyOf(invokeid, sessionId)
    const known = this.#sessions.get(key)
    if (known !== undefined) return known
    // A part of a text keeps all of it in memory.
    const name = invokeid === null ? null : copyOf(invokeid)
    const nth = (this.#siblings.get(name) ?? 0) + 1
    this.#siblings.set(name, nth)
    const made = {
      who: sanitizeLine(name ?? "(no invokeid)"),
      nth,
      turns: 0,
      isUnsure: false,
      seq: -1,
      ts: -Infinity,
    }
    this.#sessions.set(key, made)
    return made
  }

  /** Null where the search of the whole must tell: an event of no known session, or one that was seen before. */
  of(frame: EventFrame): CaptureOwner | null {
    const { body, invokeid, sessionId, seq } = frame
    if (!hasRow(frame) || body.type === "llm/start") return null
    if (seq !== null) {
      if (this.#seen.has(seq)) return null
      this.#seen.add(seq)
    }
    const isOfSession = body.type.startsWith("llm/") || body.type === "adapter/line"
    if (!isOfSession) return { ...NOBODY, who: sanitizeLine(invokeid ?? ""), invokeid }
    const known = this.#isUnsure || sessionId === null ? undefined : this.#sessions.get(keyOf(invokeid, sessionId))
    if (known === undefined || known.isUnsure) return null
    const isOne = this.#siblings.get(invokeid) === 1
    return { who: isOne ? known.who : `${known.who} ${known.nth}`, invokeid, sessionId, turn: known.turns }
  }
}

function keyOf(invokeid: string | null, sessionId: string): string {
  return invokeid === null ? `\n${sessionId}` : `${invokeid}\n${sessionId}`
}

/** A start as agents write it, with plain names; one in other words is decoded. */
const START =
  /^\{"kind":"event","seq":(\d{1,15}),"ts":(\d{1,15}),"event":"llm\/start",(?:"transcript\/[a-z-]+":(?:\d+|"[^"\\]*"),)*"data":\{"invokeid":"([^"\\]*)","session-id":"([^"\\]*)"(?:,"model":"[^"\\]*")?\}\}\r?$/

/** The start of a turn in a line; null if it is none. */
function startIn(text: string): Start | null {
  const [, seq, ts, invokeid, sessionId] = START.exec(text) ?? []
  if (invokeid !== undefined && sessionId !== undefined)
    return { invokeid, sessionId, seq: Number(seq), ts: Number(ts) }
  const frame = decodeLine(text)
  return frame.kind === "event" && frame.body.type === "llm/start" ? frame : null
}
