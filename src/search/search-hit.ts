// Finds a text in what was said, and says where: in which session and turn, in which file, and what stands around it.
import { sanitizeLine } from "../protocol/sanitize.ts"
import type { TextKind } from "../run/select/event-texts.ts"
import { countLineEnds, endOfLine } from "./edn-text.ts"
import type { CaptureOwner } from "./place-map.ts"

/** All of it but the ids may be shown. */
export interface SearchHit extends CaptureOwner {
  readonly what: HitKind
  /** The file, below the run's directory, and the line in it, from 1. */
  readonly file: string
  readonly line: number
  /** The row's number, where it is in one. */
  readonly seq: number | null
  /** One line around what was found, and where in it that stands, in UTF-16 units. */
  readonly excerpt: string
  readonly from: number
  readonly to: number
}

export type HitKind = TextKind | "artifact"

/** UTF-16 units of an excerpt before what was found, and in all. */
const BEFORE = 40
const EXCERPT = 240

/** Looks for one text, in whatever case, in one run. */
export class TextFinder {
  private readonly pattern: RegExp
  /** Lines that were found, by session: captures repeat what a row says, and what earlier requests said. */
  private readonly told = new Set<string>()

  constructor(text: string) {
    this.pattern = new RegExp(text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu")
  }

  /** A hit for each line of `text` that has it. A line counts up from `at` only where the text is a file's own. */
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
      this.pattern.lastIndex = next
      const found = this.pattern.exec(text)
      if (found === null) return
      const start = text.lastIndexOf("\n", found.index - 1) + 1
      const end = endOfLine(text, found.index)
      if (what === "artifact") line += countLineEnds(text, counted, start)
      counted = start
      next = Math.max(end + 1, found.index + found[0].length)
      const key = `${owner.sessionId ?? owner.who}\n${text.slice(start, Math.min(end, start + EXCERPT)).trim()}`
      const isNew = often === "always" || !this.told.has(key)
      this.told.add(key)
      if (isNew) yield { ...owner, what, file, line, seq, ...around(text, start, end, found) }
    }
  }
}

function around(
  text: string,
  start: number,
  end: number,
  found: RegExpExecArray,
): Pick<SearchHit, "excerpt" | "from" | "to"> {
  const to = found.index + found[0].length
  const first = Math.max(start, found.index - BEFORE)
  const last = Math.max(to, Math.min(end, first + EXCERPT))
  const head = sanitizeLine((first > start ? "…" : "") + text.slice(first, found.index).trimStart())
  const hit = sanitizeLine(text.slice(found.index, to))
  const tail = sanitizeLine(text.slice(to, last).trimEnd() + (last < end ? "…" : ""))
  return { excerpt: head + hit + tail, from: head.length, to: head.length + hit.length }
}
