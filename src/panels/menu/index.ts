// The menu of what can be done with a session.
import { sanitizeLine } from "../../protocol/sanitize.ts"
import { sessionById } from "../../run/identity/find-by-id.ts"
import { menuOverlay } from "../common/list/list-overlay.ts"
import type { Panel } from "../common/panel.ts"
import { menuOf } from "./items.ts"
import { menuKeys } from "./keys.ts"
import { menuUpdates } from "./update.ts"

export const menuPanel = {
  keys: menuKeys,
  updates: menuUpdates,
  overlays: {
    menu: menuOverlay("menu", {
      title: ({ run }, { session }) => sanitizeLine(sessionById(run, session)?.sessionId ?? "?"),
      items: (state, { session }) => menuOf(state, session),
    }),
  },
} satisfies Panel
