// Finds a text in lines that were wrapped.
import type { Line } from "../line.ts"

/** The lines in which `query` begins, in whatever case; where a line breaks stands a space. */
export function linesWith(lines: readonly Line[], query: string): readonly number[] {
  const wanted = query.toLowerCase()
  const found: number[] = []
  let text = ""
  const ends: number[] = []
  for (const { spans } of lines) {
    text += `${spans
      .map(one => one.text)
      .join("")
      .toLowerCase()} `
    ends.push(text.length)
  }
  let row = 0
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, ends[row] ?? text.length)) {
    while (at >= (ends[row] ?? Number.POSITIVE_INFINITY)) row++
    found.push(row)
  }
  return found
}
