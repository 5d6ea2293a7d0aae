// Reads filters and moments that a test knows to be right.
import type { Filter } from "../../../src/query/filter/filter.ts"
import { parse } from "../../../src/query/filter/parse.ts"
import { type Moment, readSeek } from "../../../src/query/moment.ts"

export function read(text: string): Filter {
  const parsed = parse(text)
  if ("error" in parsed) throw new Error(`${text}: ${parsed.error.message}`)
  return parsed.filter
}

export function momentOf(text: string): Moment {
  const moment = readSeek(text)
  if (moment === null) throw new Error(`expected a moment, got ${text}`)
  return moment
}
