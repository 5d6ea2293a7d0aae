// The keys of the chart.
import { close, down, help, pageDown } from "../common/keys.ts"
import type { PanelKeys } from "../common/panel-keys.ts"
import { nextTab } from "../common/tab-keys.ts"

export const chartKeys: PanelKeys = {
  group: "Inspector",
  scopes: [{ id: "chart", kind: "tab", others: "count", keys: [nextTab, close, down, pageDown, help] }],
}
