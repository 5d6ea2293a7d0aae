// Decides what the keys do that go from pane to pane, and open what is selected in one.
import { recalledRowAt } from "../../run/memory/recalled-frames.ts"
import { PANES } from "../../view/pane-names.ts"
import { change, nothing, type Plan } from "../../view/plan-result.ts"
import { cursorIndex } from "../../view/select/log-rows.ts"
import type { State } from "../../view/state.ts"
import { entryOf } from "../common/open-entry.ts"
import type { SomeUpdates } from "../common/updates.ts"

export const paneUpdates = {
  "pane/focus": ({ view }, { pane }) => (view.focus === pane ? nothing : change({ focus: pane })),
  "pane/next": ({ view: { focus } }, { step }) =>
    change({ focus: PANES[(PANES.indexOf(focus) + step + PANES.length) % PANES.length] ?? "live" }),
  "pane/maximize": ({ view }) => change({ maximized: !view.maximized }),
  "cursor/open": state => planOpen(state),
} satisfies SomeUpdates

function planOpen(state: State): Plan {
  const { view } = state
  if (view.focus !== "log") {
    if (view.selected === null) return nothing
    return change({ overlays: [...view.overlays, { type: "reader" }] })
  }
  const row = recalledRowAt(state, cursorIndex(state) ?? -1)
  return row === undefined ? nothing : change({ overlays: [...view.overlays, entryOf(state, row)] })
}
