// Finds, opens and closes what lies over the panes.
import { both, change, only, type Plan } from "../../view/plan-result.ts"
import type { State } from "../../view/state.ts"
import type { Overlay } from "../../view/view.ts"

/** An overlay whose cursor is the index of a row. */
export type ListOverlay = Extract<Overlay, { readonly cursor: number }>

export type OverlayOf<T extends Overlay["type"]> = Extract<Overlay, { readonly type: T }>

/** The overlay in front if it is of this type, null otherwise. */
export function frontOverlay<T extends Overlay["type"]>({ view }: State, type: T): OverlayOf<T> | null {
  const front = view.overlays.at(-1)
  return front !== undefined && isOf(front, type) ? front : null
}

/** The item under the cursor of the list or menu in front; undefined where something else is. */
export function itemUnder<T>(state: State, type: ListOverlay["type"], items: readonly T[]): T | undefined {
  const cursor = frontOverlay(state, type)?.cursor
  // Behind the cursor on the last item the list may have become shorter.
  return cursor === undefined ? undefined : items[Math.min(cursor, items.length - 1)]
}

function isOf<T extends Overlay["type"]>(overlay: Overlay, type: T): overlay is OverlayOf<T> {
  return overlay.type === type
}

/** The overlays but those of these types. */
export function without({ view }: State, ...types: readonly Overlay["type"][]): readonly Overlay[] {
  return view.overlays.filter(one => !types.includes(one.type))
}

/** The overlays with this one in front, and no other of its type. */
export function inFront(state: State, overlay: Overlay): readonly Overlay[] {
  return [...without(state, overlay.type), overlay]
}

/** The overlays with this one in the place of the one in front. */
export function replacingFront({ view }: State, overlay: Overlay): readonly Overlay[] {
  return [...view.overlays.slice(0, -1), overlay]
}

/** Opens an overlay, or closes the one of its type. */
export function toggleOverlay(state: State, overlay: Overlay): Plan {
  const others = without(state, overlay.type)
  const isOpen = others.length < state.view.overlays.length
  return change({ overlays: isOpen ? others : [...others, overlay] })
}

/** Opens a file of the session directory; `title` is its name, sanitized, and `top` the line that is shown first. */
export function openFile(state: State, { name, title }: { name: string; title: string }, top = 0): Plan {
  const read = only({ type: "directory/read", request: { read: "file", name, title } })
  return both(change({ overlays: inFront(state, { type: "file", name, top }) }), read)
}
