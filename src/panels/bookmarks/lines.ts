// Draws the list of bookmarks.
import { sanitizeLine } from "../../protocol/sanitize.ts"
import { recalledRowAt } from "../../run/memory/recalled-frames.ts"
import { rowWords } from "../../run/select/row-words.ts"
import { type Line, line, type Span, span } from "../../ui/line.ts"
import { offset, pad } from "../../ui/text-width.ts"
import { type Bookmark, indexOfBookmark } from "../../view/bookmark.ts"
import type { State } from "../../view/state.ts"
import { listLines } from "../common/list/list.ts"
import type { Place } from "../common/place.ts"

/** One line for each bookmark: its note, and the row that it marks. */
export function bookmarkLines(state: State, cursor: number, place: Place): readonly Line[] {
  const { bookmarks } = state.view
  if (bookmarks.length === 0) return [line(span("No bookmarks yet. M adds one", "dim"))]
  return listLines(bookmarks, cursor, place, mark => markSpans(state, mark, place.columns))
}

function markSpans(state: State, mark: Bookmark, columns: number): readonly Span[] {
  const { run } = state
  const text = sanitizeLine(mark.note) || `seq ${mark.seq}`
  const note = span(pad(text, Math.max(12, Math.floor(columns * 0.4))), "bright")
  const index = indexOfBookmark(run, mark)
  const row = index === null ? undefined : recalledRowAt(state, index)
  if (row === undefined) return [note, span("  not in the log", "dim")]
  const words = rowWords(run, row)
  const time = row.ts === null || run.firstTs === null ? "" : offset(row.ts - run.firstTs)
  return [note, span(`  ${time}  ${words.source}  `, "dim"), span(`${words.what}  ${words.text}`)]
}
