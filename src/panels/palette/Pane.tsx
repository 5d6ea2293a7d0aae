// Draws the palette over what it was opened from. It never moves while a person types.
import type { JSX } from "solid-js"
import { Canvas, TitledBox } from "../../ui/Canvas.tsx"
import type { Rect } from "../../ui/layout.ts"
import { blank } from "../../ui/line.ts"
import { useScreen } from "../../ui/screen-context.ts"
import { TypedLine } from "../../ui/TypedLine.tsx"
import { edgeWords } from "../../ui/text-width.ts"
import { typedRows } from "../../ui/typed-error.ts"
import { usePlace } from "../common/use-place.ts"
import { hintLine, paletteLines, paletteTitle, previewLines } from "./lines.ts"
import type { ShownPalette } from "./palette-entry.ts"

const SIZE = { columns: 112, rows: 21 }
/** The same for the short page of keys, which wants to be seen whole. */
const PAGE_SIZE = { columns: 84, rows: 30 }
/** Where there are fewer rows or columns it takes them all. */
const MARGINS = { columns: 60, rows: 20 }

/** Draws the palette over the body. */
export function PalettePane(props: { body: Rect; shown: ShownPalette }): JSX.Element {
  const { state } = useScreen()
  const place = usePlace(() => rect())
  const rect = (): Rect => {
    const { x, y, width, height } = props.body
    const size = props.shown.isShort === true ? PAGE_SIZE : SIZE
    const columns = Math.min(size.columns, width < MARGINS.columns ? width : width - 4)
    const above = height < MARGINS.rows ? 0 : Math.min(3, height - MARGINS.rows)
    return {
      x: x + Math.floor((width - columns) / 2),
      y: y + above,
      width: columns,
      height: Math.min(size.rows, height - above),
    }
  }
  const typed = () => typedRows(state(), place().columns, place().rows)
  const hints = () => (place().rows - typed() > 8 && props.shown.isShort !== true ? 3 : 0)
  const rows = () => Math.max(1, place().rows - typed() - hints())
  const edge = () => {
    const { rows, cursor } = props.shown
    return edgeWords({ top: 0, rows: 1, length: rows.length, cursor })
  }
  const preview = () => [blank, ...previewLines(props.shown, place()), hintLine(place())]
  return (
    <TitledBox rect={rect()} focused raised title={paletteTitle(props.shown)} footnote={edge()}>
      <TypedLine columns={place().columns} rows={typed()} />
      <Canvas lines={paletteLines(props.shown, state().view.typing, { ...place(), rows: rows() })} rows={rows()} />
      <Canvas lines={preview().slice(0, hints())} rows={hints()} />
    </TitledBox>
  )
}
