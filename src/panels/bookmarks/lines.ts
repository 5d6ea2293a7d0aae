import { sanitizeLine } from "../../protocol/sanitize.ts"
import { recalledRowAt } from "../../run/memory/recalled-frames.ts"
import { rowWords } from "../../run/select/row-words.ts"
import { clipSpans, type Line, line, span } from "../../ui/line.ts"
import { offset, pad } from "../../ui/text-width.ts"
import { type Bookmark, indexOfBookmark } from "../../view/bookmark.ts"
import type { State } from "../../view/state.ts"
import { topRow } from "../common/list/list.ts"
import type { Place } from "../common/place.ts"

/** One line for each bookmark: its note, and the row that it marks. */
export function bookmarkLines(state: State, cursor: number, { columns, rows, render }: Place): readonly Line[] {
  const list = state.view.bookmarks
  const top = topRow(cursor, rows, list.length)
  if (list.length === 0) return [line(span("No bookmark yet: M marks the row under the log's cursor", "dim"))]
  return list.slice(top, top + rows).map((mark, i) => {
    const here = top + i === cursor
    const spans = [span(`${here ? render.glyphs.folded : " "} `, "accent"), ...markSpans(state, mark, columns)]
    return { spans: clipSpans(spans, columns, render.glyphs.ellipsis), selected: here }
  })
}

function markSpans(state: State, mark: Bookmark, columns: number): Line["spans"] {
  const { run } = state
  const note = span(
    pad(sanitizeLine(mark.note) || `seq ${mark.seq}`, Math.max(12, Math.floor(columns * 0.4))),
    "bright",
  )
  const index = indexOfBookmark(run, mark)
  const row = index === null ? undefined : recalledRowAt(state, index)
  if (row === undefined) return [note, span("  not in the log", "dim")]
  const words = rowWords(run, row)
  const time = row.ts === null || run.firstTs === null ? "" : offset(row.ts - run.firstTs)
  return [note, span(`  ${time}  ${words.source}  `, "dim"), span(`${words.what}  ${words.text}`)]
}
