// The tree of branches, each with its outcome beside that of its parent.
import { branchRows } from "../../run/select/branch-tree.ts"
import { count } from "../../ui/text-width.ts"
import { listOverlay } from "../common/list/list-overlay.ts"
import type { Panel } from "../common/panel.ts"
import { branchKeys } from "./keys.ts"
import { branchLines } from "./lines.ts"
import { branchUpdates, openBranches } from "./update.ts"

export const branchesPanel = {
  keys: branchKeys,
  updates: branchUpdates,
  commands: { branches: (state, _, now) => openBranches(state, now) },
  overlays: {
    branches: {
      ...listOverlay({
        title: state => `BRANCHES  ${count(state.present.branches.length)}`,
        length: state => branchRows(state.present).length,
        lines: branchLines,
      }),
      kept: { type: "branches", cursor: 0 },
    },
  },
} satisfies Panel
