import { type JSX, Show } from "solid-js"
import { watchLength } from "../../query/watches.ts"
import { Canvas } from "../../ui/Canvas.tsx"
import { inside, type Rect } from "../../ui/rect.ts"
import { useScreen } from "../../ui/screen-context.ts"
import { TitledBox } from "../../ui/TitledBox.tsx"
import { TypedLine, typedRows } from "../../ui/TypedLine.tsx"
import { windowTop } from "../../ui/window-top.ts"
import { watchLines, watchTitle } from "./lines.ts"

/** What is watched, and each change of it; below it the field in which one is typed. */
export function WatchPane(props: { rect: Rect; cursor: number }): JSX.Element {
  const { state, context } = useScreen()
  const size = () => inside(props.rect)
  const typed = () => (state().view.typing?.to === "watch" ? typedRows(state(), size().columns, size().rows) : 0)
  const rows = () => Math.max(1, size().rows - typed())
  const shown = () => {
    const length = watchLength(state().view.watches)
    const top = windowTop(Math.max(0, props.cursor - rows() + 1), props.cursor, rows(), length)
    return watchLines(state(), props.cursor, context(), size().columns, top, rows())
  }
  return (
    <TitledBox rect={props.rect} focused raised title={watchTitle(state())}>
      <box height={rows()} flexShrink={0} flexDirection="column">
        <Canvas lines={shown()} />
      </box>
      <Show when={typed() > 0}>
        <TypedLine columns={size().columns} rows={typed()} />
      </Show>
    </TitledBox>
  )
}
