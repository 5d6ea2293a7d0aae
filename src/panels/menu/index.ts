// The menu of what can be done with a session. What cannot be had now stays listed and says why.
import { sessionIndex } from "../../run/identity/find-by-id.ts"
import type { SessionId } from "../../run/model/id.ts"
import { sessionName } from "../../run/select/figures.ts"
import { both, change, nothing, notice, type Plan } from "../../view/plan-result.ts"
import { shownSession } from "../../view/select/shown-session.ts"
import type { State } from "../../view/state.ts"
import { close, down, up } from "../common/keys.ts"
import { menuOverlay } from "../common/list/list.ts"
import { openTranscript } from "../common/open-entry.ts"
import { openRerun, rerunRefusal } from "../common/open-rerun.ts"
import { bind, type MenuItem, type Panel } from "../common/panel.ts"
import { planOp, refusal } from "../common/send-op.ts"

export const menuPanel = {
  keys: {
    group: "Debugger",
    openers: [
      { from: ["panes"], keys: [bind("menu/open", [], "actions for the selected session", "menu context rerun")] },
    ],
    scopes: [
      {
        id: "menu",
        kind: "menu",
        keys: [
          bind("menu/choose", ["enter"], "choose the selected item", "run pick", { hint: "choose" }),
          close,
          down,
          up,
        ],
      },
    ],
  },
  updates: { "menu/open": (state, _, { now }) => openMenu(state, now) },
  overlays: {
    menu: menuOverlay({
      title: ({ run }, { session }) => sessionName(run, sessionIndex(run, session) ?? -1) ?? "?",
      items: (state, { session }) => menuItems(state, session),
    }),
  },
} satisfies Panel

function menuItems(state: State, session: SessionId): readonly MenuItem[] {
  const index = sessionIndex(state.run, session)
  const below = state.view.overlays.slice(0, -1)
  return [
    {
      title: "Transcript",
      why: index === null ? "the session is gone" : null,
      chosen: () => {
        const behind = { ...state, view: { ...state.view, overlays: below } }
        const selected = change({ list: { selected: { type: "session", session }, pinned: true } })
        return index === null ? nothing : both(selected, openTranscript(behind, index))
      },
    },
    {
      title: "Pause before the next model turn",
      why: refusal(state, "arm-llm-breakpoint"),
      chosen: now => both(change({ overlays: below }), planOp(state, "arm-llm-breakpoint", 1, now)),
    },
    { title: "Re-run from here…", why: rerunRefusal(state, session), chosen: now => openRerun(state, session, now) },
  ]
}

function openMenu(state: State, now: number): Plan {
  const { run, view } = state
  const session = run.sessions[shownSession(state) ?? -1]?.id
  if (session === undefined) return notice("Select a session first", "warning", now)
  return change({ overlays: [...view.overlays, { type: "menu", session, cursor: 0 }] })
}
