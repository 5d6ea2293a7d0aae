// Divides the terminal among header, panes, banner and footer.
import { clamp } from "../view/cursor-step.ts"
import type { PaneId } from "../view/pane-names.ts"
import type { View } from "../view/view.ts"

/** Cells, counted from the top left corner. */
export interface Rect {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface TextSize {
  readonly columns: number
  readonly rows: number
}

/** The room inside a pane's border. */
export function inside(rect: Rect): TextSize {
  return { columns: Math.max(0, rect.width - 4), rows: Math.max(0, rect.height - 2) }
}

export interface Layout {
  readonly mode: "wide" | "narrow" | "tiny"
  readonly header: Rect
  readonly footer: Rect
  /** Above the footer: what holds the run, or its end. */
  readonly banner: Rect
  /** The panes that have room, with their borders. */
  readonly panes: { readonly [pane in PaneId]?: Rect }
  /** Between header and footer, for overlays and questions. */
  readonly body: Rect
}

const WIDE = 100
/** The most columns of the reader with its border: longer lines are hard to follow. */
const READER = 104
const TINY_COLUMNS = 60
const TINY_ROWS = 16

/**
 * A part without room gets no rows: a terminal of one row has only the header. `banner` is in rows, and `wanted` those
 * that the live pane has something for: what it doesn't need is the log's.
 */
export function layout(
  columns: number,
  rows: number,
  view: Pick<View, "focus" | "maximized">,
  banner: number,
  wanted: number,
): Layout {
  const width = Math.max(1, columns)
  const between = Math.max(0, rows - 2)
  const bannerHeight = Math.min(banner, between)
  const bodyHeight = between - bannerHeight
  const header = { x: 0, y: 0, width, height: 1 }
  const body = { x: 0, y: 1, width, height: bodyHeight }
  const bannerRect = { x: 0, y: 1 + bodyHeight, width, height: bannerHeight }
  const footer = { x: 0, y: Math.max(1, rows - 1), width, height: rows > 1 ? 1 : 0 }
  const mode = columns < TINY_COLUMNS || rows < TINY_ROWS ? "tiny" : columns < WIDE ? "narrow" : "wide"
  const common = { mode, header, footer, banner: bannerRect, body } as const
  if (mode === "tiny" || view.maximized || view.focus === "home") return { ...common, panes: { [view.focus]: body } }
  const logHeight = mode === "wide" ? clamp(Math.floor(bodyHeight * 0.32), 6, 16) : 8
  const most = bodyHeight - logHeight
  const isText = mode === "narrow" && view.focus === "text"
  // Beside the live pane there is the text, which is read and needs half of the rows.
  const least = Math.min(most, isText ? most : mode === "wide" ? Math.floor(bodyHeight / 2) : 8)
  const top = { ...body, height: clamp(wanted + 2, least, most) }
  const log = { ...body, y: body.y + top.height, height: bodyHeight - top.height }
  if (mode === "narrow") return { ...common, panes: { [view.focus === "text" ? "text" : "live"]: top, log } }
  const liveWidth = Math.max(Math.floor(width * 0.55), width - READER)
  const live = { ...top, width: liveWidth }
  const text = { ...top, x: liveWidth, width: width - liveWidth }
  return { ...common, panes: { live, text, log } }
}
