// The ledger: what the run used, cost and waited for, by whatever it is asked for.
import { readingAt } from "../../view/block-reading.ts"
import { clamp, stepOf } from "../../view/cursor-step.ts"
import { alter, both, change, nothing } from "../../view/plan-result.ts"
import { readSession, targetOf } from "../../view/select/live-rows.ts"
import type { State } from "../../view/state.ts"
import { close, help, OPEN } from "../common/keys.ts"
import { linesOverlay, toggleView } from "../common/lines-overlay.ts"
import { openTranscript } from "../common/open-transcript.ts"
import { BROWSE, type Panel } from "../common/panel.ts"
import { ledgerLines, ledgerSeen, ledgerTitle } from "./lines.ts"
import { listedLength } from "./rows.ts"

const leadsOn = ({ view: { cursors } }: State) => cursors.ledgerBy === "session" || cursors.ledgerBy === "turn"

export const ledgerPanel = {
  keys: {
    group: "Views",
    openers: [
      {
        from: BROWSE,
        keys: [
          {
            id: "ledger/toggle",
            keys: ["$"],
            title: "show or hide what the run used and cost",
            words: "cost costs money price tokens ledger usage",
          },
        ],
      },
    ],
    scopes: [
      {
        id: "ledger",
        kind: "view",
        keys: [{ ...OPEN, id: "ledger/open", when: state => leadsOn(state) && listedLength(state) > 0 }, close, help],
      },
    ],
  },
  updates: {
    "ledger/toggle": state => toggleView(state, "ledger"),
    "ledger/by": ({ view: { cursors } }, { by }) => alter(cursors, { ledgerBy: by, ledgerRow: 0 }),
    "ledger/open": state => {
      const { run, view } = state
      const { ledgerBy, ledgerRow } = view.cursors
      if (ledgerBy === "session") {
        const selected = targetOf(run, ledgerRow)
        if (selected === null) return nothing
        return both(change({ selected, pinned: true }), alter(view.cursors, { ledgerBy: "turn", ledgerRow: 0 }))
      }
      const index = readSession(state)
      const session = run.sessions[index]
      return session === undefined
        ? nothing
        : openTranscript(state, index, readingAt(view.text, session, ledgerRow + 1))
    },
  },
  overlays: {
    ledger: linesOverlay("ledger", {
      scope: "ledger",
      name: "SESSIONS",
      move(state, by, context) {
        const { cursors } = state.view
        const length = listedLength(state)
        const to = cursors.ledgerRow + stepOf(by, cursors.ledgerRow, { ...context, lines: length })
        return alter(cursors, { ledgerRow: clamp(to, 0, Math.max(0, length - 1)) })
      },
      measure: (_, { rows }) => ({ page: rows, lines: 0 }),
      title: ledgerTitle,
      lines: ledgerLines,
      seen: ledgerSeen,
    }),
  },
} satisfies Panel
