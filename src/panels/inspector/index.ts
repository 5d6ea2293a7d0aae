// The inspector: all that is known of the run, on tabs.

import { TAB_NAMES, TABS, type Tab } from "../../view/pane-names.ts"
import { both, type Plan, toggleOverlay } from "../../view/plan-result.ts"
import { sessionOf } from "../../view/select/live-rows.ts"
import type { State } from "../../view/state.ts"
import { nextTab } from "../common/keys.ts"
import { openTab } from "../common/open-tab.ts"
import { BROWSE, type KeyBinding, type Panel, type PanelCommand, type Place, type TabPanel } from "../common/panel.ts"

export const inspect: KeyBinding = {
  id: "inspector/toggle",
  keys: ["i"],
  title: "show or hide the inspector",
  words: "details invocations transcript chart artifacts status",
  hint: "inspect",
}

const tabKeys: readonly KeyBinding[] = [
  nextTab,
  {
    id: "inspector/previous-tab",
    keys: ["shift-tab"],
    title: "previous tab",
    words: "switch view back",
    intent: () => ({ type: "inspector/next-tab", step: -1 }),
  },
  {
    id: "inspector/tab",
    keys: TABS.map((_, index) => `${index + 1}`),
    title: "go to that tab",
    words: `switch view ${Object.values(TAB_NAMES).join(" ").toLowerCase()}`,
    intent: (_, digit) => ({ type: "inspector/tab", tab: TABS[Number(digit) - 1] ?? "invocations" }),
  },
]

/** A smaller place has no blank row below the names of the tabs. */
const ROOMY = 12

/** `tabs` gives the content of each tab, which other panels bring. */
export function inspectorPanel(tabs: () => { readonly [T in Tab]: TabPanel }) {
  return {
    keys: {
      group: "Inspector",
      openers: [
        { from: BROWSE, keys: [inspect] },
        { from: ["tab"], keys: tabKeys },
      ],
    },
    updates: {
      "inspector/toggle": state => toggle(state, state.view.inspector.tab),
      "inspector/tab": (state, { tab }) => openTab(state, tab),
      "inspector/next-tab": (state, { step }) => {
        const { tab } = state.view.inspector
        return openTab(state, TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length] ?? tab)
      },
      "waterfall/toggle": state =>
        isOpen(state) && state.view.inspector.tab !== "waterfall"
          ? openTab(state, "waterfall")
          : toggle(state, "waterfall"),
    },
    commands: Object.fromEntries(TABS.map(tab => [tab, tabCommand(tab)])),
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

/** What people also call it. */
const TAB_WORDS: { readonly [T in Tab]?: string } = {
  ledger: "cost costs money price usage spent",
  artifacts: "files",
  "agent-log": "log",
  waterfall: "time",
}

function tabCommand(tab: Tab): PanelCommand {
  return {
    title: `open the tab ${TAB_NAMES[tab]}`,
    words: `inspector show view ${TAB_WORDS[tab] ?? ""}`,
    run: state => (isOpen(state) ? openTab(state, tab) : toggle(state, tab)),
  }
}

/** The place that the row of tabs leaves. */
export function belowTabs(place: Place): Place {
  return { ...place, rows: Math.max(1, place.rows - (place.rows < ROOMY ? 1 : 2)) }
}

function isOpen({ view }: State): boolean {
  return view.overlays.some(overlay => overlay.type === "inspector")
}

/** Closes the inspector, or opens it with the selected session under its cursor. */
function toggle(state: State, tab: Tab): Plan {
  const { run, view } = state
  const toggled = toggleOverlay(state, { type: "inspector" })
  if (isOpen(state)) return toggled
  const row = run.sessions[sessionOf(run, view.selected) ?? -1]?.id ?? view.inspector.row
  const inspector = { ...view.inspector, row }
  return both(toggled, openTab({ ...state, view: { ...view, inspector } }, tab))
}
