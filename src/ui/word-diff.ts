// Shows a change of a text word by word: [-removed-], {+added+}, and a little of the unchanged text.
import { diffWordsWithSpace } from "diff"
import type { Glyphs } from "./glyphs.ts"
import { type Line, type Span, span } from "./line.ts"
import { firstGrapheme, fitting, width } from "./text-width.ts"

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
  return flow(spans, columns)
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

/** Spans as lines: broken at line breaks, between words, and within a word only where it is longer than a line. */
export function flow(spans: readonly Span[], columns: number): readonly Line[] {
  const room = Math.max(1, columns)
  const lines: Span[][] = [[]]
  let used = 0
  const put = (text: string, of: Span, taken: number): void => {
    lines.at(-1)?.push({ ...of, text })
    used += taken
  }
  const next = (): void => {
    lines.push([])
    used = 0
  }
  for (const one of spans) {
    for (const word of one.text.replaceAll("\t", "    ").match(/\n|[^\S\n]+|\S+/g) ?? []) {
      if (word === "\n") {
        next()
        continue
      }
      const taken = width(word)
      if (used + taken <= room) {
        put(word, one, taken)
        continue
      }
      if (used > 0) next()
      // Blanks at the break are left out.
      if (word.trim() === "") continue
      let rest = word
      while (width(rest) > room) {
        const units = fitting(rest, room).units || firstGrapheme(rest)
        put(rest.slice(0, units), one, room)
        next()
        rest = rest.slice(units)
      }
      put(rest, one, width(rest))
    }
  }
  return lines.map(list => ({ spans: list }))
}
