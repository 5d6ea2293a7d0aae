import type { JSX } from "solid-js"
import { Canvas } from "../../ui/Canvas.tsx"
import { Pane } from "../../ui/Pane.tsx"
import { inside, type Rect } from "../../ui/rect.ts"
import { useScreen } from "../../ui/screen-context.ts"
import { windowTop } from "../../ui/window-top.ts"
import { needs } from "./alerts.ts"
import { needLines } from "./lines.ts"
import { cursorOf } from "./update.ts"

/** The list of what needs a person, oldest first. */
export function AttentionPane(props: { rect: Rect; cursor: string | null }): JSX.Element {
  const { state, look } = useScreen()
  const all = () => needs(state(), look().now)
  const shown = () => {
    const found = all()
    const { rows, columns } = inside(props.rect)
    const cursor = cursorOf(found, props.cursor)
    const top = windowTop(Math.max(0, cursor - rows + 1), cursor, rows, found.length)
    return needLines(found, cursor, look(), columns).slice(top, top + rows)
  }
  const title = () => (all().length === 0 ? "NEEDS YOU" : `NEEDS YOU  ${all().length}, oldest first`)
  return (
    <Pane rect={props.rect} focused raised title={title()}>
      <Canvas lines={shown()} />
    </Pane>
  )
}
