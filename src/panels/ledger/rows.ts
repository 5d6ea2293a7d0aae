// Says which rows of the ledger the list shows.
import { type LedgerRow, ledgerLength, ledgerRows } from "../../run/select/ledger-rows.ts"
import { readSession } from "../../view/select/live-rows.ts"
import type { ForegroundState } from "../../view/state.ts"

type Listed = ForegroundState

/** How many rows there are. */
export function listedLength(state: Listed): number {
  return ledgerLength(state.run, state.view.cursors.ledgerBy, readSession(state))
}

/** The rows from `top` on, at most so many. */
export function listedRows(state: Listed, top: number, rows: number): readonly LedgerRow[] {
  return ledgerRows(state.run, state.view.cursors.ledgerBy, readSession(state), top, rows)
}
