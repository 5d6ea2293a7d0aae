// The keys that open the inspector and go from tab to tab.
import { TAB_NAMES, TABS } from "../../view/pane-names.ts"
import { nextTab } from "../common/keys.ts"
import { BROWSE, type KeyBinding, type PanelKeys } from "../common/panel-keys.ts"

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

export const inspectorKeys: PanelKeys = {
  group: "Inspector",
  openers: [
    { from: BROWSE, keys: [inspect] },
    { from: ["tab"], keys: tabKeys },
  ],
}
