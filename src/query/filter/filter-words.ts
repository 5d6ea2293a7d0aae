// The words that a filter asks for, as they would stand in a row: what is marked there.
import type { Filter } from "./filter.ts"

/** The texts that a row which passes may show, as far as they can be told beforehand. */
export function wordsIn(filter: Filter): readonly string[] {
  switch (filter.type) {
    case "and":
    case "or":
      return filter.parts.flatMap(wordsIn)
    case "plain":
      return filter.text === "" ? [] : [filter.text]
    case "pattern":
      return /[\\^$.*+?()[\]{}|]/.test(filter.source) ? [] : [filter.source]
    default:
      return []
  }
}
