// Begins a line that is typed, and finds mistakes in one.
import { readTyped } from "../../query/filter/parse.ts"
import type { ParseError } from "../../query/filter/text-cursor.ts"
import type { Typing } from "../../view/view.ts"

export function typingOf(to: Typing["to"], text: string): Typing {
  return { to, text, error: null }
}

/** Where a filter or a search is wrong, null if it is not. */
export function filterMistake(text: string): ParseError | null {
  const read = readTyped(text)
  return "error" in read ? read.error : null
}
