// Draws a menu in the middle of the screen; it covers no more than it needs.
import type { JSX } from "solid-js"
import { Canvas } from "../../../ui/Canvas.tsx"
import type { Rect } from "../../../ui/layout.ts"
import { type Line, line, span } from "../../../ui/line.ts"
import type { RenderContext } from "../../../ui/render-context.ts"
import { useScreen } from "../../../ui/screen-context.ts"
import { TitledBox } from "../../../ui/TitledBox.tsx"
import { wrap } from "../../../ui/wrap.ts"
import type { Overlay } from "../../../view/view.ts"
import type { Menu, MenuItem } from "../panel.ts"
import { topRow } from "./list.ts"

const COLUMNS = 72

export function MenuPane(props: { body: Rect; overlay: Overlay; menu: Menu<Overlay> }): JSX.Element {
  const { state, context } = useScreen()
  const width = () => Math.min(COLUMNS, props.body.width)
  const lines = () => {
    const cursor = props.menu.cursorOf(state(), props.overlay, context().now)
    const all = menuLines(props.menu.items(state(), props.overlay), cursor, context(), width() - 4)
    const rows = Math.max(0, props.body.height - 2)
    const lastTop = topRow(
      all.findLastIndex(one => one.selected),
      rows,
      all.length,
    )
    // Of an item that is longer than the menu, its name is seen.
    const top = Math.min(
      lastTop,
      all.findIndex(one => one.selected),
    )
    return all.slice(Math.max(0, top)).slice(0, rows)
  }
  const rect = (): Rect => {
    const height = lines().length + 2
    const x = Math.floor((props.body.width - width()) / 2)
    return { x, y: props.body.y + Math.floor((props.body.height - height) / 2), width: width(), height }
  }
  return (
    <TitledBox rect={rect()} focused raised title={props.menu.title(state(), props.overlay)}>
      <Canvas lines={lines()} />
    </TitledBox>
  )
}

/** Each item, and below one that cannot be had why not. */
function menuLines(
  items: readonly MenuItem[],
  cursor: number,
  { glyphs }: RenderContext,
  columns: number,
): readonly Line[] {
  return items.flatMap((item, index) => {
    const here = index === cursor
    const token = item.why !== null ? "dim" : here ? "bright" : "normal"
    const head = line(span(here ? `${glyphs.folded} ` : "  ", "accent"), span(item.title, token, { bold: here }))
    const why = item.why === null ? [] : wrap(item.why, columns - 4).map(text => line(span(`    ${text}`, "dim")))
    return [head, ...why].map(one => ({ ...one, selected: here }))
  })
}
