// Reads filters that a test knows to be right.
import type { Filter } from "../../../src/store/filter/filter.ts"
import { parse } from "../../../src/store/filter/parse.ts"

export function read(text: string): Filter {
  const parsed = parse(text)
  if ("error" in parsed) throw new Error(`${text}: ${parsed.error.message}`)
  return parsed.filter
}
