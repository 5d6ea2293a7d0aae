// What Enter on a row of the log opens: the row with all its data, or the question that it asks.
import { wordsIn } from "../../query/filter/filter.ts"
import { foundMatches } from "../../query/filters.ts"
import { rowIdOf, rowIndex } from "../../run/identity/find-by-id.ts"
import type { Row } from "../../run/model/run.ts"
import { promptOf } from "../../view/select/asker.ts"
import type { State } from "../../view/state.ts"
import type { Page, View } from "../../view/view.ts"

/** The entry in front; null where something else is. */
function openEntry({ view }: State): Extract<Page, { type: "entry" | "prompt" }> | null {
  const overlay = view.overlays.at(-1)
  return overlay?.type === "entry" || overlay?.type === "prompt" ? overlay : null
}

/** Where the row stands that is open in front; null where none is. */
export function openRow(state: State): number | null {
  const entry = openEntry(state)
  return entry?.type === "entry" ? rowIndex(state.run, entry.id) : null
}

/** Where an entry is in front and the cursor goes to another row, that row is open instead, read in the same way. */
export function followRow(state: State, row: Row): Partial<View> {
  const entry = openEntry(state)
  if (entry === null) return {}
  const { wrap, numbers } = entry
  const way = { ...(wrap !== undefined && { wrap }), ...(numbers !== undefined && { numbers }) }
  return { overlays: [...state.view.overlays.slice(0, -1), { ...entryOf(state, row), ...way }] }
}

/** The page of a row. In one that the search has found the words are marked that were searched for. */
export function entryOf({ run, view, zone }: State, row: Row): Page {
  const prompt = promptOf(run, row)
  if (prompt !== null) return { type: "prompt", key: prompt.key, top: 0 }
  const { search } = view.filters
  const id = rowIdOf(run, row)
  const isHit = foundMatches(view.filters, zone)?.has(run, rowIndex(run, id)) === true
  const [find] = search === null || !isHit ? [] : wordsIn(search.filter)
  return { type: "entry", id, top: 0, ...(find !== undefined && { find }) }
}
