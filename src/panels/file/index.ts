// A file of the session directory.
import { pageOverlay } from "../common/pager/page.ts"
import type { Panel } from "../common/panel.ts"
import { filePage } from "./lines.ts"

export const filePanel = {
  overlays: { file: pageOverlay({ text: (state, { name }) => filePage(state, name) }) },
} satisfies Panel
