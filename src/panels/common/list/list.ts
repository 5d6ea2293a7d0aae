// Defines a list with a cursor that lies over the panes.
import type { Line } from "../../../ui/line.ts"
import type { RenderContext } from "../../../ui/render-context.ts"
import { windowTop } from "../../../ui/window-top.ts"
import type { State } from "../../../view/state.ts"
import type { Overlay, Typing } from "../../../view/view.ts"
import type { Place } from "../place.ts"

/** The rows and the cursor of an overlay. */
export interface ListRows<O extends Overlay> {
  /** `now` in epoch ms. */
  length(state: State, overlay: O, now: number): number
  cursorOf(state: State, overlay: O, now: number): number
  withCursor(state: State, overlay: O, cursor: number, now: number): O
}

export interface List<O extends Overlay> extends ListRows<O> {
  title(state: State, render: RenderContext): string
  /** The lines that fit, the row under the cursor among them. */
  lines(state: State, cursor: number, place: Place): readonly Line[]
  /** The line that is typed below it. */
  readonly typed?: Typing["to"]
}

/** A list in the middle that covers no more than it needs. */
export interface Menu<O extends Overlay> extends ListRows<O> {
  title(state: State, overlay: O): string
  items(state: State, overlay: O): readonly MenuItem[]
}

export interface MenuItem {
  readonly title: string
  /** Why it cannot be had now; null if it can. */
  readonly why: string | null
}

/** The first row to draw of `length` rows, so that the one under the cursor is seen. */
export function topRow(cursor: number, rows: number, length: number): number {
  return windowTop(Math.max(0, cursor - rows + 1), cursor, rows, length)
}
