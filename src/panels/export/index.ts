// The menus of what can be copied, and what can be exported.
import { menuOverlay } from "../common/list/list-overlay.ts"
import type { Panel } from "../common/panel.ts"
import { exportKeys } from "./keys.ts"
import { exportUpdates, offersOf } from "./update.ts"

export const exportPanel = {
  keys: exportKeys,
  updates: exportUpdates,
  overlays: {
    copy: menuOverlay("export", { title: () => "COPY", items: state => offersOf(state, "copy") }),
    export: menuOverlay("export", { title: () => "EXPORT", items: state => offersOf(state, "export") }),
  },
} satisfies Panel
