// The views of the list and of the reader: where their cursors stand, and how one takes the place of another.
import type { TurnRef } from "../../run/model/id.ts"
import type { LedgerSort, LedgerWay } from "../../run/model/ledger.ts"
import { change, type Plan, without } from "../../view/plan-result.ts"
import { withoutPages } from "../../view/select/stack.ts"
import { createSlice } from "../../view/slice.ts"
import type { State } from "../../view/state.ts"
import type { View, ViewType } from "../../view/view.ts"

/** It stays while they are closed. */
interface Cursors {
  /** The view of time shows what is around the chosen turn: of the session under its cursor, null for that of now. */
  readonly isNear: boolean
  readonly timeTurn: number | null
  readonly ledgerBy: LedgerWay
  /** By what its rows are sorted, the largest first; null for the order in which they came. */
  readonly ledgerSort: LedgerSort | null
  /** The row under the ledger's cursor: rows keep their places. */
  readonly ledgerRow: number
  /** The turn under the cursor of the context; null for the latest, as is a turn of another session than is read. */
  readonly contextAt: TurnRef | null
  /** The first part of that turn that is shown. */
  readonly top: number
}

export const cursors = createSlice<Cursors>("cursors", {
  isNear: false,
  timeTurn: null,
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

/** Shows a view in the place of another, or closes it. */
export function toggleView(state: State, type: ViewType): Plan {
  const others = without(state, type)
  if (others.length < state.view.overlays.length) return change({ overlays: others })
  const left = { overlays: without(state, "waterfall", "ledger", "context", "why") }
  return change({ overlays: [...withoutPages(left), { type }] })
}
