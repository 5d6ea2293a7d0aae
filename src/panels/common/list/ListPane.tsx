// Draws a list over the panes, and below it the line that is typed for it.
import type { JSX } from "solid-js"
import { Canvas } from "../../../ui/Canvas.tsx"
import type { Rect } from "../../../ui/layout.ts"
import { useScreen } from "../../../ui/screen-context.ts"
import { TitledBox } from "../../../ui/TitledBox.tsx"
import { TypedLine } from "../../../ui/TypedLine.tsx"
import { typedRows } from "../../../ui/typed-error.ts"
import type { Overlay } from "../../../view/view.ts"
import type { List } from "../panel.ts"
import { usePlace } from "../use-place.ts"

export function ListPane(props: { rect: Rect; overlay: Overlay; list: List<Overlay> }): JSX.Element {
  const { state, context } = useScreen()
  const place = usePlace(() => props.rect)
  const typed = () => {
    const { typing } = state().view
    const isOwn = typing !== null && typing.to === props.list.typed
    return isOwn ? typedRows(state(), place().columns, place().rows) : 0
  }
  const rows = () => Math.max(1, place().rows - typed())
  const lines = () => {
    const cursor = props.list.cursorOf(state(), props.overlay, context().now)
    return props.list.lines(state(), cursor, { ...place(), rows: rows() })
  }
  return (
    <TitledBox rect={props.rect} focused raised title={props.list.title(state(), context())}>
      <Canvas lines={lines()} rows={rows()} />
      <TypedLine columns={place().columns} rows={typed()} />
    </TitledBox>
  )
}
