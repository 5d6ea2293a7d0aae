// Lays out a row of the list: the name, what is done now, and at the right end what is known in figures.
import type { Fullness } from "../../run/select/figures.ts"
import type { Glyphs } from "../../ui/glyphs.ts"
import { ends, lineWidth, type RenderContext, type Span, span } from "../../ui/line.ts"
import { duration, pad, rateWords } from "../../ui/text-width.ts"

/** Columns of a row, of its name with the marks before it, and of its lane; 0 where lanes have no room. */
export type Columns = Readonly<ReturnType<typeof columnsFor>>

/** Columns of a row from which there is room for a rate or an order, and for a bar beside a percent. */
export const RATE_FROM = 50
const BAR_FROM = 60
const CELL = 7
const BAR_CELLS = 5
const PERCENT = 5
/** The smallest share that fills a cell of the bar; smaller ones are not drawn. */
const TOLD_FROM = 0.1
/** Columns of a context, a rate and a time. */
const FIGURES = 1 + BAR_CELLS + PERCENT + 2 * CELL
/** From this many columns on, a row has a lane: the list's share of a terminal of 160 columns. */
const LANE_FROM = 84

/** A name has nine columns where there are few, and twenty at most. */
export function columnsFor(row: number, hasLanes = true) {
  const name = row < RATE_FROM ? 12 : Math.min(23, Math.max(row < BAR_FROM ? 15 : 17, Math.floor(row * 0.17)))
  return { row, name, lane: row < LANE_FROM || !hasLanes ? 0 : Math.floor(row * 0.27) }
}

/** The column at which lanes begin. */
export function laneStart({ row, lane }: Columns): number {
  return row - FIGURES - lane
}

/** What is known of a row in figures; null for what is unknown. */
export interface RowCells {
  /** Tokens per second, of what streams. */
  readonly rate: number | null
  /** Ms of the turn. */
  readonly ms: number | null
  readonly fullness: Fullness | null
  /** Of the lane's columns; empty where rows have none. */
  readonly lane: readonly Span[]
}

/** A row of exactly so many columns. What is done now has all that name and figures leave, and is cut at its end. */
export function rowOf(
  columns: Columns,
  name: readonly Span[],
  now: (columns: number) => readonly Span[],
  figures: RowCells,
  { glyphs }: RenderContext,
): readonly Span[] {
  const fill = (spans: readonly Span[], room: number) => ends(spans, [], room, glyphs.ellipsis)
  const known = figureSpans(figures, columns.row, glyphs)
  const gap = span(" ".repeat(Math.max(0, FIGURES - lineWidth(known))))
  const right = columns.lane === 0 ? known : [span(" "), ...fill(figures.lane, columns.lane), gap, ...known]
  const room = Math.max(0, columns.row - columns.name - 1 - lineWidth(right))
  return [...fill(name, columns.name), span(" "), ...fill(now(room), room), ...right]
}

function figureSpans({ rate, ms, fullness }: RowCells, row: number, glyphs: Glyphs): readonly Span[] {
  const cell = (words: string) => span(pad(words, CELL, "right", glyphs.ellipsis), "dim")
  const context = contextSpans(fullness, row, glyphs)
  const hasRate = row >= RATE_FROM && (rate !== null || context.length > 0)
  return [
    ...context,
    ...(hasRate ? [cell(rate === null ? "" : rateWords(rate))] : []),
    cell(ms === null ? "" : duration(ms)),
  ]
}

/** How full the context is, as a bar and in percent; nothing where the share is unknown. */
function contextSpans(used: Fullness | null, row: number, glyphs: Glyphs): readonly Span[] {
  if (used === null || "tokens" in used || used.fraction < TOLD_FROM) return []
  const full = Math.round(Math.min(1, Math.max(0, used.fraction)) * BAR_CELLS)
  const bar = row < BAR_FROM ? "" : ` ${glyphs.cell.repeat(full)}${glyphs.noCell.repeat(BAR_CELLS - full)}`
  return [span(`${bar}${pad(`${Math.round(used.fraction * 100)}%`, PERCENT, "right")}`, used.isHigh ? "warn" : "dim")]
}
