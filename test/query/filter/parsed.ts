// Reads filters that a test knows to be right.
import type { Filter } from "../../../src/query/filter/filter.ts"
import { parse } from "../../../src/query/filter/parse.ts"

export function read(text: string): Filter {
  const parsed = parse(text)
  if ("error" in parsed) throw new Error(`${text}: ${parsed.error.message}`)
  return parsed.filter
}
