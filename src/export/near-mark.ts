// Keeps a page about a moment small: the part of a long waterfall nearest to the moment.
import type { Waterfall } from "./waterfall-figure.ts"

/** Pieces of the bars of all sessions, turns of a session in the table, and states, at most. */
const PIECES = 2000
const TURNS = 6
const STATES = 100

/** The part of the waterfall nearest to its mark. */
export function nearMark(waterfall: Waterfall): Waterfall {
  const { mark, states, rows } = waterfall
  const most = Math.floor(PIECES / rows.length)
  const isWhole =
    states.length <= STATES && rows.every(({ turns, pieces }) => turns.length <= TURNS && pieces.length <= most)
  if (isWhole) return waterfall
  const distance = ({ from }: { readonly from: number }): number => Math.abs(from - (mark ?? 0))
  return {
    ...waterfall,
    isWhole,
    states: nearest(states, STATES, ({ at }) => Math.abs(at - (mark ?? 0))),
    rows: rows.map(({ name, pieces, turns }) => ({
      name,
      pieces: nearest(pieces, most, distance),
      turns: nearest(turns, TURNS, distance),
    })),
  }
}

/** The nearest of a list, in its order. */
function nearest<T>(list: readonly T[], most: number, distance: (one: T) => number): readonly T[] {
  if (list.length <= most) return list
  const kept = new Set(list.toSorted((a, b) => distance(a) - distance(b)).slice(0, most))
  return list.filter(one => kept.has(one))
}
