// Holds where a person is in the views of the list and in the texts of the reader.
import type { TurnRef } from "../../run/model/id.ts"
import type { LedgerSort, LedgerWay } from "../../run/model/ledger.ts"
import { type WaterfallViewport, wholeViewport } from "../../run/select/waterfall.ts"
import { change, type Plan } from "../../view/plan-result.ts"
import { createSlice } from "../../view/slice.ts"
import type { View } from "../../view/view.ts"

/** It stays while they are closed. */
interface Cursors {
  readonly fall: WaterfallViewport
  readonly ledgerBy: LedgerWay
  /** By what its rows are sorted, the largest first; null for the order in which they came. */
  readonly ledgerSort: LedgerSort | null
  /** The row under the ledger's cursor: rows keep their places. */
  readonly ledgerRow: number
  /** The turn under the cursor of the context; null for the latest, as is a turn of another session than is read. */
  readonly contextAt: TurnRef | null
  /** First line shown of a text that is read from top to bottom. */
  readonly top: number
}

export const cursors = createSlice<Cursors>("cursors", {
  fall: wholeViewport,
  ledgerBy: "state",
  ledgerSort: null,
  ledgerRow: 0,
  contextAt: null,
  top: 0,
})

/** Moves the cursors of a view. */
export function alter(view: View, to: Partial<Cursors>): Plan {
  return change(cursors.put(view, to))
}
