// What filled the context of each turn of a session.
import type { TurnPlace } from "../../run/model/id.ts"
import { readingAt } from "../../view/block-reading.ts"
import { clamp, stepOf } from "../../view/cursor-step.ts"
import { both, change, nothing, type Plan } from "../../view/plan-result.ts"
import { readSession, shownSession } from "../../view/select/shown-session.ts"
import type { State } from "../../view/state.ts"
import { turnInFront } from "../common/in-front.ts"
import { close, help, OPEN, PLACES } from "../common/keys.ts"
import { alter, cursors, linesOverlay, toggleView } from "../common/lines-overlay.ts"
import { openTranscript } from "../common/open-entry.ts"
import type { Panel } from "../common/panel.ts"
import { showContext } from "../common/place-title.ts"
import { contextLines, contextSeen, contextTitle, partsSeen } from "./lines.ts"
import { atTurn, contextLength, contextTurn } from "./turns.ts"

export const contextPanel = {
  keys: {
    group: "Views",
    openers: [{ from: PLACES, keys: [showContext] }],
    scopes: [
      {
        id: "context",
        kind: "view",
        keys: [{ ...OPEN, id: "context/open", when: state => contextLength(state) > 0 }, close, help],
      },
    ],
  },
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
    context: linesOverlay({
      scope: "context",
      name: "",
      move(state, by, context) {
        if (by.unit === "follow") return alter(state.view, { contextAt: null, top: 0 })
        if (by.unit === "page" || by.unit === "half") {
          const last = Math.max(0, context.lines - context.page - 1)
          return alter(state.view, { top: clamp(cursors.of(state.view).top + stepOf(by, 0, context), 0, last) })
        }
        const [turn, length] = [contextTurn(state), contextLength(state)]
        const to = clamp(turn + stepOf(by, turn - 1, { ...context, lines: length }), 1, Math.max(1, length))
        return change(atTurn(state, readSession(state), to))
      },
      measure(state, place) {
        const { parts, rows } = partsSeen(state, place)
        return { page: rows, lines: parts }
      },
      title: contextTitle,
      lines: contextLines,
      seen: contextSeen,
    }),
  },
} satisfies Panel

/** The reader is about this turn from now on. */
function readTurn({ run, view }: State, { session, turn }: TurnPlace): Plan {
  const known = run.sessions[session]
  if (known === undefined) return nothing
  return change({ reader: { reads: "row", text: readingAt(view.reader.text, known, turn) } })
}
