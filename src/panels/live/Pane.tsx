import { createMemo, type JSX } from "solid-js"
import { Canvas, TitledBox } from "../../ui/Canvas.tsx"
import { inside, type Rect } from "../../ui/layout.ts"
import { useScreen } from "../../ui/screen-context.ts"
import { windowTop } from "../../view/cursor-step.ts"
import { viewsOf } from "../common/place-title.ts"
import { liveRows, rowOfTarget } from "../common/session-rows.ts"
import { liveFoot, liveLines, liveTitle, type ShownList } from "./lines.ts"

/** Draws the live pane. */
export function LivePane(props: { rect: Rect; focused: boolean }): JSX.Element {
  const { calm: state, context } = useScreen()
  const size = () => inside(props.rect)
  const shown = createMemo<ShownList>(
    before => {
      const room = Math.max(1, size().rows)
      const list = liveRows(state(), room)
      const pinned = Math.min(list.pinned, room - 1)
      const cursor = Math.max(0, rowOfTarget(state().run, list, state().view.list.selected) - pinned)
      const top = windowTop(before.top, cursor, room - pinned, list.rows.length - pinned)
      return { ...list, pinned, top }
    },
    { rows: [], pinned: 0, top: 0 },
  )
  return (
    <TitledBox
      pane="live"
      rect={props.rect}
      focused={props.focused}
      title={liveTitle(state(), context(), size().columns)}
      views={viewsOf("live", state().view)}
      footnote={liveFoot(state(), shown(), size().columns)}
    >
      <Canvas lines={liveLines(state(), context(), size().columns, size().rows, shown())} />
    </TitledBox>
  )
}
