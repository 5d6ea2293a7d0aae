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

/** With fewer rows or columns a border would hold nothing: what has its place is drawn without one. */
export const BOXED = 3

/** Rows above the reader of the only session: its row in the list. */
const HEAD = 1

/** The room of a place inside its border, or beside what keeps it from the edges where it has none. */
export function inside({ width, height }: Rect): TextSize {
  const isBoxed = height >= BOXED
  return { columns: Math.max(0, width - (isBoxed ? 4 : 2)), rows: Math.max(0, isBoxed ? height - 2 : height) }
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
export const READER = 104
/** Columns of a log that has room beside the reader of the only session. */
const BESIDE = 76
/** From so many cells between header and footer on, the log stands below the list alone. */
const LARGE = { columns: 160, rows: 40 }
/** Rows of the list's border and of the lines below its rows, without the lanes. */
const OUTCOME = 9
const TINY_COLUMNS = 60
const TINY_ROWS = 16

/** With fewer rows above a question, its border included, a place is not worth showing. */
export const READABLE = 4

export interface Needs {
  readonly banner: number
  /** Those that the list has something for: what it doesn't need is the reader's below it. */
  readonly wanted: number
  /** How many lanes the list draws, below its rows or, on a large terminal, beside them. */
  readonly lanes?: number
  /** The box of a question or a form at the lower edge: the log gives its room first. */
  readonly question?: number
  /** One session is the whole run: the reader has the screen, and list and log are a line each. */
  readonly isAlone?: boolean
}

type Shown = Pick<View, "focus" | "maximized">

/** A part without room gets no rows: a terminal of one row has only the header. */
export function layout({ columns, rows }: TextSize, view: Shown, needs: Needs): Layout {
  const width = Math.max(1, columns)
  const between = Math.max(0, rows - 2)
  const bannerHeight = Math.min(needs.banner, between)
  const bodyHeight = between - bannerHeight
  const body = { x: 0, y: 1, width, height: bodyHeight }
  const mode = columns < TINY_COLUMNS || rows < TINY_ROWS ? "tiny" : columns < WIDE ? "narrow" : "wide"
  return {
    mode,
    header: { x: 0, y: 0, width, height: 1 },
    footer: { x: 0, y: Math.max(1, rows - 1), width, height: rows > 1 ? 1 : 0 },
    banner: { x: 0, y: 1 + bodyHeight, width, height: bannerHeight },
    body,
    panes: placesIn(body, mode, view, needs),
  }
}

function placesIn(body: Rect, mode: Layout["mode"], view: Shown, needs: Needs): Layout["panes"] {
  const { wanted, lanes = 0, question = 0, isAlone = false } = needs
  const { focus, maximized } = view
  const room = { ...body, height: body.height - question }
  if (question > 0 && room.height < READABLE) return {}
  if (mode === "tiny" || maximized || focus === "home") return { [focus]: room }
  const share = clamp(Math.floor(body.height * 0.32), 6, 16)
  if (isAlone) {
    const [head, rest] = cut(room, HEAD)
    if (body.width >= READER + BESIDE && rest.height >= READABLE) {
      const text = { ...rest, width: READER }
      return { live: head, text, log: { ...rest, x: READER, width: body.width - READER } }
    }
    const log = Math.min(focus === "log" ? share : 1, room.height - HEAD - READABLE)
    if (log < 1) return { [focus === "log" ? "log" : "text"]: room }
    const [text, line] = cut(rest, rest.height - log)
    return { live: head, text, log: line }
  }
  if (mode === "narrow") {
    const half = Math.floor(body.height / 2)
    const below = focus === "log" ? "log" : "text"
    if (question > 0) return { [below]: room }
    const [live, rest] = cut(room, clamp(wanted + 2, Math.floor(body.height * 0.4), half))
    return { live, [below]: rest }
  }
  const width = Math.max(Math.floor(body.width * 0.55), body.width - READER)
  // The log needs less than the whole width of a large terminal: there the reader has its rows.
  const isLarge = body.width >= LARGE.columns && body.height >= LARGE.rows
  const [least, below] = isLarge ? [0.3, 0] : [0.5, lanes]
  const list = clamp(wanted + below + OUTCOME, Math.floor(body.height * least), body.height - share)
  const left = room.height - list
  const isLow = left > 0 && left < READABLE
  const [top, rest] = cut(room, isLow ? room.height - READABLE : Math.min(room.height, list))
  const live = { ...top, width }
  const text = { ...(isLarge ? room : top), x: width, width: body.width - width }
  const log = isLarge ? { ...rest, width } : rest
  return { live, text, ...(log.height > 0 && { log }) }
}

function cut(rect: Rect, rows: number): readonly [Rect, Rect] {
  return [
    { ...rect, height: rows },
    { ...rect, y: rect.y + rows, height: rect.height - rows },
  ]
}
