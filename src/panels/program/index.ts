// The program itself.
import type { Panel } from "../common/panel.ts"
import { programKeys } from "./keys.ts"
import { programUpdates } from "./update.ts"

export const programPanel = {
  keys: programKeys,
  updates: programUpdates,
} satisfies Panel
