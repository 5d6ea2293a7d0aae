import { createMemo, type JSX } from "solid-js"
import { Canvas, TitledBox } from "../../../ui/Canvas.tsx"
import type { Glyphs } from "../../../ui/glyphs.ts"
import type { Rect } from "../../../ui/layout.ts"
import { type Line, type RenderContext, type Span, span } from "../../../ui/line.ts"
import { cutOut, hitRanges, markHits, type Range } from "../../../ui/mark-hits.ts"
import { useScreen } from "../../../ui/screen-context.ts"
import { TypedLine } from "../../../ui/TypedLine.tsx"
import { count, matchWords } from "../../../ui/text-width.ts"
import type { PaneId } from "../../../view/pane-names.ts"
import type { PagerReading } from "../../../view/reading.ts"
import type { Page } from "../../../view/view.ts"
import type { DrawnOverlay } from "../panel.ts"
import { viewsOf } from "../place-title.ts"
import { usePlace } from "../use-place.ts"
import { rowsTyped, sheetOf } from "./page.ts"
import { percent, type ReadingPlace, topOf } from "./reading-place.ts"
import { MOST_HITS, type PageSheet } from "./sheet.ts"
import { pagerCursor } from "./update.ts"

/** Draws an overlay that is a text to page through. */
export function PagePane(props: {
  rect: Rect
  focused: boolean
  overlay: Page
  drawn: Extract<DrawnOverlay<Page>, { readonly type: "page" }>
  pane?: PaneId
}): JSX.Element {
  const { state, context } = useScreen()
  const place = usePlace(() => props.rect)
  const pager = createMemo(() => props.drawn.page(state(), props.overlay, place()))
  const sheet = createMemo(() => sheetOf(state(), props.overlay, pager().text, place()))
  const top = createMemo(() => topOf(sheet(), props.overlay))
  const title = () => `${pager().title}${hitWords(sheet(), sheet().reading)}`
  return (
    <TitledBox
      rect={props.rect}
      focused={props.focused}
      title={title()}
      views={viewsOf(props.overlay.type, state().view)}
      footnote={pagerPlace(sheet(), top())}
      {...(props.pane === undefined ? { raised: true } : { pane: props.pane })}
    >
      <Canvas lines={shownLines(sheet(), top(), context())} rows={sheet().rows} />
      <TypedLine columns={place().columns} rows={rowsTyped(state(), place())} />
    </TitledBox>
  )
}

/** The rows from `top` on. It costs these rows, however long the text is. */
export function shownLines(sheet: PageSheet, top: ReadingPlace, context: RenderContext): readonly Line[] {
  const lines: Line[] = []
  const cursor = sheet.folds ? pagerCursor(sheet, sheet.reading, top) : -1
  for (let { index, row } = top; lines.length < sheet.rows && index < sheet.length; index++, row = 0) {
    for (; row < sheet.rowsAt(index) && lines.length < sheet.rows; row++) {
      lines.push(rowLine(sheet, index, row, index === cursor, context))
    }
  }
  return lines
}

/** How far down the reader is, for the lower edge; undefined where all is seen. */
export function pagerPlace(sheet: PageSheet, top: ReadingPlace): string | undefined {
  const part = percent(sheet, top)
  return part === null ? undefined : part === 100 ? "end" : `${part} %`
}

function hitWords(sheet: PageSheet, { find, hit }: PagerReading): string {
  if (find === undefined) return ""
  const hits = sheet.hits(find)
  if (hits.count === 0) return ` · /${find} not found`
  const more = hits.count < MOST_HITS ? "" : " or more"
  if (hit === undefined) return ` · /${find} ${matchWords(hits.count)}${more}`
  return ` · /${find} ${count(hit + 1)} of ${count(hits.count)}${more}`
}

const nowhere: Range = { from: 0, to: 0 }

/** One row: its part of a line, with the matches marked and the gutter on the left. */
function rowLine(sheet: PageSheet, index: number, row: number, here: boolean, { glyphs }: RenderContext): Line {
  const { text, reading } = sheet
  const at = sheet.lineAt(index)
  const { spans } = sheet.isClosed(at) ? text.closed(at) : text.line(at)
  const plain = text.plain(at)
  const range = sheet.rangesAt(at)[row] ?? nowhere
  const { find } = reading
  const places = find === undefined ? [] : hitRanges(plain, find).map(from => ({ from, to: from + find.length }))
  const shown = places.length === 0 ? cutOut(spans, range) : markHits(spans, range, places, hitAt(sheet, at))
  return { spans: [...gutter(sheet, at, row, glyphs), ...shown], ...(here ? { selected: true } : {}) }
}

function gutter(sheet: PageSheet, at: number, row: number, glyphs: Glyphs): readonly Span[] {
  if (!sheet.folds) return []
  const mark = row > 0 || sheet.text.end(at) === null ? " " : sheet.isClosed(at) ? glyphs.folded : glyphs.unfolded
  return [span(`${mark} `, "accent")]
}

/** The place of the current hit; null if it is in another line. */
function hitAt(sheet: PageSheet, at: number): number | null {
  const { find, hit } = sheet.reading
  if (find === undefined || hit === undefined) return null
  const hits = sheet.hits(find)
  return hits.line(hit) === at ? hits.at(hit) : null
}
