// Lays an overlay of text out in its place.
import { typedRows } from "../../../ui/typed-error.ts"
import type { State } from "../../../view/state.ts"
import type { Page } from "../../../view/view.ts"
import type { PageSource } from "../panel.ts"
import type { Place } from "../place.ts"
import { PageSheet } from "./sheet.ts"

/** A line that is typed below the text takes a row of it. */
export function sheetOf<O extends Page>(state: State, overlay: O, page: PageSource<O>, place: Place): PageSheet {
  const { text } = page.text(state, overlay, place)
  return new PageSheet(text, overlay, place.columns, Math.max(1, place.rows - rowsTyped(state, place)))
}

export function rowsTyped(state: State, { columns, rows }: { columns: number; rows: number }): number {
  const to = state.view.typing?.to
  return to === "find" || to === "note" ? typedRows(state, columns, rows) : 0
}
