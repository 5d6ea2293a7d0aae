// Keeps a page about a moment small: of a long waterfall, what is nearest to the moment.
import { type BarPiece, isFailure } from "../run/select/waterfall.ts"
import type { Waterfall } from "./waterfall-figure.ts"

/** Pieces of the bars of all sessions, turns of a session in the table, and states, at most. */
const PIECES = 2000
const TURNS = 6
const STATES = 100

/** The waterfall with what is nearest to its mark; of bars with very many pieces, the longest of each part. */
export function nearMark(waterfall: Waterfall): Waterfall {
  const { mark, states, rows } = waterfall
  const most = Math.floor(PIECES / rows.length)
  const isWhole =
    states.length <= STATES && rows.every(({ turns, pieces }) => turns.length <= TURNS && pieces.length <= most)
  if (isWhole) return waterfall
  return {
    ...waterfall,
    isWhole,
    states: nearest(states, STATES, ({ at }) => Math.abs(at - (mark ?? 0))),
    rows: rows.map(({ name, pieces, turns }) => ({
      name,
      pieces: longest(pieces, most),
      turns: nearest(turns, TURNS, ({ from }) => Math.abs(from - (mark ?? 0))),
    })),
  }
}

/** The nearest of a list, in its order. */
function nearest<T>(list: readonly T[], most: number, distance: (one: T) => number): readonly T[] {
  if (list.length <= most) return list
  const kept = new Set(list.toSorted((a, b) => distance(a) - distance(b)).slice(0, most))
  return list.filter(one => kept.has(one))
}

/** At most this many pieces, each for several neighbours: the first failure, else the longest. */
function longest(pieces: readonly BarPiece[], most: number): readonly BarPiece[] {
  if (pieces.length <= most) return pieces
  const size = Math.ceil(pieces.length / most)
  return Array.from({ length: Math.ceil(pieces.length / size) }, (_, i) => {
    const part = pieces.slice(i * size, (i + 1) * size)
    const weight = ({ kind, from, to }: BarPiece): number => (isFailure(kind) ? Infinity : to - from)
    const shown = part.reduce((best, one) => (weight(one) > weight(best) ? one : best))
    return isFailure(shown.kind)
      ? shown
      : { ...shown, from: part[0]?.from ?? shown.from, to: part.at(-1)?.to ?? shown.to }
  })
}
