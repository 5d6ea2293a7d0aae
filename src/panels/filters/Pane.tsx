import { type JSX, Show } from "solid-js"
import { Canvas } from "../../ui/Canvas.tsx"
import { inside, type Rect } from "../../ui/rect.ts"
import { useScreen } from "../../ui/screen-context.ts"
import { TitledBox } from "../../ui/TitledBox.tsx"
import { TypedLine, typedRows } from "../../ui/TypedLine.tsx"
import { windowTop } from "../../ui/window-top.ts"
import { filterLines, filterTitle } from "./lines.ts"

/** The list of filters, and below it the field in which one is typed. */
export function FilterPane(props: { rect: Rect; cursor: number }): JSX.Element {
  const { state, context } = useScreen()
  const size = () => inside(props.rect)
  const typed = () => typedRows(state(), size().columns, size().rows)
  const rows = () => Math.max(1, size().rows - typed())
  const shown = () => {
    const lines = filterLines(state(), props.cursor, context(), size().columns)
    const top = windowTop(Math.max(0, props.cursor - rows() + 1), props.cursor, rows(), lines.length)
    return lines.slice(top, top + rows())
  }
  return (
    <TitledBox rect={props.rect} focused raised title={filterTitle(state())}>
      <box height={rows()} flexShrink={0} flexDirection="column">
        <Canvas lines={shown()} />
      </box>
      <Show when={typed() > 0}>
        <TypedLine columns={size().columns} rows={typed()} />
      </Show>
    </TitledBox>
  )
}
