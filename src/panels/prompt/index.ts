// The question in front.
import type { Panel } from "../common/panel.ts"
import { promptKeys } from "./keys.ts"
import { promptUpdates } from "./update.ts"

export const promptPanel = { keys: promptKeys, updates: promptUpdates } satisfies Panel
