// Lists the texts that a filter looks for, so that they can be highlighted.
import type { Filter } from "./filter.ts"

/** The texts that a matching row may show, as far as the filter tells. */
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
