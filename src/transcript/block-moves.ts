// Moves, folds and finds in a transcript. The cursor is a line, kept as an anchor: a row of a block.
import { FOLDINGS, foldBlock, folding, type Outline, type OutlineReading } from "../view/block-reading.ts"
import { clamp, stepOf } from "../view/cursor-step.ts"
import type { Move } from "../view/intent.ts"

type Change = Partial<OutlineReading>

/** The cursor moves with the page. */
export function moveBlocks(reading: OutlineReading, by: Move, blocks: Outline): Change {
  if (by.unit === "follow") return { at: null, first: null }
  const { length, rows, top } = blocks
  const lastTop = Math.max(0, length - rows)
  if (by.unit === "view") {
    const first = clamp(top + by.count, 0, lastTop)
    if (first === lastTop && by.count > 0) return { at: null, first: null }
    return goTo(blocks, clamp(cursorLine(reading, blocks), first, first + rows - 1), first)
  }
  const pages = by.unit === "half" || by.unit === "page"
  const facts = { page: rows, lines: length }
  const last = Math.max(0, length - 1)
  const from = cursorLine(reading, blocks)
  const step = stepOf(by, from, facts)
  const to = clamp(from + step, 0, last)
  if (to === last && to > from) return { at: null, first: null }
  return goTo(blocks, to, clamp(top + (pages ? step : 0), 0, lastTop))
}

/** To the beginning of the next or previous turn; null where there is none. */
export function turnBlocks(reading: OutlineReading, step: 1 | -1, outline: Outline): Change | null {
  const line = outline.turnFrom(cursorLine(reading, outline), step)
  if (line === null) return null
  const at = outline.anchorAt(line)
  return { at, first: at }
}

/** To the next or previous error; null where there is none. */
export function errorBlocks(reading: OutlineReading, step: 1 | -1, outline: Outline): Change | null {
  const line = outline.errorFrom(cursorLine(reading, outline), step)
  return line === null ? null : goTo(outline, line)
}

/** Folds or unfolds the card under the cursor, the cursor on its first line; or more blocks, or less. */
export function foldBlocks(reading: OutlineReading, to: "fold" | "unfold" | "all", blocks: Outline): Change {
  const { folds } = reading
  if (to === "all") return { folds: folding(FOLDINGS[(FOLDINGS.indexOf(folds.to) + 1) % FOLDINGS.length] ?? "done") }
  const anchor = blocks.anchorAt(cursorLine(reading, blocks))
  if (anchor === null) return {}
  const card = blocks.cardOf(anchor.block)
  const at = to === "fold" ? { block: card, row: 0 } : anchor
  // The first line shown stays, unless the folded block begins above it.
  const first = blocks.lineOf(at) < blocks.top ? at : blocks.anchorAt(blocks.top)
  return { folds: foldBlock(folds, card, to === "fold"), at, first }
}

/** Folds or unfolds the card of a line, and puts the cursor there. */
export function toggleCard(reading: OutlineReading, line: number, blocks: Outline): Change {
  const at = blocks.anchorAt(line)
  if (at === null) return {}
  return foldBlocks({ ...reading, at }, blocks.isClosed(blocks.cardOf(at.block)) ? "unfold" : "fold", blocks)
}

/** To the next or previous match, unfolding its block; null where there is none. */
export function findBlocks(reading: OutlineReading, find: string, step: 1 | -1, blocks: Outline): Change | null {
  const hit = blocks.hitFrom(find, cursorLine(reading, blocks), step)
  if (hit === null) return null
  const card = blocks.cardOf(hit.block)
  if (!blocks.isClosed(card)) return goTo(blocks, blocks.lineOf(hit))
  return { folds: foldBlock(reading.folds, card, false), at: hit, first: hit }
}

function cursorLine({ at }: OutlineReading, blocks: Outline): number {
  return at === null ? Math.max(0, blocks.length - 1) : blocks.lineOf(at)
}

/** Puts the cursor on a line; `top` moves only as far as needed. */
function goTo(blocks: Outline, line: number, top = blocks.top): Change {
  const { rows } = blocks
  const first = line < top ? line : line >= top + rows ? line - rows + 1 : top
  return { at: blocks.anchorAt(line), first: blocks.anchorAt(first) }
}
