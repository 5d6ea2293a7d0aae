// Keeps the reader on what the cursor of the list or of the log is on.
import { rowIndex } from "../run/identity/find-by-id.ts"
import { listIn, overIn, withoutPages } from "../view/select/stack.ts"
import type { State } from "../view/state.ts"
import type { CursorFollower } from "../view/store.ts"
import type { View } from "../view/view.ts"
import { rowReading } from "./common/open-entry.ts"
import type { Reading } from "./common/panel.ts"
import { overlayPanel } from "./index.ts"

export const reader: CursorFollower = {
  /** Null while the reader itself is read. */
  place(state, now) {
    const { view } = state
    if (view.focus === "text" || view.focus === "home" || overIn(view) !== undefined) return null
    if (view.focus === "log") return `log ${JSON.stringify(view.log.cursor)}`
    const list = listIn(view)
    if (list === undefined) return `sessions ${JSON.stringify(view.list.selected)}`
    return `${list.type} ${JSON.stringify(readingOf(state, now))}`
  },
  follow(state, now) {
    const { view } = state
    const reading = readingOf(state, now)
    const others = withoutPages(view)
    const page = reading !== null && "page" in reading ? [reading.page] : []
    const isSame = page.length === 0 && others.length === view.overlays.length
    const text = reading !== null && "text" in reading ? reading.text : view.reader.text
    const reads: View["reader"]["reads"] = reading !== null && "text" in reading ? "row" : "selection"
    return { ...(!isSame && { overlays: [...others, ...page], focus: view.focus }), reader: { reads, text } }
  },
}

/** What the cursor is on; null for the selected session. */
function readingOf(state: State, now: number): Reading | null {
  const { view, present } = state
  if (view.focus === "log") {
    const reading = view.log.cursor === null ? null : rowReading(state, rowIndex(present, view.log.cursor))
    return reading !== null && "text" in reading ? reading : null
  }
  const overlay = listIn(view)
  const drawn = overlay === undefined ? undefined : overlayPanel(overlay).drawn
  if (overlay === undefined || drawn?.type !== "list") return null
  return drawn.list.reads?.(state, drawn.list.cursorOf(state, overlay, now), now) ?? null
}
