// The inspector: all that is known of the run, on tabs.
import type { Tab } from "../../view/pane-names.ts"
import type { Panel, TabPanel } from "../common/panel.ts"
import { inspectorKeys } from "./keys.ts"
import { belowTabs } from "./tab-place.ts"
import { inspectorUpdates } from "./update.ts"

/** `tabs` gives what is on each tab, which other panels bring. */
export function inspectorPanel(tabs: () => { readonly [T in Tab]: TabPanel }) {
  return {
    keys: inspectorKeys,
    updates: inspectorUpdates,
    overlays: {
      inspector: {
        drawn: { type: "inspector" },
        front(_, { view }) {
          const tab = tabs()[view.inspector.tab]
          return { ...tab, measure: (state, place) => tab.measure(state, belowTabs(place)) }
        },
        kept: { type: "inspector" },
      },
    },
  } satisfies Panel
}
