// The ledger: what the run used, cost and waited for, by whatever it is asked for.
import { readingAt, readingOf } from "../../view/block-reading.ts"
import { both, change, nothing } from "../../view/plan-result.ts"
import { targetOf } from "../../view/select/shown-session.ts"
import type { State } from "../../view/state.ts"
import { OPEN } from "../common/keys.ts"
import { keyedListOverlay } from "../common/list/list.ts"
import { openTranscript } from "../common/open-entry.ts"
import { BROWSE, type Panel, type Reading } from "../common/panel.ts"
import { showCost } from "../common/place-title.ts"
import { alter, cursors, toggleView } from "../common/views.ts"
import { ledgerFoot, ledgerHeading, ledgerLines, ledgerTitle, listedLength, listedRows } from "./lines.ts"

const rowHere = (state: State) => listedRows(state, cursors.of(state.view).ledgerRow, 1)[0]

export const ledgerPanel = {
  keys: { group: "Views", openers: [{ from: BROWSE, keys: [showCost] }] },
  updates: {
    "ledger/toggle": state => toggleView(state, "ledger"),
    "ledger/open": state => {
      const { run, view } = state
      const of = rowHere(state)?.of
      if (of == null) return nothing
      const selected = change({ list: { selected: targetOf(run, of.session), pinned: true } })
      const turns = alter(view, { ledgerBy: "turn", ledgerRow: 0 })
      return both(selected, of.turn === null ? turns : openTranscript(state, of.session, view.reader.text))
    },
  },
  overlays: {
    ledger: keyedListOverlay({
      kind: "view",
      keys: [{ ...OPEN, id: "ledger/open", when: state => rowHere(state)?.of != null }],
      title: ledgerTitle,
      length: listedLength,
      cursorOf: ({ view }) => cursors.of(view).ledgerRow,
      moved: ({ view }, _, ledgerRow) => cursors.put(view, { ledgerRow }),
      heading: ledgerHeading,
      lines: ledgerLines,
      legend: ledgerFoot,
      reads: rowReading,
    }),
  },
} satisfies Panel

/** The session and turn that a row is of. */
function rowReading(state: State, cursor: number): Reading | null {
  const of = listedRows(state, cursor, 1)[0]?.of
  const session = state.run.sessions[of?.session ?? -1]
  if (of == null || session === undefined) return null
  const { text } = state.view.reader
  return { text: of.turn === null ? readingOf(text, session.id) : readingAt(text, session, of.turn) }
}
