// Defines a list with a cursor that lies over the panes.
import { clipSpans, type Line, type Span, span } from "../../../ui/line.ts"
import type { RenderContext } from "../../../ui/render-context.ts"
import { windowTop } from "../../../view/cursor-step.ts"
import type { State } from "../../../view/state.ts"
import type { Overlay, Typing } from "../../../view/view.ts"
import type { Place } from "../place.ts"

export interface ListRows<O extends Overlay> {
  length(state: State, overlay: O, now: number): number
  cursorOf(state: State, overlay: O, now: number): number
  withCursor(state: State, overlay: O, cursor: number, now: number): O
}

export interface List<O extends Overlay> extends ListRows<O> {
  title(state: State, render: RenderContext): string
  /** The lines that fit, the row under the cursor among them. */
  lines(state: State, cursor: number, place: Place): readonly Line[]
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

/** The rows that fit from `top` on, each as `spansOf` draws it behind the cursor's mark. */
export function listLines<T>(
  all: readonly T[],
  chosen: number,
  { columns, rows, render: { glyphs } }: Place,
  spansOf: (one: T, here: boolean) => readonly Span[],
  top = topRow(chosen, rows, all.length),
): readonly Line[] {
  const cursor = Math.min(chosen, all.length - 1)
  return all.slice(top, top + rows).map((one, i) => {
    const here = top + i === cursor
    const spans = [span(`${here ? glyphs.folded : " "} `, "accent"), ...spansOf(one, here)]
    return { spans: clipSpans(spans, columns, glyphs.ellipsis), selected: here }
  })
}
