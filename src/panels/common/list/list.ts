// Makes lists and menus that lie over the panes: how a cursor moves in them, what it chooses, and what draws them.
import { clipSpans, type Line, rowClick, type Span, span } from "../../../ui/line.ts"
import { clamp, stepOf, windowTop } from "../../../view/cursor-step.ts"
import { change, type ListOverlay, nothing, notice, type Plan, replacing } from "../../../view/plan-result.ts"
import type { State } from "../../../view/state.ts"
import type { Overlay } from "../../../view/view.ts"
import type { FrontPanel, List, ListRows, Menu, OverlayPanel, Place } from "../panel.ts"

type ListPanel<O extends Overlay> = Pick<OverlayPanel<O>, "drawn" | "front">
type Cursor<O extends Overlay> = Pick<ListRows<O>, "cursorOf" | "moved">

/** A list whose cursor is the index of a row. */
export function listOverlay<O extends ListOverlay>(list: Omit<List<O>, keyof Cursor<O>>): ListPanel<O> {
  return keyedListOverlay({ ...byIndex<O>(), ...list })
}

type Adding<O extends Overlay> = Omit<List<O>, keyof Cursor<O> | "length"> & { length(state: State): number }

/** A list with one more row, on which Enter adds to it. */
export function addingList<O extends ListOverlay>(adds: string, list: Adding<O>): ListPanel<O> {
  return listOverlay<O>({
    ...list,
    adds: true,
    length: state => list.length(state) + 1,
    lines(state, cursor, place) {
      const last = list.length(state)
      const here = cursor >= last
      const all = list.lines(state, here ? -1 : cursor, place)
      const shown = last - (place.top ?? 0)
      const mark = span(`${here ? place.render.glyphs.folded : " "} `, "accent")
      const words = span(`+ ${adds}`, here ? "bright" : "dim")
      const row = { spans: [mark, words], selected: here, click: rowClick(last, here) }
      return [...all.slice(0, shown), row, ...all.slice(shown)].slice(0, place.rows)
    },
  })
}

/** A list that says itself where its cursor stands, and what else keys do there. */
export function keyedListOverlay<O extends Overlay>(list: List<O>, keys: Partial<FrontPanel> = {}): ListPanel<O> {
  const measure = (state: State, place: Place) => ({ page: rowsBetween(list, state, place), lines: 0 })
  const front = (overlay: O) => ({ ...frontOver(overlay, list, overlay.type), measure, ...keys })
  return { drawn: { type: "list", list }, front }
}

function rowsBetween<O extends Overlay>({ heading, legend }: List<O>, state: State, place: Place): number {
  const around = [...(heading?.(state, place) ?? []), ...(legend?.(state, place) ?? [])]
  return Math.max(1, place.rows - around.length)
}

/** A menu. An item that cannot be had says why, and the menu stays. */
export function menuOverlay<O extends ListOverlay>({ title, items }: Pick<Menu<O>, "title" | "items">): ListPanel<O> {
  const menu = { ...byIndex<O>(), title, items, length: (state: State, overlay: O) => items(state, overlay).length }
  const choose = (state: State, overlay: O, now: number): Plan => {
    const item = items(state, overlay)[overlay.cursor]
    if (item === undefined) return nothing
    return item.why === null ? item.chosen(now) : notice(`${item.title}: ${item.why}`, "warning", now)
  }
  const front = (overlay: O): FrontPanel => ({
    ...frontOver(overlay, menu, "menu"),
    choose: (state, now) => choose(state, overlay, now),
  })
  return { drawn: { type: "menu", menu }, front }
}

/** Keeps the cursor of the list in front on one of its rows, of which there are so many from now on. */
export function cursorWithin(state: State, length: number): Plan {
  const front = state.view.overlays.at(-1)
  if (front === undefined || !("cursor" in front) || typeof front.cursor !== "number") return nothing
  const cursor = clamp(front.cursor, 0, Math.max(0, length - 1))
  return change({ overlays: replacing(state, { ...front, cursor } as Overlay) })
}

function byIndex<O extends ListOverlay>(): Cursor<O> {
  return {
    cursorOf: (_, { cursor }) => cursor,
    moved: (state, overlay, cursor) => ({ overlays: replacing(state, { ...overlay, cursor }) }),
  }
}

function frontOver<O extends Overlay>(overlay: O, rows: ListRows<O>, scope: string): FrontPanel {
  return {
    scope,
    move(state, by, context) {
      const length = rows.length(state, overlay, context.now)
      const last = Math.max(0, length - 1)
      const from = Math.min(rows.cursorOf(state, overlay, context.now), last)
      const to = clamp(from + stepOf(by, from, { ...context, lines: length }), 0, last)
      return change(rows.moved(state, overlay, to, context.now))
    },
    measure: (_, place) => ({ page: place.rows, lines: 0 }),
  }
}

/** The first row to draw of `length` rows, so that the one under the cursor is seen. */
export function topRow(cursor: number, rows: number, length: number): number {
  return windowTop(0, cursor, rows, length)
}

/** The rows that fit from `top` on, each as `spansOf` draws it behind the cursor's mark. */
export function listLines<T>(
  all: Pick<readonly T[], "length" | "at">,
  chosen: number,
  { columns, rows, top: first, render: { glyphs } }: Place,
  spansOf: (one: T, here: boolean) => readonly Span[],
  top = first ?? topRow(chosen, rows, all.length),
): readonly Line[] {
  const cursor = Math.min(chosen, all.length - 1)
  return Array.from({ length: Math.min(rows, all.length - top) }, (_, i) => top + i).flatMap((row): Line | [] => {
    const one = all.at(row)
    if (one === undefined) return []
    const here = row === cursor
    const spans = [span(`${here ? glyphs.folded : " "} `, "accent"), ...spansOf(one, here)]
    return { spans: clipSpans(spans, columns, glyphs.ellipsis), selected: here, click: rowClick(row, here) }
  })
}
