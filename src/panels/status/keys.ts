// The keys of the status.
import { close, down, help, pageDown } from "../common/keys.ts"
import type { PanelKeys } from "../common/panel-keys.ts"
import { nextTab } from "../common/tab-keys.ts"

export const statusKeys: PanelKeys = {
  group: "Inspector",
  scopes: [{ id: "status", kind: "tab", others: "count", keys: [nextTab, close, down, pageDown, help] }],
}
