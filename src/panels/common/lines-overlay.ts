// Makes overlays that draw their lines themselves: views of the list, and texts of the reader.
import type { TurnRef } from "../../run/model/id.ts"
import type { LedgerSort, LedgerWay } from "../../run/model/ledger.ts"
import { type WaterfallViewport, wholeViewport } from "../../run/select/waterfall.ts"
import type { Line } from "../../ui/line.ts"
import { clamp, stepOf } from "../../view/cursor-step.ts"
import { change, type Plan, without } from "../../view/plan-result.ts"
import { createSlice } from "../../view/slice.ts"
import type { State } from "../../view/state.ts"
import type { View, ViewType } from "../../view/view.ts"
import type { LinesPanel, PanelCommand, Place } from "./panel.ts"

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

/** An overlay that a panel draws and moves in. */
export function linesOverlay(panel: LinesPanel) {
  return { drawn: { type: "lines", panel } as const, front: () => panel }
}

/** Shows a view in the place of another, or closes it. */
export function toggleView(state: State, type: ViewType): Plan {
  const others = without(state, type)
  if (others.length < state.view.overlays.length) return change({ overlays: others })
  return change({ overlays: [...without(state, "waterfall", "ledger", "context", "why"), { type }] })
}

/** The word of the palette that opens a view. */
export function viewCommand(type: ViewType, title: string, words: string): PanelCommand {
  return { title, words, run: state => toggleView(state, type) }
}

/** A panel that shows its lines from `cursors.top` on. */
export function scrolledLines(
  scope: ViewType,
  name: string,
  title: LinesPanel["title"],
  lines: (state: State, place: Place) => readonly Line[],
): LinesPanel {
  return {
    scope,
    name,
    move({ view }, by, context) {
      const last = Math.max(0, context.lines - context.page)
      const { top } = cursors.of(view)
      return alter(view, { top: clamp(top + stepOf(by, top, context), 0, last) })
    },
    measure: (state, place) => ({ page: place.rows, lines: lines(state, place).length }),
    title,
    seen: (state, place) => {
      const { length } = lines(state, place)
      return { top: cursors.of(state.view).top, rows: place.rows, length }
    },
    lines(state, place) {
      const { top } = cursors.of(state.view)
      return lines(state, place).slice(top, top + place.rows)
    },
  }
}
