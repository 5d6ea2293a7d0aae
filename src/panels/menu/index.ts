// The menu of what can be done with a session. What cannot be had now stays listed and says why.
import { sanitizeLine } from "../../protocol/sanitize.ts"
import { sessionById } from "../../run/identity/find-by-id.ts"
import type { SessionId } from "../../run/model/id.ts"
import { both, change, nothing, notice, type Plan } from "../../view/plan-result.ts"
import { sessionOf } from "../../view/select/live-rows.ts"
import type { State } from "../../view/state.ts"
import { close, down, up } from "../common/keys.ts"
import type { MenuItem } from "../common/list/list.ts"
import { menuOverlay } from "../common/list/list-overlay.ts"
import { openRerun, rerunRefusal } from "../common/open-rerun.ts"
import { frontOverlay } from "../common/overlays.ts"
import type { Panel } from "../common/panel.ts"
import { planOp, refusal } from "../common/send-op.ts"

export const menuPanel = {
  keys: {
    group: "Debugger",
    openers: [
      {
        from: ["panes", "reader"],
        keys: [
          {
            id: "menu/open",
            keys: ["o"],
            title: "actions for the selected session",
            words: "actions menu context rerun",
          },
        ],
      },
    ],
    scopes: [
      {
        id: "menu",
        kind: "menu",
        keys: [
          {
            id: "menu/choose",
            keys: ["enter"],
            title: "choose the selected item",
            words: "run select pick",
            hint: "choose",
          },
          close,
          down,
          up,
        ],
      },
    ],
  },
  updates: {
    "menu/open": (state, _, { now }) => openMenu(state, now),
    "menu/choose": (state, _, { now }) => choose(state, now),
  },
  overlays: {
    menu: menuOverlay("menu", {
      title: ({ run }, { session }) => sanitizeLine(sessionById(run, session)?.sessionId ?? "?"),
      items: (state, { session }) => menuItems(state, session),
    }),
  },
} satisfies Panel

interface SessionAction extends MenuItem {
  readonly id: "transcript" | "breakpoint" | "rerun"
}

function menuItems(state: State, session: SessionId): readonly SessionAction[] {
  const isGone = sessionById(state.run, session) === undefined
  return [
    { id: "transcript", title: "Transcript", why: isGone ? "the session is gone" : null },
    { id: "breakpoint", title: "Pause before the next model turn", why: refusal(state, "arm-llm-breakpoint") },
    { id: "rerun", title: "Re-run from here…", why: rerunRefusal(state, session) },
  ]
}

function openMenu({ run, view }: State, now: number): Plan {
  const session = run.sessions[sessionOf(run, view.selected) ?? -1]?.id
  if (session === undefined) return notice("Select a session first", "warning", now)
  return change({ overlays: [...view.overlays, { type: "menu", session, cursor: 0 }] })
}

/** Does the action under the cursor. One that cannot be had says why, and the menu stays. */
function choose(state: State, now: number): Plan {
  const menu = frontOverlay(state, "menu")
  if (menu === null) return nothing
  const { session } = menu
  const item = menuItems(state, session)[menu.cursor]
  if (item === undefined) return nothing
  if (item.why !== null) return notice(`${item.title}: ${item.why}`, "warning", now)
  const below = state.view.overlays.slice(0, -1)
  switch (item.id) {
    case "transcript": {
      const overlays = [...below.filter(one => one.type !== "reader"), { type: "reader" } as const]
      return change({ selected: { type: "session", session }, pinned: true, overlays })
    }
    case "breakpoint":
      return both(change({ overlays: below }), planOp(state, "arm-llm-breakpoint", 1, now))
    case "rerun":
      return openRerun(state, session, now)
  }
}
