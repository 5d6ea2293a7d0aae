// Makes an overlay of a text that is read from top to bottom.
import type { Page } from "../../../view/view.ts"
import type { OverlayPanel, PageSource } from "../panel.ts"
import { sheetOf } from "./sheet-of.ts"
import { findInPager, foldReading, moveReading, stepInPager } from "./update.ts"

export function pageOverlay<O extends Page>(
  page: PageSource<O>,
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
        const sheet = sheetOf(state, overlay, page, place)
        return { page: sheet.rows, lines: sheet.length, sheet }
      },
    }),
  }
}
