import { typedRows } from "../../../ui/typed-error.ts"
import type { State } from "../../../view/state.ts"
import type { Page } from "../../../view/view.ts"
import type { OverlayPanel, Place } from "../panel.ts"
import type { Pager, PageText } from "./pager-text.ts"
import { PageSheet } from "./sheet.ts"
import { findInPager, foldReading, moveReading, pageOf, stepInPager } from "./update.ts"

/** An overlay that shows the text of `page`. */
export function pageOverlay<O extends Page>(
  page: (state: State, overlay: O, place: Place) => Pager,
  scope: "pager" | "entry" | "review" = "pager",
): Pick<OverlayPanel<O>, "drawn" | "front"> {
  return {
    drawn: { type: "page", page },
    front: overlay => ({
      scope,
      move: (state, by, context) => moveReading(state, overlay, by, context),
      fold: (state, to, context) => foldReading(state, overlay, to, context),
      finder: {
        take: (state, text, context) => findInPager(state, overlay, text, context),
        step: (state, step, context) => stepInPager(state, overlay, step, context),
      },
      measure(state, place) {
        const sheet = sheetOf(state, overlay, page(state, overlay, place).text, place)
        return { page: sheet.rows, lines: sheet.length, sheet }
      },
    }),
  }
}

/** A line that is typed below the text takes a row of it. */
export function sheetOf(state: State, overlay: Page, text: PageText, place: Place): PageSheet {
  return new PageSheet(text, overlay, place.columns, Math.max(1, place.rows - rowsTyped(state, place)))
}

/** The rows that a line typed below a text takes. */
export function rowsTyped(state: State, { columns, rows }: { columns: number; rows: number }): number {
  const to = state.view.typing?.to
  return pageOf(state) !== null && (to === "find" || to === "note") ? typedRows(state, columns, rows) : 0
}
