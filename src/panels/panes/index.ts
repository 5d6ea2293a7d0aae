// Goes from pane to pane, and opens the selection of one.
import { keyOf } from "../../keys/key-text.ts"
import { recalledRowAt } from "../../run/memory/recalled-frames.ts"
import { PANES, type PaneId } from "../../view/pane-names.ts"
import { change, nothing, notice, type Plan, type ViewContext } from "../../view/plan-result.ts"
import { cursorIndex } from "../../view/select/log-rows.ts"
import { shownSession } from "../../view/select/shown-session.ts"
import { isAlone } from "../../view/select/stack.ts"
import type { State } from "../../view/state.ts"
import { entryOf, openTranscript } from "../common/open-entry.ts"
import { bind, type Panel, stepBy } from "../common/panel.ts"
import { liveRows, rowOfTarget } from "../common/session-rows.ts"

export const nextPane = bind("pane/next", ["tab"], "next pane", "focus switch", {
  hint: "next",
  ...stepBy("pane/next", 1),
})
const previousPane = bind("pane/previous", ["shift-tab"], "previous pane", "focus switch back", {
  ...stepBy("pane/next", -1),
})
export const open = bind("cursor/open", ["enter"], "open the session or log entry", "show details text", {
  hint: ({ view }) => (view.maximized && view.focus === "text" ? "back" : "read"),
  when: ({ run, view: { focus } }) => focus === "text" || (focus === "log" ? run.log.rows : run.sessions).length > 0,
})
export const maximize = bind("pane/maximize", ["m"], "full screen on or off", "zoom bigger", {
  hint: ({ view }) => (view.maximized ? "back" : "full screen"),
})

export const panesPanel = {
  keys: {
    group: "Panes",
    openers: [
      { from: ["panes"], keys: [open] },
      { from: ["panes", "list", "view", "page", "entry"], keys: [nextPane, previousPane, maximize] },
    ],
  },
  updates: {
    "pane/focus": ({ view }, { pane }) => (view.focus === pane ? nothing : change({ focus: pane })),
    "pane/next": ({ present, view }, { step }) => {
      if (view.focus === "home") return nothing
      const places: readonly PaneId[] = isAlone(present, view) ? ["text", "log"] : PANES
      return change({ focus: places[(places.indexOf(view.focus) + step + places.length) % places.length] ?? "live" })
    },
    "pane/maximize": maximized,
    "cursor/open": openSelection,
  },
} satisfies Panel

function maximized({ view }: State, _: unknown, { isTiny, now }: ViewContext): Plan {
  if (isTiny !== true) return change({ maximized: !view.maximized })
  return notice(`Already full screen · ${keyOf(view, nextPane)} goes on`, "info", now)
}

function openSelection(state: State, intent: unknown, context: ViewContext): Plan {
  const { focus, overlays, list } = state.view
  const shown = focus === "live" ? liveRows(state, context.page) : null
  const target = shown?.rows[rowOfTarget(state.run, shown, list.selected)]
  if (target?.type === "finished") return change({ list: { unfolded: [...list.unfolded, target.invocation] } })
  if (focus === "text") return maximized(state, intent, context)
  const session = shownSession(state)
  if (focus !== "log") return session === null ? nothing : openTranscript(state, session)
  const row = recalledRowAt(state, cursorIndex(state) ?? -1)
  return row === undefined ? nothing : change({ overlays: [...overlays, entryOf(state, row)] })
}
