import { createEffect, createMemo, type JSX, onCleanup } from "solid-js"
import { rowIdOf, rowIndex } from "../../run/identity/find-by-id.ts"
import { at } from "../../run/model/chunked-list.ts"
import type { RowId } from "../../run/model/id.ts"
import { Canvas, TitledBox } from "../../ui/Canvas.tsx"
import { inside, type Rect } from "../../ui/layout.ts"
import { useScreen } from "../../ui/screen-context.ts"
import { TypedLine } from "../../ui/TypedLine.tsx"
import { typedRows } from "../../ui/typed-error.ts"
import { overlayInFront } from "../../view/select/stack.ts"
import type { Typing } from "../../view/view.ts"
import { findEdge } from "../common/keys.ts"
import { countedLine, logEmpty, logLines, logTitle, logWindow, placeWords } from "./lines.ts"

/** Lines that are typed at the lower end of the log. */
const OWN: readonly Typing["to"][] = ["filter", "search", "note"]

/** Draws the log, and reports which rows are on the screen. */
export function LogPane(props: { rect: Rect; focused: boolean }): JSX.Element {
  const { state, context, showRows } = useScreen()
  const size = () => inside(props.rect)
  const typed = () => {
    const to = state().view.typing?.to
    const here = to !== undefined && OWN.includes(to) && overlayInFront(state().view) === undefined
    return here ? typedRows(state(), size().columns, size().rows) : 0
  }
  const rows = () => size().rows - typed()
  // The first row is remembered: rows that are put before it do not move the reader.
  const seen = createMemo(
    (before: { readonly top: RowId | null; readonly indexes: readonly number[] }) => {
      const { present } = state()
      const indexes = logWindow(state(), before.top === null ? null : rowIndex(present, before.top), rows())
      const first = at(present.log.rows, indexes[0] ?? -1)
      return { top: first === undefined ? null : rowIdOf(present, first), indexes }
    },
    { top: null, indexes: [] },
  )
  createEffect(() => showRows(seen().indexes.flatMap(index => at(state().present.log.rows, index) ?? [])))
  onCleanup(() => showRows(null))
  const lines = () => {
    const made = logLines(state(), context(), size().columns, seen().indexes)
    if (made.length === 0) return [logEmpty(state())]
    return size().rows === 1 ? made.map(one => countedLine(state(), one, size().columns)) : made
  }
  const title = () => logTitle(state(), context(), size().columns)
  return (
    <TitledBox
      pane="log"
      rect={props.rect}
      focused={props.focused}
      title={title()}
      footnote={findEdge(state(), placeWords(state()) ?? "", size().columns - 4)}
    >
      <Canvas lines={lines()} rows={rows()} />
      <TypedLine columns={size().columns} rows={typed()} />
    </TitledBox>
  )
}
