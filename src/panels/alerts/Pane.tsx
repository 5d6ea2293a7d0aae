import type { JSX } from "solid-js"
import { Canvas } from "../../ui/Canvas.tsx"
import { inside, type Rect } from "../../ui/rect.ts"
import { useScreen } from "../../ui/screen-context.ts"
import { TitledBox } from "../../ui/TitledBox.tsx"
import { windowTop } from "../../ui/window-top.ts"
import { alertsOf } from "./alerts.ts"
import { alertLines } from "./lines.ts"
import { alertCursor } from "./update.ts"

/** The list of what needs a person, oldest first. */
export function AlertsPane(props: { rect: Rect; cursor: string | null }): JSX.Element {
  const { state, context } = useScreen()
  const all = () => alertsOf(state(), context().now)
  const shown = () => {
    const found = all()
    const { rows, columns } = inside(props.rect)
    const cursor = alertCursor(found, props.cursor)
    const top = windowTop(Math.max(0, cursor - rows + 1), cursor, rows, found.length)
    return alertLines(found, cursor, context(), columns).slice(top, top + rows)
  }
  const title = () => (all().length === 0 ? "NEEDS YOU" : `NEEDS YOU  ${all().length}, oldest first`)
  return (
    <TitledBox rect={props.rect} focused raised title={title()}>
      <Canvas lines={shown()} />
    </TitledBox>
  )
}
