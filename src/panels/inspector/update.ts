// Decides what the keys do that open the inspector and go from tab to tab.
import type { SessionId } from "../../run/model/id.ts"
import { TABS } from "../../view/pane-names.ts"
import { alter, both, change, type Plan } from "../../view/plan-result.ts"
import { sessionOf } from "../../view/select/live-rows.ts"
import type { State } from "../../view/state.ts"
import { openTab } from "../common/open-tab.ts"
import type { SomeUpdates } from "../common/updates.ts"

export const inspectorUpdates = {
  "inspector/toggle": state => toggle(state),
  "inspector/tab": (state, { tab }) => openTab(state, tab),
  "inspector/next-tab": (state, { step }) => {
    const { tab } = state.view.inspector
    return openTab(state, TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length] ?? tab)
  },
  "waterfall/toggle": state => toggleWaterfall(state),
} satisfies SomeUpdates

function toggle(state: State): Plan {
  const { inspector, overlays } = state.view
  const others = overlays.filter(overlay => overlay.type !== "inspector")
  if (others.length < overlays.length) return change({ overlays: others })
  const row = selectedId(state) ?? inspector.row
  return change({ overlays: [...overlays, { type: "inspector" }], inspector: { ...inspector, row } })
}

function selectedId({ run, view }: State): SessionId | undefined {
  return run.sessions[sessionOf(run, view.selected) ?? -1]?.id
}

/** Opens the inspector at the waterfall, with the selected session under its cursor. */
function toggleWaterfall(state: State): Plan {
  const { view } = state
  const isOpen = view.overlays.some(overlay => overlay.type === "inspector")
  if (isOpen && view.inspector.tab !== "waterfall") return openTab(state, "waterfall")
  const plan = toggle(state)
  const row = selectedId(state) ?? view.inspector.row
  return isOpen ? plan : both(plan, alter(view.inspector, { tab: "waterfall", row }))
}
