import { createMemo, type JSX } from "solid-js"
import { indexOfRow } from "../../store/row-place.ts"
import { useScreen } from "../bind.ts"
import { Canvas } from "../Canvas.tsx"
import { inside, type Rect } from "../layout.ts"
import { Pane } from "../Pane.tsx"
import { windowTop } from "../window.ts"
import { keyAt, logCursor, logEmpty, logLines, logTitle } from "./lines.ts"

/** One row for each event. It follows the end, or stays where the reader is. */
export function LogPane(props: { rect: Rect; focused: boolean }): JSX.Element {
  const { state, look } = useScreen()
  const size = () => inside(props.rect)
  // The first row is remembered by its key: rows that are put before it do not move the reader.
  const first = createMemo((before: number | null) => {
    const { run } = state()
    const top = before === null ? 0 : indexOfRow(run, before)
    return keyAt(run, windowTop(top, logCursor(state()), size().rows, run.log.rows.length))
  }, null)
  const lines = () => {
    const { columns, rows } = size()
    const { run } = state()
    const key = first()
    const made = key === null ? [] : logLines(state(), look(), columns, rows, indexOfRow(run, key))
    return made.length === 0 ? [logEmpty] : made
  }
  return (
    <Pane pane="log" rect={props.rect} focused={props.focused} title={logTitle(state(), look(), size().columns)}>
      <Canvas lines={lines()} />
    </Pane>
  )
}
