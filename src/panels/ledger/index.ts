// The ledger: what the run used, cost and waited for, by whatever it is asked for.
import { readingAt } from "../../view/block-reading.ts"
import { clamp, stepOf } from "../../view/cursor-step.ts"
import { inspectedSession } from "../../view/inspector.ts"
import { alter, nothing } from "../../view/plan-result.ts"
import type { State } from "../../view/state.ts"
import { close, help, nextTab, OPEN } from "../common/keys.ts"
import { openTranscript } from "../common/open-tab.ts"
import type { Panel } from "../common/panel.ts"
import { ledgerLines, ledgerSeen, ledgerTitle } from "./lines.ts"
import { listedLength, nextWay } from "./rows.ts"

const leadsOn = ({ view: { inspector } }: State) => inspector.ledgerBy === "session" || inspector.ledgerBy === "turn"

export const ledgerPanel = {
  keys: {
    group: "Inspector",
    scopes: [
      {
        id: "ledger",
        kind: "tab",
        keys: [
          {
            id: "ledger/by",
            keys: ["S"],
            title: "group by the next: state, model, tool, invocation, session, turn",
            words: "cost money tokens usage price sort",
            hint: "by the next",
            intent: () => ({ type: "ledger/by", by: null }),
          },
          { ...OPEN, id: "ledger/open", when: state => leadsOn(state) && listedLength(state) > 0 },
          nextTab,
          close,
          help,
        ],
      },
    ],
  },
  updates: {
    "ledger/by": ({ view: { inspector } }, { by }) =>
      alter(inspector, { ledgerBy: by ?? nextWay(inspector.ledgerBy), ledgerRow: 0 }),
    "ledger/open": state => {
      const { run, view } = state
      const { ledgerBy, ledgerRow } = view.inspector
      if (ledgerBy === "session") {
        const row = run.sessions[ledgerRow]?.id ?? null
        return row === null ? nothing : alter(view.inspector, { row, ledgerBy: "turn", ledgerRow: 0 })
      }
      const index = inspectedSession(state)
      const session = run.sessions[index]
      return session === undefined
        ? nothing
        : openTranscript(state, index, readingAt(view.text, session, ledgerRow + 1))
    },
  },
  tabs: {
    ledger: {
      scope: "ledger",
      move(state, by, context) {
        const { inspector } = state.view
        const length = listedLength(state)
        const to = inspector.ledgerRow + stepOf(by, inspector.ledgerRow, { ...context, lines: length })
        return alter(inspector, { ledgerRow: clamp(to, 0, Math.max(0, length - 1)) })
      },
      measure: (_, { rows }) => ({ page: rows, lines: 0 }),
      title: ledgerTitle,
      lines: ledgerLines,
      seen: ledgerSeen,
    },
  },
} satisfies Panel
