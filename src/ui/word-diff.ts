import { diffWordsWithSpace } from "diff"
import type { Glyphs } from "./glyphs.ts"
import { type ColorToken, type Line, line, type Span, span, wrap, wrapSpans } from "./line.ts"

export interface DiffPiece {
  readonly kind: "same" | "removed" | "added"
  readonly text: string
}

/** With more edits two texts count as wholly different: finding more costs too much. */
const MOST_EDITS = 400
/** UTF-16 units of unchanged text shown on either side of a change. */
const AROUND = 160

/** In order: without the added pieces the text is `before`, without the removed ones `after`. */
export function wordDiff(before: string, after: string): readonly DiffPiece[] {
  const found = diffWordsWithSpace(before, after, { maxEditLength: MOST_EDITS })
  if (found === undefined) {
    return [
      { kind: "removed", text: before },
      { kind: "added", text: after },
    ]
  }
  return found.map(({ value, added, removed }) => ({
    kind: added ? "added" : removed ? "removed" : "same",
    text: value,
  }))
}

/** Texts longer than this are shown as two if less than half of the shorter one is left in the other. */
const SHORT = 40

/** Whether a word by word change would be a soup: the two texts have only single words in common. */
export function isAnother(pieces: readonly DiffPiece[]): boolean {
  const units = (kind: DiffPiece["kind"]) =>
    pieces.reduce((sum, piece) => sum + (piece.kind === kind ? piece.text.replace(/\s+/g, "").length : 0), 0)
  const [same, removed, added] = [units("same"), units("removed"), units("added")]
  return Math.max(removed, added) > SHORT && same < Math.min(removed, added)
}

/** A line break that was removed or added is shown as a sign. */
export function diffLines(pieces: readonly DiffPiece[], columns: number, glyphs: Glyphs): readonly Line[] {
  return isAnother(pieces) ? twoTexts(pieces, columns) : changedWords(pieces, columns, glyphs)
}

function twoTexts(pieces: readonly DiffPiece[], columns: number): readonly Line[] {
  const signed = (without: DiffPiece["kind"], sign: string, token: ColorToken) => {
    const text = pieces.flatMap(piece => (piece.kind === without ? [] : [piece.text])).join("")
    return wrap(text, columns - 2).map(row => line(span(`${sign} ${row}`, token)))
  }
  return [...signed("added", "-", "error"), ...signed("removed", "+", "ok")]
}

function changedWords(pieces: readonly DiffPiece[], columns: number, glyphs: Glyphs): readonly Line[] {
  const sign = glyphs.plain ? "\\n" : "↵"
  const spans = pieces.map((piece, index): Span => {
    const shown = piece.text.replaceAll("\n", `${sign}\n`)
    if (piece.kind === "removed") return span(`[-${shown}-]`, "error")
    if (piece.kind === "added") return span(`{+${shown}+}`, "ok")
    return span(around(piece.text, index > 0, index < pieces.length - 1, glyphs.ellipsis), "normal")
  })
  return wrapSpans(spans, columns).map(row => line(...row))
}

/** Unchanged text, without its middle where that is long. */
function around(text: string, changeBefore: boolean, changeAfter: boolean, ellipsis: string): string {
  const head = changeBefore ? AROUND : 0
  const tail = changeAfter ? AROUND : 0
  if (text.length <= head + tail + AROUND) return text
  const first = text.slice(0, head).replace(/\S*$/, "")
  const last = tail === 0 ? "" : text.slice(-tail).replace(/^\S*/, "")
  return `${first}${ellipsis}${last}`
}
