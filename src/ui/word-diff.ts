// Shows a change of a text word by word: [-removed-], {+added+}, and a little of the unchanged text.
import { diffWordsWithSpace } from "diff"
import type { Glyphs } from "./glyphs.ts"
import { type Line, line, type Span, span, wrapSpans } from "./line.ts"

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

/** A line break that was removed or added is shown as a sign. */
export function diffLines(pieces: readonly DiffPiece[], columns: number, glyphs: Glyphs): readonly Line[] {
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
