// What filled the context of each turn of a session.
import { readingAt } from "../../view/block-reading.ts"
import { clamp, stepOf } from "../../view/cursor-step.ts"
import { inspectedSession } from "../../view/inspector.ts"
import { alter, change, frontOverlay, inFront, nothing, toggleOverlay } from "../../view/plan-result.ts"
import { turnInFront } from "../common/in-front.ts"
import { close, help, nextTab, OPEN } from "../common/keys.ts"
import { openTranscript } from "../common/open-tab.ts"
import type { Panel } from "../common/panel.ts"
import { contextLines, contextSeen, contextTitle, partsSeen } from "./lines.ts"
import { atTurn, contextLength, contextTurn } from "./turns.ts"

export const contextPanel = {
  keys: {
    group: "Inspector",
    openers: [
      {
        from: ["panes", "page", "entry", "tab"],
        keys: [
          {
            id: "context/toggle",
            keys: ["%"],
            title: "show or hide what filled the context of this turn",
            words: "tokens window full prompt tools results share largest grew input",
          },
        ],
      },
    ],
    scopes: [
      {
        id: "context",
        kind: "tab",
        keys: [{ ...OPEN, id: "context/open", when: state => contextLength(state) > 0 }, nextTab, close, help],
      },
    ],
  },
  updates: {
    "context/toggle": (state, _, context) => {
      const { inspector } = state.view
      if (frontOverlay(state, "inspector") !== null && inspector.tab === "context")
        return toggleOverlay(state, { type: "inspector" })
      const turn = turnInFront(state, context)
      const at = turn === null ? inspector : atTurn(state, turn.session, turn.turn)
      return change({ inspector: { ...at, tab: "context" }, overlays: inFront(state, { type: "inspector" }) })
    },
    "context/open": state => {
      const index = inspectedSession(state)
      const session = state.run.sessions[index]
      if (session === undefined) return nothing
      return openTranscript(state, index, readingAt(state.view.text, session, contextTurn(state)))
    },
  },
  tabs: {
    context: {
      scope: "context",
      move(state, by, context) {
        const { inspector } = state.view
        if (by.unit === "follow") return alter(inspector, { contextAt: null, top: 0 })
        if (by.unit === "page" || by.unit === "half") {
          const last = Math.max(0, context.lines - context.page - 1)
          return alter(inspector, { top: clamp(inspector.top + stepOf(by, 0, context), 0, last) })
        }
        const [turn, length] = [contextTurn(state), contextLength(state)]
        const to = clamp(turn + stepOf(by, turn - 1, { ...context, lines: length }), 1, Math.max(1, length))
        return change({ inspector: atTurn(state, inspectedSession(state), to) })
      },
      measure(state, place) {
        const { parts, rows } = partsSeen(state, place)
        return { page: rows, lines: parts }
      },
      title: contextTitle,
      lines: contextLines,
      seen: contextSeen,
    },
  },
} satisfies Panel
