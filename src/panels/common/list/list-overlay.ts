// Makes an overlay of a list or a menu: how its cursor moves, and what draws it.
import { clamp, stepOf } from "../../../view/cursor-step.ts"
import { change } from "../../../view/plan-result.ts"
import type { State } from "../../../view/state.ts"
import type { Overlay } from "../../../view/view.ts"
import { type ListOverlay, replacingFront } from "../overlays.ts"
import type { FrontPanel, OverlayPanel } from "../panel.ts"
import type { List, ListRows, Menu } from "./list.ts"

type ListPanel<O extends Overlay> = Pick<OverlayPanel<O>, "drawn" | "front">
type Cursor<O extends Overlay> = Pick<ListRows<O>, "cursorOf" | "withCursor">

export function listOverlay<O extends ListOverlay>(list: Omit<List<O>, keyof Cursor<O>>): ListPanel<O> {
  return keyedListOverlay({ ...byIndex<O>(), ...list })
}

/** A list that says itself where its cursor stands. */
export function keyedListOverlay<O extends Overlay>(list: List<O>): ListPanel<O> {
  return { drawn: { type: "list", list }, front: overlay => frontOver(overlay, list) }
}

/** The scope of a menu is shared by those that are chosen from in the same way. */
export function menuOverlay<O extends ListOverlay>(
  scope: string,
  { title, items }: Pick<Menu<O>, "title" | "items">,
): ListPanel<O> {
  const menu = { ...byIndex<O>(), title, items, length: (state: State, overlay: O) => items(state, overlay).length }
  return { drawn: { type: "menu", menu }, front: overlay => frontOver(overlay, menu, scope) }
}

function byIndex<O extends ListOverlay>(): Cursor<O> {
  return { cursorOf: (_, { cursor }) => cursor, withCursor: (_, overlay, cursor) => ({ ...overlay, cursor }) }
}

function frontOver<O extends Overlay>(overlay: O, rows: ListRows<O>, scope: string = overlay.type): FrontPanel {
  return {
    scope,
    move(state, by, context) {
      const length = rows.length(state, overlay, context.now)
      const last = Math.max(0, length - 1)
      const from = Math.min(rows.cursorOf(state, overlay, context.now), last)
      const to = clamp(from + stepOf(by, from, { ...context, lines: length }), 0, last)
      return change({ overlays: replacingFront(state, rows.withCursor(state, overlay, to, context.now)) })
    },
    measure: (_, place) => ({ page: place.rows, lines: 0 }),
  }
}
