// What Enter on a row of the log opens: the row with all its data, or the question that it asks.
import { promptOf } from "./asker.ts"
import { wordsIn } from "./filter/words.ts"
import { foundSieve } from "./filters.ts"
import { indexOfRow } from "./log-rows.ts"
import type { Row } from "./run.ts"
import type { State } from "./state.ts"
import type { Page } from "./view.ts"

/** The page of a row. In one that the search has found the words are marked that were searched for. */
export function entryOf({ run, view, zone }: State, row: Row): Page {
  const prompt = promptOf(run, row)
  if (prompt !== null) return { type: "prompt", key: prompt.key, top: 0 }
  const { search } = view.filters
  const isHit = foundSieve(view.filters, zone)?.has(run, indexOfRow(run, row.key)) === true
  const [find] = search === null || !isHit ? [] : wordsIn(search.filter)
  return { type: "entry", key: row.key, top: 0, ...(find !== undefined && { find }) }
}
