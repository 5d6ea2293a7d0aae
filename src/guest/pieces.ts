// Divides lines into pieces, so that keys, frames and timers get their turn between them.
import type { TimedLine } from "./guest-parser.ts"

/** UTF-16 units of lines that are parsed in a few ms, unless a single line is longer. */
export const PIECE_UNITS = 64 * 1024
/** The cost of a line beside its text, UTF-16 units. */
const LINE_COST = 128

/** `units`: the cost of the lines. */
export type Piece = { readonly lines: readonly TimedLine[]; readonly units: number }

/** The lines in order. */
export function* pieces(lines: readonly TimedLine[]): Generator<Piece> {
  let from = 0
  let units = 0
  for (const [index, { text }] of lines.entries()) {
    units += text.length + LINE_COST
    if (units < PIECE_UNITS && index < lines.length - 1) continue
    yield { lines: lines.slice(from, index + 1), units }
    from = index + 1
    units = 0
  }
}

/** Resolves after timers, keys and signals had their turn. */
export const turn = (): Promise<void> => new Promise(done => setImmediate(done))
