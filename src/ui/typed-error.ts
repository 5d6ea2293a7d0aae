import type { State } from "../view/state.ts"
import { type Line, line, span, wrap } from "./line.ts"
import { fitting } from "./text-width.ts"

export const LABEL = 2

/** Rows that the typed line takes of `rows`: one at least, none where nothing is being typed. */
export function typedRows(state: State, columns: number, rows: number): number {
  return state.view.typing === null ? 0 : Math.max(1, Math.min(rows - 1, 1 + typingMistakes(state, columns).length))
}

/** A mark below the mistake and what was expected there. */
export function typingMistakes({ view: { typing } }: State, columns: number): readonly Line[] {
  if (typing === null || typing.error === null) return []
  const { text, error } = typing
  const { at, length, message } = error
  const before = LABEL + fitting(text.slice(0, at), Number.MAX_SAFE_INTEGER).columns
  const marked = Math.max(1, fitting(text.slice(at, at + length), Number.MAX_SAFE_INTEGER).columns)
  // A line longer than its field has scrolled, so no mark would be in the right column.
  const fits = fitting(text, columns - LABEL).units === text.length && before < columns
  const mark = fits ? [line(span(" ".repeat(before) + "^".repeat(Math.min(marked, columns - before)), "error"))] : []
  const place = fits ? "" : `at character ${at + 1}: `
  return [...mark, ...wrap(place + message, columns).map(words => line(span(words, "error")))]
}
