// The keys of a text that is read from top to bottom.
import { readText } from "../../../view/select/live-rows.ts"
import type { State } from "../../../view/state.ts"
import { close, down, pageDown, search } from "../keys.ts"
import type { KeyBinding, Opener, OwnScope, PanelKeys } from "../panel.ts"

const isSearched = ({ view }: State) => view.overlays.some(one => "top" in one && one.find !== undefined)
const isNotSearched = (state: State) => !isSearched(state)
const noSearch = (state: State) => (isSearched(state) || readText(state).find !== null ? null : "no search yet")

export const nextHit: KeyBinding = {
  id: "find/next",
  keys: ["n"],
  group: "Find",
  title: "next match",
  words: "find again",
  hint: "next",
  refusal: noSearch,
  intent: () => ({ type: "find/step", step: 1 }),
}
export const previousHit: KeyBinding = {
  id: "find/previous",
  keys: ["N"],
  group: "Find",
  title: "previous match",
  words: "find again backwards",
  hint: "previous",
  refusal: noSearch,
  intent: () => ({ type: "find/step", step: -1 }),
}
const wrap: KeyBinding = {
  id: "pager/wrap",
  keys: ["w"],
  group: "Panes",
  title: "wrap lines on or off; when off, h and l scroll sideways",
  words: "break long horizontal",
  hint: "wrap",
}
const numbers: KeyBinding = {
  id: "pager/numbers",
  keys: ["#"],
  group: "Panes",
  title: "line numbers on or off",
  hint: "numbers",
}
const readKeys: readonly KeyBinding[] = [
  close,
  { ...nextHit, when: isSearched },
  { ...previousHit, when: isSearched },
  { ...down, when: isNotSearched },
  pageDown,
  search,
  { ...wrap, when: isNotSearched },
  { ...numbers, when: isNotSearched },
]

const scopes: readonly OwnScope[] = [
  { id: "pager", kind: "page", keys: readKeys },
  { id: "entry", kind: "entry", keys: readKeys },
]

const openers: readonly Opener[] = [
  { from: ["page", "entry", "review"], keys: [search, nextHit, previousHit] },
  { from: ["page", "entry", "review"], keys: [wrap, numbers] },
]

export const pagerKeys: PanelKeys = { group: "Find", openers, scopes }
