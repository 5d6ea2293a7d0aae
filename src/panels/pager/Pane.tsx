import { createMemo, type JSX, Show } from "solid-js"
import { Canvas } from "../../ui/Canvas.tsx"
import type { Line } from "../../ui/line.ts"
import { inside, type Rect } from "../../ui/rect.ts"
import type { RenderContext } from "../../ui/render-context.ts"
import { useScreen } from "../../ui/screen-context.ts"
import { TitledBox } from "../../ui/TitledBox.tsx"
import { TypedLine, typedRows } from "../../ui/TypedLine.tsx"
import { count } from "../../ui/text-width.ts"
import { type PagerReading, percent, type ReadingPlace, topOf } from "../../view/reading.ts"
import type { State } from "../../view/state.ts"
import type { Page } from "../../view/view.ts"
import { pagerOf } from "./lines.ts"
import { MOST_HITS, PageSheet } from "./sheet.ts"
import { rowLine } from "./sheet-rows.ts"
import { pagerCursor } from "./update.ts"

/** An overlay of text that is read from top to bottom. */
export function PagerPane(props: { rect: Rect; overlay: Page }): JSX.Element {
  const { state, context } = useScreen()
  const sheet = createMemo(() => sheetOf(state(), props.overlay, context(), props.rect))
  const top = createMemo(() => topOf(sheet(), props.overlay))
  const title = () =>
    `${pagerOf(state(), props.overlay, context(), inside(props.rect).columns).title}${pagerPlace(sheet(), top())}`
  const typed = () => rowsTyped(state(), inside(props.rect))
  return (
    <TitledBox rect={props.rect} focused raised title={title()}>
      <box height={sheet().rows} flexShrink={0} flexDirection="column">
        <Canvas lines={shownLines(sheet(), top(), context())} />
      </box>
      <Show when={typed() > 0}>
        <TypedLine columns={inside(props.rect).columns} rows={typed()} />
      </Show>
    </TitledBox>
  )
}

/** How an overlay of text lies in its place; a line that is typed below takes a row of it. */
export function sheetOf(state: State, overlay: Page, context: RenderContext, rect: Rect): PageSheet {
  const { columns, rows } = inside(rect)
  const { text } = pagerOf(state, overlay, context, columns)
  return new PageSheet(text, overlay, columns, Math.max(1, rows - rowsTyped(state, { columns, rows })))
}

function rowsTyped(state: State, { columns, rows }: { columns: number; rows: number }): number {
  const to = state.view.typing?.to
  return to === "find" || to === "note" ? typedRows(state, columns, rows) : 0
}

/** The rows from `top` on. It costs these rows, however long the text is. */
export function shownLines(sheet: PageSheet, top: ReadingPlace, context: RenderContext): readonly Line[] {
  const lines: Line[] = []
  const cursor = sheet.folds ? pagerCursor(sheet, sheet.reading, top) : -1
  let { index, row } = top
  while (lines.length < sheet.rows && index < sheet.length) {
    lines.push(rowLine(sheet, index, row, index === cursor, context))
    row++
    if (row >= sheet.rowsAt(index)) {
      index++
      row = 0
    }
  }
  return lines
}

/** How far down the reader is, and which hit of how many. */
export function pagerPlace(sheet: PageSheet, top: ReadingPlace): string {
  const part = percent(sheet, top)
  const place = part === null ? "" : ` · ${part} %`
  return `${place}${hitWords(sheet, sheet.reading)}`
}

function hitWords(sheet: PageSheet, { find, hit }: PagerReading): string {
  if (find === undefined) return ""
  const hits = sheet.hits(find)
  if (hits.count === 0) return ` · /${find} not found`
  const more = hits.count < MOST_HITS ? "" : " or more"
  if (hit === undefined) return ` · /${find} ${count(hits.count)}${more} ${hits.count === 1 ? "hit" : "hits"}`
  return ` · /${find} ${count(hit + 1)} of ${count(hits.count)}${more}`
}
