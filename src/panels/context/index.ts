// What filled the context of each turn of a session.
import type { TurnPlace } from "../../run/model/id.ts"
import { sessionName } from "../../run/select/figures.ts"
import { readingAt } from "../../view/block-reading.ts"
import { clamp, stepOf } from "../../view/cursor-step.ts"
import { both, change, nothing, type OverlayOf, type Plan } from "../../view/plan-result.ts"
import { readSession, shownSession } from "../../view/select/shown-session.ts"
import type { State } from "../../view/state.ts"
import { turnInFront } from "../common/in-front.ts"
import { OPEN, PLACES } from "../common/keys.ts"
import { keyedListOverlay } from "../common/list/list.ts"
import { openTranscript } from "../common/open-entry.ts"
import type { FrontPanel, Panel } from "../common/panel.ts"
import { showContext } from "../common/place-title.ts"
import { alter, cursors, toggleView } from "../common/views.ts"
import { contextFoot, contextHeading, contextLines, partsSeen } from "./lines.ts"
import { atTurn, contextLength, contextTurn } from "./turns.ts"

const turns = keyedListOverlay<OverlayOf<"context">>({
  kind: "view",
  keys: [{ ...OPEN, id: "context/open", when: state => contextLength(state) > 0 }],
  title: ({ run, ...state }) => sessionName(run, readSession({ run, ...state })) ?? "",
  length: contextLength,
  cursorOf: state => contextTurn(state) - 1,
  moved: (state, _, row) => atTurn(state, readSession(state), row + 1),
  heading: contextHeading,
  lines: contextLines,
  legend: contextFoot,
})

/** Pages scroll through the parts of the turn under the cursor. */
function contextFront(overlay: OverlayOf<"context">, now: State): FrontPanel {
  const front = turns.front(overlay, now)
  return {
    ...front,
    move(state, by, context) {
      if (by.unit !== "page" && by.unit !== "half") return front.move(state, by, context)
      const last = Math.max(0, context.lines - context.page - 1)
      return alter(state.view, { top: clamp(cursors.of(state.view).top + stepOf(by, 0, context), 0, last) })
    },
    measure(state, place) {
      const { parts, rows } = partsSeen(state, place)
      return { page: rows, lines: parts }
    },
  }
}

export const contextPanel = {
  keys: { group: "Views", openers: [{ from: PLACES, keys: [showContext] }] },
  updates: {
    "context/toggle": (state, _, context) => {
      const turn = turnInFront(state, context)
      const at = turn === null ? {} : atTurn(state, turn.session, turn.turn)
      const read = turn === null || turn.session === shownSession(state) ? nothing : readTurn(state, turn)
      return both(both(read, change(at)), toggleView(state, "context"))
    },
    "context/open": state => {
      const index = readSession(state)
      const session = state.run.sessions[index]
      if (session === undefined) return nothing
      return openTranscript(state, index, readingAt(state.view.reader.text, session, contextTurn(state)))
    },
  },
  overlays: {
    context: { drawn: turns.drawn, front: contextFront },
  },
} satisfies Panel

/** The reader is about this turn from now on. */
function readTurn({ run, view }: State, { session, turn }: TurnPlace): Plan {
  const known = run.sessions[session]
  if (known === undefined) return nothing
  return change({ reader: { reads: "row", text: readingAt(view.reader.text, known, turn) } })
}
