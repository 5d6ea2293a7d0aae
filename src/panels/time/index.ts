// The time of a run: what moves through it.
import type { Panel } from "../common/panel.ts"
import { timeKeys } from "./keys.ts"
import { timeUpdates } from "./update.ts"

export const timePanel = {
  keys: timeKeys,
  updates: timeUpdates,
} satisfies Panel
