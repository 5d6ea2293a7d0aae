// What all panes have.
import type { Panel } from "../common/panel.ts"
import { paneKeys } from "./keys.ts"
import { paneUpdates } from "./update.ts"

export const panesPanel = {
  keys: paneKeys,
  updates: paneUpdates,
} satisfies Panel
