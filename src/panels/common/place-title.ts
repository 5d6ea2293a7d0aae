// Says what a place shows and what else it can: the views at the right of its title, and the trail of lists to it.
import { keyOf } from "../../keys/key-text.ts"
import type { Views } from "../../ui/Canvas.tsx"
import { width } from "../../ui/text-width.ts"
import type { PaneId } from "../../view/pane-names.ts"
import type { Overlay, View } from "../../view/view.ts"
import { bind, type KeyBinding } from "./panel.ts"

export const showTime = bind(
  "waterfall/toggle",
  ["T"],
  "show or hide the sessions against time",
  "waterfall timeline gantt duration trace",
  { hint: "back" },
)
export const showCost = bind(
  "ledger/toggle",
  ["$"],
  "show or hide what the run used and cost",
  "cost costs money price tokens ledger usage",
)
export const showWhy = bind(
  "why/open",
  ["v"],
  "show what led to this turn, error or change of states",
  "why cause reason explain because debug",
)
export const showContext = bind(
  "context/toggle",
  ["%"],
  "show or hide what filled the context of this turn",
  "tokens window full prompt tools results largest grew input",
)
export const showData = bind(
  "data/toggle",
  ["D"],
  "show the data of the log row, or of the turn; again: the text",
  "json raw entry",
)

type PlaceView = readonly [name: string, shown: PaneId | Overlay["type"], key: KeyBinding | null]

/** The views of the sessions and of the reader; the first is there before any is chosen. */
const VIEWS: readonly (readonly PlaceView[])[] = [
  [
    ["now", "live", null],
    ["time", "waterfall", showTime],
    ["cost", "ledger", showCost],
  ],
  [
    ["text", "text", null],
    ["why", "why", showWhy],
    ["context", "context", showContext],
    ["data", "entry", showData],
  ],
]

/** All views of the place that shows this, with their keys; undefined if it has no views. */
export function viewsOf(shown: string, view: View): Views | undefined {
  const all = VIEWS.find(views => views.some(([, one]) => one === shown))
  const chosen = all?.find(([, one]) => one === shown)
  if (all === undefined || chosen === undefined) return undefined
  // The key of a view, pressed again, leads back to the first.
  const names = all.map(([name, , key]) => ({ name, key: keyOf(view, key ?? chosen[2] ?? showTime) }))
  return { names, chosen: chosen[0] }
}

/** The title of a list behind the names of those it lies over, where they fit; a name ends at two spaces. */
export function trailTitle(below: readonly string[], title: string, columns: number): string {
  const trail = [...below.map(one => one.split("  ")[0]), title].join(" › ")
  return width(trail) <= columns ? trail : title
}
