// Draws an overlay of text that is read from top to bottom.
import { createMemo, type JSX } from "solid-js"
import { Canvas } from "../../../ui/Canvas.tsx"
import type { Rect } from "../../../ui/layout.ts"
import type { Line } from "../../../ui/line.ts"
import type { RenderContext } from "../../../ui/render-context.ts"
import { useScreen } from "../../../ui/screen-context.ts"
import { TitledBox } from "../../../ui/TitledBox.tsx"
import { TypedLine } from "../../../ui/TypedLine.tsx"
import { count, matchWords } from "../../../ui/text-width.ts"
import { type PagerReading, percent, type ReadingPlace, topOf } from "../../../view/reading.ts"
import type { Page } from "../../../view/view.ts"
import type { PageSource } from "../panel.ts"
import { usePlace } from "../use-place.ts"
import { rowsTyped, sheetOf } from "./page.ts"
import { MOST_HITS, type PageSheet } from "./sheet.ts"
import { rowLine } from "./sheet-rows.ts"
import { pagerCursor } from "./update.ts"

export function PagePane(props: { rect: Rect; overlay: Page; page: PageSource<Page> }): JSX.Element {
  const { state, context } = useScreen()
  const place = usePlace(() => props.rect)
  const sheet = createMemo(() => sheetOf(state(), props.overlay, props.page, place()))
  const top = createMemo(() => topOf(sheet(), props.overlay))
  const title = () => `${props.page.text(state(), props.overlay, place()).title}${pagerPlace(sheet(), top())}`
  return (
    <TitledBox rect={props.rect} focused raised title={title()}>
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

/** How far down the reader is, and which hit of how many. */
export function pagerPlace(sheet: PageSheet, top: ReadingPlace): string {
  const part = percent(sheet, top)
  return (part === null ? "" : ` · ${part}%`) + hitWords(sheet, sheet.reading)
}

function hitWords(sheet: PageSheet, { find, hit }: PagerReading): string {
  if (find === undefined) return ""
  const hits = sheet.hits(find)
  if (hits.count === 0) return ` · /${find} not found`
  const more = hits.count < MOST_HITS ? "" : " or more"
  if (hit === undefined) return ` · /${find} ${matchWords(hits.count)}${more}`
  return ` · /${find} ${count(hit + 1)} of ${count(hits.count)}${more}`
}
