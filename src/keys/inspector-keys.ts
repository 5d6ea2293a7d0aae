// The keys of the inspector: its tabs, and what each of them can do.
import { type InspectWish, TABS, type Tab } from "../store/inspector.ts"
import { type Binding, binding } from "./binding.ts"
import type { Scope } from "./scope.ts"

const inspect = (wish: InspectWish) => () => ({ type: "inspect", wish }) as const

/** What the tabs are called, and one word for the footer. */
export const TAB_NAMES: { readonly [tab in Tab]: string } = { invocations: "Invocations", status: "Status" }

/** The keys that open and close the inspector wherever one may look around. */
export function inspectorKeys(browse: readonly Scope[]): readonly Binding[] {
  return [
    binding(
      "Inspector",
      "inspect",
      ["i"],
      "i",
      browse,
      inspect({ to: "toggle" }),
      "the inspector: all that is known of the run; and back",
      "inspect",
    ),
    binding("Inspector", "next-tab", ["tab"], "Tab", TABS, inspect({ to: "next-tab", step: 1 }), "next tab", "tab"),
    binding(
      "Inspector",
      "last-tab",
      ["shift-tab"],
      "Shift-Tab",
      TABS,
      inspect({ to: "next-tab", step: -1 }),
      "previous tab",
    ),
    ...TABS.map((tab, index) =>
      binding(
        "Inspector",
        `tab-${tab}`,
        [`${index + 1}`],
        `1–${TABS.length}`,
        TABS,
        inspect({ to: "tab", tab }),
        "the tab of that number",
      ),
    ),
    binding(
      "Inspector",
      "inspect-open",
      ["enter"],
      "Enter",
      ["invocations"],
      inspect({ to: "open" }),
      "one step deeper",
      "read",
    ),
    binding(
      "Inspector",
      "sort",
      ["S"],
      "S",
      ["invocations"],
      inspect({ to: "sort" }),
      "sort by the next column",
      "sort",
    ),
  ]
}
