// Says what a place shows and what else it can: the views at the right of its title, and the trail of lists to it.
import type { Views } from "../../ui/Canvas.tsx"
import { width } from "../../ui/text-width.ts"
import type { PaneId } from "../../view/pane-names.ts"
import type { Overlay } from "../../view/view.ts"

type Shown = PaneId | Overlay["type"]

/** The views of the sessions and of the reader by what shows them; the first is there before any is chosen. */
const VIEWS: readonly { readonly [name: string]: Shown }[] = [
  { now: "live", time: "waterfall", cost: "ledger" },
  { text: "text", why: "why", context: "context", data: "entry" },
]

/** All views of the place that shows this; undefined if it has no views. */
export function viewsOf(shown: string): Views | undefined {
  for (const views of VIEWS) {
    const chosen = Object.keys(views).find(name => views[name] === shown)
    if (chosen !== undefined) return { names: Object.keys(views), chosen }
  }
  return undefined
}

/** The title of a list behind the names of those it lies over, where they fit; a name ends at two spaces. */
export function trailTitle(below: readonly string[], title: string, columns: number): string {
  const trail = [...below.map(one => one.split("  ")[0]), title].join(" › ")
  return width(trail) <= columns ? trail : title
}
