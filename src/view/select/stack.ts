// Says in which place of the screen an overlay lies, and where the focus goes as overlays open and close.
import type { Run } from "../../run/model/run.ts"
import type { PaneId } from "../pane-names.ts"
import { changed, type Overlay, type View, type ViewChange } from "../view.ts"

/** In the place of the list, or of the reader; or over both, as what is answered or chosen. */
const PLACES: { readonly [T in Overlay["type"]]: "list" | "reader" | "over" } = {
  alerts: "list",
  artifacts: "list",
  bookmarks: "list",
  branches: "list",
  conditions: "list",
  filters: "list",
  "search-results": "list",
  ledger: "list",
  waterfall: "list",
  chart: "reader",
  context: "reader",
  entry: "reader",
  file: "reader",
  prompt: "reader",
  status: "reader",
  "turn-diff": "reader",
  why: "reader",
  copy: "over",
  export: "over",
  menu: "over",
  palette: "over",
  rerun: "over",
  review: "over",
  sort: "over",
  "step-to": "over",
}

type Stack = Pick<View, "overlays" | "focus">

/** The overlay over the places, which has every key; undefined without one. Home has no places. */
export function overIn({ overlays, focus }: Stack): Overlay | undefined {
  const last = overlays.at(-1)
  return last !== undefined && (focus === "home" || PLACES[last.type] === "over") ? last : undefined
}

/** The lists that lie over the sessions, the one in front last. */
export function listsIn({ overlays }: Pick<View, "overlays">): readonly Overlay[] {
  return overlays.filter(({ type }) => PLACES[type] === "list")
}

/** True for a run of one session without states and list over it: its list would repeat its head. */
export function isAlone({ sessions, chart }: Run, view: Pick<View, "overlays">): boolean {
  return sessions.length === 1 && chart.chartId !== null && chart.config.length === 0 && listIn(view) === undefined
}

/** The list that has taken the place of the sessions; undefined for the sessions themselves. */
export function listIn(view: Pick<View, "overlays">): Overlay | undefined {
  return listsIn(view).at(-1)
}

/** The page in the reader; undefined where it shows a transcript. */
export function pageIn({ overlays }: Pick<View, "overlays">): Overlay | undefined {
  const last = overlays.findLast(({ type }) => PLACES[type] !== "over")
  return last !== undefined && PLACES[last.type] === "reader" ? last : undefined
}

/** The overlays without the pages over the list in front. */
export function withoutPages({ overlays }: Pick<View, "overlays">): readonly Overlay[] {
  return overlays.slice(0, overlays.findLastIndex(({ type }) => PLACES[type] !== "reader") + 1)
}

/** The overlays but for those over the places. */
export function withoutOvers({ overlays }: Pick<View, "overlays">): readonly Overlay[] {
  return overlays.filter(({ type }) => PLACES[type] !== "over")
}

/** The overlay in front: the one over the places, else the list or page that has the focus. */
export function overlayInFront(view: Stack): Overlay | undefined {
  const over = overIn(view)
  if (over !== undefined) return over
  return view.focus === "live" ? listIn(view) : view.focus === "text" ? pageIn(view) : undefined
}

/** A change of the view. What opens gets the focus; what closes gives it back to where it was. */
export function withFocus(before: View, change: ViewChange): View {
  const after = changed(before, change)
  if (change.overlays === undefined || before.focus === "home") return after
  const length = after.overlays.length
  const below: readonly PaneId[] = Array.from({ length }, (_, i) => before.below[i] ?? before.focus)
  return { ...after, below, focus: change.focus ?? focusAfter(before, after.overlays) }
}

function focusAfter({ overlays: before, focus, below }: View, after: readonly Overlay[]): PaneId {
  const [was, is] = [before.at(-1), after.at(-1)]
  const back = below[after.length]
  if (after.length < before.length && (is === undefined || before.includes(is))) return back ?? focus
  if (is === undefined || was?.type === is.type) return focus
  return PLACES[is.type] === "over" ? focus : PLACES[is.type] === "list" ? "live" : "text"
}
