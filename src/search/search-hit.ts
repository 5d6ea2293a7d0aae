// Defines a search and its hits, and finds a text in a longer one, or in what one frame says.
import { LOG_LINE } from "../../packages/wire/src/encode.ts"
import type { Decoded, EventFrame, PromptFrame } from "../../packages/wire/src/frame.ts"
import { isList } from "../../packages/wire/src/json.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { RegexMatcher } from "../query/filter/regex-matcher.ts"
import { readPattern } from "../query/filter/regex-tree.ts"
import { type Needle, needleOf, needleOfPattern } from "../query/needle.ts"
import { eventTexts, promptTexts, type TextKind } from "../run/select/event-texts.ts"
import { countLineEnds, endOfLine } from "./edn-text.ts"
import type { FilteredReaderOptions } from "./filtered-reader.ts"
import { type CaptureOwner, NOBODY } from "./place-map.ts"

/** A run on disk. */
export interface RunPlace {
  readonly recording: string
  /** Its session directory; null if it has none. */
  readonly directory: string | null
  /** The log of another agent CLI from which the recording was made; hits name its lines. */
  readonly log?: string
}

export interface SearchOptions extends Omit<FilteredReaderOptions, "onSkipped"> {
  /** In any case, or `/source/flags`: a regular expression as in filters. */
  readonly text: string
  /** Called with one line, which may be shown, about each thing that can't be read. */
  readonly warn: (why: string) => void
  /** Aborts the search between two files or two pieces of a file. */
  readonly signal?: AbortSignal
}

/** All fields except the ids and the file may be shown. */
export interface SearchHit extends CaptureOwner {
  readonly what: HitKind
  /** File below the run's directory, raw, and line in it, from 1. */
  readonly file: string
  readonly line: number
  /** The row's `seq`, if it is in a row. */
  readonly seq: number | null
  /** One line around the hit, and the hit's position in it, in UTF-16 units. */
  readonly excerpt: string
  readonly from: number
  readonly to: number
}

export type HitKind = TextKind | "artifact"

type Excerpt = Pick<SearchHit, "excerpt" | "from" | "to">

/** UTF-16 units of an excerpt before the hit, and in total. */
const BEFORE = 40
const EXCERPT = 240

/** Searches one run for a text or a regular expression. */
export class TextFinder {
  readonly matcher: TextMatcher
  /** Lines already found, by session: captures repeat texts of rows and of earlier requests. */
  private readonly seen = new Set<string>()

  constructor(text: string) {
    this.matcher = textMatcher(text)
  }

  /** Yields a hit per line of `text` with the search text. Only in a file's own text are lines counted from `at`. */
  *in(
    text: string,
    what: HitKind,
    at: Pick<SearchHit, "file" | "line" | "seq">,
    owner: CaptureOwner,
    often: "always" | "once" = "always",
  ): Generator<SearchHit> {
    const { file, seq } = at
    let { line } = at
    let counted = 0
    let next = 0
    while (next <= text.length) {
      const found = this.matcher.find(text, next)
      if (found === null) return
      // A negative position would count as 0.
      const start = found.from === 0 ? 0 : text.lastIndexOf("\n", found.from - 1) + 1
      const end = endOfLine(text, found.from)
      if (what === "artifact") line += countLineEnds(text, counted, start)
      counted = start
      next = Math.max(end + 1, found.to)
      const key = `${owner.sessionId ?? owner.who}\n${text.slice(start, Math.min(end, start + EXCERPT)).trim()}`
      const isNew = often === "always" || !this.seen.has(key)
      this.seen.add(key)
      if (isNew) yield { ...owner, what, file, line, seq, ...around(text, start, end, found) }
    }
  }
}

/** A frame, its own line in the recording, and the owner of an event's texts. */
interface FrameHits {
  readonly frame: EventFrame | PromptFrame
  readonly own: number
  /** Hits name the lines of the log that the recording was made from, if it was. */
  readonly place: Pick<RunPlace, "recording" | "log">
  readonly owner: CaptureOwner
}

/** The file that hits name: the log's, if the recording was made from one. */
export function fileOf({ recording, log }: FrameHits["place"]): string {
  const path = log ?? recording
  return path.slice(path.lastIndexOf("/") + 1)
}

/** The hits in an event or a question. */
export function* hitsOfFrame({ frame, own, place, owner }: FrameHits, finder: TextFinder): Generator<SearchHit> {
  const [line, last] = place.log === undefined ? [own, own] : logLines(frame, own)
  const at = { file: fileOf(place), line, seq: "seq" in frame ? frame.seq : null }
  if (frame.kind === "prompt") {
    const asker = { ...NOBODY, who: sanitizeLine(frame.invokeid ?? frame.promptId), invokeid: frame.invokeid }
    for (const { what, text } of promptTexts(frame)) yield* finder.in(text, what, at, asker)
    return
  }
  // A tool call ends the reply it is in.
  for (const { what, text } of eventTexts(frame))
    yield* finder.in(text, what, what === "tool call" ? { ...at, line: last } : at, owner)
}

/** First and last log line of a frame; `own`, its own line, if the frame does not say. */
function logLines(frame: Decoded, own: number): readonly [number, number] {
  const lines = frame.kind === "event" ? frame.data[LOG_LINE] : null
  const [first, last = first] = isList(lines) ? lines : [lines]
  return [typeof first === "number" ? first : own, typeof last === "number" ? last : own]
}

function around(text: string, start: number, end: number, { from, to }: Match): Excerpt {
  const first = Math.max(start, from - BEFORE)
  const last = Math.max(to, Math.min(end, first + EXCERPT))
  const head = sanitizeLine((first > start ? "…" : "") + text.slice(first, from).trimStart())
  const hit = sanitizeLine(text.slice(from, to))
  const tail = sanitizeLine(text.slice(to, last).trimEnd() + (last < end ? "…" : ""))
  return { excerpt: head + hit + tail, from: head.length, to: head.length + hit.length }
}

/** Where something matches, in UTF-16 units. */
interface Match {
  readonly from: number
  readonly to: number
}

interface TextMatcher {
  /** The first match from `start` on; null if there is none. */
  find(text: string, start: number): Match | null
  /** Rejects a line by its bytes; null if its bytes can't tell. */
  readonly needle: Needle | null
  /** Why a text like a regular expression is searched for as it stands; null if it is none or can be read. */
  readonly error: string | null
}

/** `/source/flags` is a regular expression, which matches within a line; anything else is found in any case. */
function textMatcher(typed: string): TextMatcher {
  const [, source, flags = ""] = /^\/(.+)\/([ims]*)$/s.exec(typed) ?? []
  if (source === undefined) return literal(typed, null)
  const sorted = [...new Set(flags)].sort().join("")
  const read = readPattern(source, sorted)
  if ("error" in read) return literal(typed, read.error)
  const machine = new RegexMatcher(read.node, sorted)
  return { find: (text, start) => findByLine(machine, text, start), needle: needleOfPattern(source), error: null }
}

function literal(typed: string, error: string | null): TextMatcher {
  const pattern = new RegExp(typed.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu")
  const find = (text: string, start: number): Match | null => {
    pattern.lastIndex = start
    const found = pattern.exec(text)
    return found === null ? null : { from: found.index, to: found.index + found[0].length }
  }
  return { find, needle: needleOf(typed), error }
}

/** The machine only says whether a text matches, so the match is found by halving its line. */
function findByLine(machine: RegexMatcher, text: string, start: number): Match | null {
  for (let from = start; from <= text.length; ) {
    const end = endOfLine(text, from)
    const line = text.slice(from, end)
    if (machine.test(line)) {
      const to = least(line.length, length => machine.test(line.slice(0, length)))
      const back = least(to, length => machine.test(line.slice(to - length, to)))
      return { from: from + to - back, to: from + to }
    }
    from = end + 1
  }
  return null
}

/** The least number up to `most` that passes, if all above one that passes do; `most` is taken to pass. */
function least(most: number, passes: (value: number) => boolean): number {
  let [low, high] = [0, most]
  while (low < high) {
    const middle = (low + high) >> 1
    if (passes(middle)) high = middle
    else low = middle + 1
  }
  return low
}
