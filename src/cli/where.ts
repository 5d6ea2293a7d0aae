// Parses the filter of a command's --where, and points at a mistake in it.
import { sanitizeLine } from "../protocol/sanitize.ts"
import type { Filter } from "../query/filter/filter.ts"
import { parse } from "../query/filter/parse.ts"
import { width } from "../ui/text-width.ts"

/** The filter in `text`, null if there is none; otherwise the error, with a mark below the wrong part. */
export function readWhere(text: string | undefined): { readonly filter: Filter | null } | { readonly error: string } {
  if (text === undefined) return { filter: null }
  const read = parse(text)
  if ("filter" in read) return read
  const { at, length, message } = read.error
  const before = width(sanitizeLine(text.slice(0, at)))
  const under = "^".repeat(Math.max(1, width(sanitizeLine(text.slice(at, at + length)))))
  return { error: `--where: ${message}\n  ${sanitizeLine(text)}\n  ${" ".repeat(before)}${under}` }
}
