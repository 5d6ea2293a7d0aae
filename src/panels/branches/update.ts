// Decides what the keys of the tree of branches do: where a branch is shown, and what it is laid beside.

import { sessionIndex } from "../../run/identity/find-by-id.ts"
import { branchedTurns, branchRows } from "../../run/select/branch-tree.ts"
import type { BranchIntent } from "../../view/intent.ts"
import { both, change, nothing, notice, type Plan } from "../../view/plan-result.ts"
import { targetOf } from "../../view/select/live-rows.ts"
import type { State } from "../../view/state.ts"
import { presentOf } from "../../view/time.ts"
import { seek } from "../time/update.ts"

/** Opens the tree, where the run told of a branch. */
export function openBranches(state: State, now: number): Plan {
  const { branches } = presentOf(state)
  if (branches.length === 0) return notice("The run has told of no branch", "info", now)
  const others = state.view.overlays.filter(one => one.type !== "branches")
  return change({ overlays: [...others, { type: "branches", cursor: 0 }] })
}

export function planBranch(state: State, { to }: BranchIntent, now: number): Plan {
  const { overlays } = state.view
  const overlay = overlays.at(-1)
  const present = presentOf(state)
  const row = overlay?.type === "branches" ? branchRows(present)[overlay.cursor] : undefined
  if (row === undefined) return nothing
  if (to === "diff") {
    const turns = branchedTurns(present, row)
    if (turns === null)
      return notice("No session is known of both: the command compare lays them side by side", "info", now)
    const [before, after] = turns
    if (sessionIndex(state.run, after.session) === null)
      return notice("Not begun at the moment that is shown", "info", now)
    return change({ overlays: [...overlays, { type: "turn-diff", before, after, top: 0 }] })
  }
  const { start, session } = row
  const selected = session === null ? {} : { selected: targetOf(present, session), pinned: true }
  const shown = change({ overlays: overlays.slice(0, -1), ...selected })
  return start === null ? shown : both(shown, seek({ type: "frame", frame: start.frame }))
}
