// Computes the waterfall of an HTML export: what each session did, and when.
import { slice } from "../run/model/chunked-list.ts"
import type { Run } from "../run/model/run.ts"
import { type BarPiece, barPieces, runRange, type StageTimes, waterfallTurnOf } from "../run/select/waterfall.ts"

/** All fields may be shown. Times are ms since the run began. */
export interface Waterfall {
  readonly ms: number
  readonly states: readonly { readonly name: string; readonly at: number }[]
  readonly rows: readonly WaterfallRow[]
}

export interface WaterfallRow {
  readonly name: string
  readonly pieces: readonly BarPiece[]
  /** The figures of each turn, for readers who can't see the picture. */
  readonly turns: readonly { readonly turn: number; readonly from: number; readonly ms: StageTimes }[]
}

/** The waterfall of a run as it is now; null if no session had a time. `name` returns the name of a session. */
export function waterfallOf(
  run: Run,
  name: (session: number) => string,
  clean: (text: string) => string,
): Waterfall | null {
  const whole = runRange(run, null)
  if (whole === null) return null
  const rows = run.sessions.flatMap((session, index) => {
    const pieces = barPieces(run, index, whole.to).map(one => {
      return { ...one, from: one.from - whole.from, to: one.to - whole.from }
    })
    if (pieces.length === 0) return []
    const turns = Array.from({ length: session.turns }, (_, i) => waterfallTurnOf(run, index, i + 1, whole.to))
      .filter(turn => turn !== null)
      .map(({ turn, from, ms }) => ({ turn, from: from - whole.from, ms }))
    return [{ name: name(index), pieces, turns }]
  })
  const states = slice(run.stateEntries, 0, run.stateEntries.length).map(({ ids, ts }) => {
    return { name: clean(ids.at(-1) ?? ""), at: ts - whole.from }
  })
  return rows.length === 0 ? null : { ms: whole.to - whole.from, states, rows }
}
