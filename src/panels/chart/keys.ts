// The keys of the chart.
import { close, down, help, nextTab, pageDown } from "../common/keys.ts"
import type { PanelKeys } from "../common/panel-keys.ts"

export const chartKeys: PanelKeys = {
  group: "Inspector",
  scopes: [{ id: "chart", kind: "tab", keys: [nextTab, close, down, pageDown, help] }],
}
