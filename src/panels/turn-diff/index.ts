// The differences between two turns.
import { pageOverlay } from "../common/pager/page.ts"
import type { Panel } from "../common/panel.ts"
import { turnDiffPage } from "./lines.ts"

export const turnDiffPanel = { overlays: { "turn-diff": pageOverlay({ text: turnDiffPage }) } } satisfies Panel
