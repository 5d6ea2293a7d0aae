// Shows below a typed line where it is wrong.
import type { ParseError } from "../query/filter/text-cursor.ts"
import type { State } from "../view/state.ts"
import { type Line, line, span } from "./line.ts"
import { fitting } from "./text-width.ts"
import { wrap } from "./wrap.ts"

/** Columns of the label in front of a typed line. */
export const LABEL = 2

/** Rows that the typed line takes of `rows`; none where nothing is being typed. */
export function typedRows(state: State, columns: number, rows: number): number {
  return state.view.typing === null ? 0 : Math.min(rows - 1, 1 + typingMistakes(state, columns).length)
}

export function typingMistakes({ view }: State, columns: number): readonly Line[] {
  return view.typing === null ? [] : mistakeLines(view.typing.text, view.typing.error, columns, LABEL)
}

/** A mark below the mistake and what was expected there; the typed line begins at column `indent`. */
export function mistakeLines(text: string, error: ParseError | null, columns: number, indent = 0): readonly Line[] {
  if (error === null) return []
  const { at, length, message } = error
  const before = indent + fitting(text.slice(0, at), Number.MAX_SAFE_INTEGER).columns
  const marked = Math.max(1, fitting(text.slice(at, at + length), Number.MAX_SAFE_INTEGER).columns)
  // A line longer than its field has scrolled, so no mark would be in the right column.
  const fits = fitting(text, columns - indent).units === text.length && before < columns
  const mark = fits ? [line(span(" ".repeat(before) + "^".repeat(Math.min(marked, columns - before)), "error"))] : []
  const place = fits ? "" : `at character ${at + 1}: `
  return [...mark, ...wrap(place + message, columns).map(words => line(span(words, "error")))]
}
