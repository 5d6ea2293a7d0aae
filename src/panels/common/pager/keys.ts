import { readText } from "../../../view/select/shown-session.ts"
import type { State } from "../../../view/state.ts"
import { close, down, PLACES, pageDown, search } from "../keys.ts"
import { bind, type KeyBinding, type Opener, type OwnScope, type PanelKeys, stepBy } from "../panel.ts"
import { pageOf } from "./update.ts"

/** True while something is searched for in the text in front. */
export function isFound(state: State): boolean {
  const page = pageOf(state)
  return page === null ? state.view.focus === "text" && readText(state).find !== null : page.find !== undefined
}
const isNotFound = (state: State) => !isFound(state)
const isSearched = (state: State) =>
  isFound(state) || state.view.log.filters.search !== null || state.view.conditions.sought !== null
const noSearch = (state: State) => (isSearched(state) ? null : "no search yet")

export const nextHit = bind("find/next", ["n"], "next match", "find again", {
  group: "Find",
  hint: "next",
  refusal: noSearch,
  ...stepBy("find/step", 1),
})
export const previousHit = bind("find/previous", ["N"], "previous match", "find again backwards", {
  group: "Find",
  hint: "previous",
  refusal: noSearch,
  ...stepBy("find/step", -1),
})
const readKeys: readonly KeyBinding[] = [
  close,
  { ...nextHit, when: isFound },
  { ...previousHit, when: isFound },
  { ...down, when: isNotFound },
  pageDown,
  search,
]

const scopes: readonly OwnScope[] = [
  { id: "pager", kind: "page", keys: readKeys },
  { id: "entry", kind: "entry", keys: readKeys },
]

const openers: readonly Opener[] = [
  { from: ["page", "entry", "review"], keys: [search] },
  { from: [...PLACES, "review"], keys: [nextHit, previousHit] },
]

export const pagerKeys: PanelKeys = { group: "Find", openers, scopes }
