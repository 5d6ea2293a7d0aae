// The keys of the status.
import { close, down, help, nextTab, pageDown } from "../common/keys.ts"
import type { PanelKeys } from "../common/panel-keys.ts"

export const statusKeys: PanelKeys = {
  group: "Inspector",
  scopes: [{ id: "status", kind: "tab", keys: [nextTab, close, down, pageDown, help] }],
}
