// Says which rows of the ledger the list shows.
import type { LedgerList } from "../../run/model/ledger.ts"

import { type LedgerRow, ledgerLength, ledgerRows } from "../../run/select/ledger-rows.ts"
import { readSession } from "../../view/select/shown-session.ts"
import type { ForegroundState } from "../../view/state.ts"
import { cursors } from "../common/cursors.ts"

type Listed = ForegroundState

/** What is listed. */
export function listOf(state: Listed): LedgerList {
  const { ledgerBy, ledgerSort } = cursors.of(state.view)
  return { by: ledgerBy, session: readSession(state), sort: ledgerSort }
}

/** How many rows there are. */
export function listedLength(state: Listed): number {
  return ledgerLength(state.run, listOf(state))
}

/** The rows from `top` on, at most so many. */
export function listedRows(state: Listed, top: number, rows: number): readonly LedgerRow[] {
  return ledgerRows(state.run, listOf(state), top, rows)
}
