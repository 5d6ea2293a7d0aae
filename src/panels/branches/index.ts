// The tree of branches, each with its outcome beside that of its parent.
import { sessionIndex } from "../../run/identity/find-by-id.ts"
import { type BranchRow, branchedTurns, branchRows } from "../../run/select/branch-tree.ts"
import { count } from "../../ui/text-width.ts"
import { both, change, nothing, notice, type Plan } from "../../view/plan-result.ts"
import { targetOf } from "../../view/select/live-rows.ts"
import type { State } from "../../view/state.ts"
import { close, down, help, up } from "../common/keys.ts"
import { listOverlay } from "../common/list/list.ts"
import { inFront, itemUnder } from "../common/overlays.ts"
import type { Panel } from "../common/panel.ts"
import type { OwnScope } from "../common/panel-keys.ts"
import { seek } from "../common/seek.ts"
import { branchLines } from "./lines.ts"

const scope: OwnScope = {
  id: "branches",
  kind: "list",
  keys: [
    {
      id: "branches/go",
      keys: ["enter"],
      title: "go to the start of the branch",
      words: "seek jump rerun",
      hint: "go there",
    },
    {
      id: "branches/diff",
      keys: ["d"],
      title: "compare the branch with its parent",
      words: "compare difference parent",
      hint: "compare with parent",
    },
    close,
    down,
    up,
    help,
  ],
}

export const branchesPanel = {
  keys: { group: "Time", scopes: [scope] },
  updates: {
    "branches/go": state => {
      const row = rowUnder(state)
      if (row === undefined) return nothing
      const { start, session } = row
      const selected = session === null ? {} : { selected: targetOf(state.present, session), pinned: true }
      const shown = change({ overlays: state.view.overlays.slice(0, -1), ...selected })
      return start === null ? shown : both(shown, seek({ type: "frame", frame: start.frame }))
    },
    "branches/diff": (state, _, { now }) => {
      const row = rowUnder(state)
      if (row === undefined) return nothing
      const turns = branchedTurns(state.present, row)
      if (turns === null)
        return notice("Can't find both sessions. The compare command shows them side by side", "info", now)
      const [before, after] = turns
      if (sessionIndex(state.run, after.session) === null) return notice("Not started yet at this point", "info", now)
      return change({ overlays: [...state.view.overlays, { type: "turn-diff", before, after, top: 0 }] })
    },
  },
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

function openBranches(state: State, now: number): Plan {
  const { branches } = state.present
  if (branches.length === 0) return notice("No branches yet", "info", now)
  return change({ overlays: inFront(state, { type: "branches", cursor: 0 }) })
}

function rowUnder(state: State): BranchRow | undefined {
  return itemUnder(state, "branches", branchRows(state.present))
}
