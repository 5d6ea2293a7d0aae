// The pane of all invocations with their sessions.
import { createMemo, type JSX } from "solid-js"
import { activity } from "../../run/select/figures.ts"
import { Canvas, TitledBox } from "../../ui/Canvas.tsx"
import { inside, type Rect } from "../../ui/layout.ts"
import { useScreen } from "../../ui/screen-context.ts"
import { windowTop } from "../../view/cursor-step.ts"
import { sameTarget, shownRows } from "../../view/select/live-rows.ts"
import { liveEmpty, liveHeading, liveLines, liveTitle } from "./lines.ts"

/** Draws the live pane: sessions under their groups. */
export function LivePane(props: { rect: Rect; focused: boolean }): JSX.Element {
  const { calm: state, context } = useScreen()
  const size = () => inside(props.rect)
  const top = createMemo((before: number) => {
    const { view } = state()
    const rows = shownRows(state())
    const cursor = rows.findIndex(row => sameTarget(row, view.selected))
    return windowTop(before, Math.max(0, cursor), size().rows - 1, rows.length)
  }, 0)
  const lines = () => {
    const { columns, rows } = size()
    const made = liveLines(state(), context(), columns, rows - 1, top())
    return [liveHeading(columns), ...(made.length === 0 ? liveEmpty(state(), context(), columns) : made)]
  }
  return (
    <TitledBox
      pane="live"
      rect={props.rect}
      focused={props.focused}
      title={liveTitle(state(), activity(state().run), context())}
    >
      <Canvas lines={lines()} />
    </TitledBox>
  )
}
