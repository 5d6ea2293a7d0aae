// Decides what the menu of a session comes to: it opens, and the action under its cursor is done.
import type { SessionId } from "../../run/model/id.ts"
import { both, change, nothing, notice, type Plan } from "../../view/plan-result.ts"
import { sessionOf } from "../../view/select/live-rows.ts"
import type { State } from "../../view/state.ts"
import { openRerun } from "../common/open-rerun.ts"
import { frontOverlay } from "../common/overlays.ts"
import { planOp } from "../common/send-op.ts"
import type { SomeUpdates } from "../common/updates.ts"
import { menuOf, type SessionAction } from "./items.ts"

export const menuUpdates = {
  "menu/open": (state, _, { now }) => openMenu(state, now),
  "menu/choose": (state, _, { now }) => choose(state, now),
} satisfies SomeUpdates

function openMenu(state: State, now: number): Plan {
  const session = state.run.sessions[sessionOf(state.run, state.view.selected) ?? -1]?.id
  if (session === undefined) return notice("No session is selected", "warning", now)
  return change({ overlays: [...state.view.overlays, { type: "menu", session, cursor: 0 }] })
}

/** Does the action under the cursor. One that cannot be had says why, and the menu stays. */
function choose(state: State, now: number): Plan {
  const menu = frontOverlay(state, "menu")
  if (menu === null) return nothing
  const item = menuOf(state, menu.session)[menu.cursor]
  if (item === undefined) return nothing
  if (item.why !== null) return notice(`${item.title}: ${item.why}`, "warning", now)
  return act(state, item, menu.session, now)
}

function act(state: State, item: SessionAction, session: SessionId, now: number): Plan {
  const below = state.view.overlays.slice(0, -1)
  switch (item.id) {
    case "transcript": {
      const selected = { type: "session", session } as const
      return change({
        selected,
        pinned: true,
        overlays: [...below.filter(one => one.type !== "reader"), { type: "reader" }],
      })
    }
    case "breakpoint":
      return both(change({ overlays: below }), planOp(state, "arm-llm-breakpoint", 1, now))
    case "rerun":
      return openRerun(state, session, now)
  }
}
