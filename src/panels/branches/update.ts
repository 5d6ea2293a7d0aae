// Decides what the keys of the tree of branches do: where a branch is shown, and what it is laid beside.
import { sessionIndex } from "../../run/identity/find-by-id.ts"
import { type BranchRow, branchedTurns, branchRows } from "../../run/select/branch-tree.ts"
import { both, change, nothing, notice, type Plan } from "../../view/plan-result.ts"
import { targetOf } from "../../view/select/live-rows.ts"
import type { State } from "../../view/state.ts"
import { frontOverlay, inFront } from "../common/overlays.ts"
import { seek } from "../common/seek.ts"
import type { SomeUpdates } from "../common/updates.ts"

/** Opens the tree, where the run told of a branch. */
export function openBranches(state: State, now: number): Plan {
  const { branches } = state.present
  if (branches.length === 0) return notice("The run has told of no branch", "info", now)
  return change({ overlays: inFront(state, { type: "branches", cursor: 0 }) })
}

export const branchUpdates = {
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
      return notice("No session is known of both: the command compare lays them side by side", "info", now)
    const [before, after] = turns
    if (sessionIndex(state.run, after.session) === null)
      return notice("Not begun at the moment that is shown", "info", now)
    return change({ overlays: [...state.view.overlays, { type: "turn-diff", before, after, top: 0 }] })
  },
} satisfies SomeUpdates

function rowUnder(state: State): BranchRow | undefined {
  const overlay = frontOverlay(state, "branches")
  return overlay === null ? undefined : branchRows(state.present)[overlay.cursor]
}
