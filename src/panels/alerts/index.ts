// The list of what needs a person, oldest first.
import { keyedListOverlay } from "../common/list/list-overlay.ts"
import type { Panel } from "../common/panel.ts"
import { alertsOf } from "./alerts.ts"
import { alertKeys } from "./keys.ts"
import { alertLines, alertTitle } from "./lines.ts"
import { alertCursor, alertUpdates } from "./update.ts"

export const alertsPanel = {
  keys: alertKeys,
  updates: alertUpdates,
  overlays: {
    attention: {
      ...keyedListOverlay({
        title: alertTitle,
        length: (state, _, now) => alertsOf(state, now).length,
        lines: alertLines,
        // The cursor stays on its alert while others come and go.
        cursorOf: (state, { cursor }, now) => alertCursor(alertsOf(state, now), cursor),
        withCursor: (state, overlay, cursor, now) => ({ ...overlay, cursor: alertsOf(state, now)[cursor]?.id ?? null }),
      }),
      kept: { type: "attention", cursor: null },
    },
  },
} satisfies Panel
