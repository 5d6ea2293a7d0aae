import type { JSX } from "solid-js"
import { needs } from "../../store/need.ts"
import { cursorOf } from "../../store/plan-need.ts"
import { useScreen } from "../bind.ts"
import { Canvas } from "../Canvas.tsx"
import { inside, type Rect } from "../layout.ts"
import { Pane } from "../Pane.tsx"
import { windowTop } from "../window.ts"
import { needLines } from "./lines.ts"

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
