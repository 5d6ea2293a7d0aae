// Moves, folds and finds in a text of blocks. The cursor is a line, kept as an anchor: a row of a block.
import { type BlockReading, type BlockText, foldBlock, type Outline } from "../view/block-reading.ts"
import { clamp, stepOf } from "../view/cursor-step.ts"
import type { Move } from "../view/intent.ts"

type Change = Partial<BlockReading>

/** A text that folds has a cursor, which moves with the page; any other text only scrolls. */
export function moveBlocks(reading: BlockReading, by: Move, blocks: BlockText): Change {
  if (by.unit === "follow") return { at: null, first: null }
  const { length, rows, top } = blocks
  const lastTop = Math.max(0, length - rows)
  const pages = by.unit === "half" || by.unit === "page"
  const facts = { page: rows, lines: length }
  if (!blocks.folds) {
    const to = clamp(top + stepOf(by, top, facts), 0, lastTop)
    return { at: null, first: to === lastTop && to >= top ? null : blocks.anchorAt(to) }
  }
  const last = Math.max(0, length - 1)
  const from = lineAt(reading, by, blocks)
  const step = stepOf(by, from, facts)
  const to = clamp(from + step, 0, last)
  if (to === last && to > from) return { at: null, first: null }
  return goTo(blocks, to, clamp(top + (pages ? step : 0), 0, lastTop))
}

/** To the beginning of the next or previous turn; null where there is none. */
export function turnBlocks(reading: BlockReading, step: 1 | -1, outline: Outline): Change | null {
  const line = outline.turnFrom(cursorLine(reading, outline), step)
  if (line === null) return null
  const at = outline.anchorAt(line)
  return { at, first: at }
}

/** To the next or previous error; null where there is none. */
export function errorBlocks(reading: BlockReading, step: 1 | -1, outline: Outline): Change | null {
  const line = outline.errorFrom(cursorLine(reading, outline), step)
  return line === null ? null : goTo(outline, line)
}

/** Folds or unfolds the card under the cursor, and puts the cursor on its first line; or folds all blocks, or none. */
export function foldBlocks(reading: BlockReading, to: "fold" | "unfold" | "all", blocks: BlockText): Change {
  const { folds } = reading
  if (to === "all") return { folds: { all: !folds.all, except: [] } }
  const line = foldLine(reading, blocks)
  const anchor = line === null ? null : blocks.anchorAt(line)
  const card = anchor === null ? null : blocks.cardOf(anchor.block)
  if (anchor === null || card === null) return {}
  const at = to === "fold" ? { block: card, row: 0 } : anchor
  // The first line shown stays, unless the folded block begins above it.
  const first = blocks.lineOf(at) < blocks.top ? at : blocks.anchorAt(blocks.top)
  return { folds: foldBlock(folds, card, to === "fold"), at, first }
}

/** The line under the cursor; without a cursor the lowest visible line of a block that folds. */
function foldLine(reading: BlockReading, blocks: BlockText): number | null {
  if (reading.at !== null) return blocks.lineOf(reading.at)
  const { top, rows, length } = blocks
  for (let line = Math.min(top + rows, length) - 1; line >= top; line--) {
    const anchor = blocks.anchorAt(line)
    if (anchor !== null && blocks.cardOf(anchor.block) !== null) return line
  }
  return null
}

/** To the next or previous match, unfolding its block; null where there is none. */
export function findBlocks(reading: BlockReading, find: string, step: 1 | -1, blocks: BlockText): Change | null {
  const hit = blocks.hitFrom(find, cursorLine(reading, blocks), step)
  if (hit === null) return null
  const folds = foldBlock(reading.folds, blocks.cardOf(hit.block) ?? hit.block, false)
  return folds === reading.folds ? goTo(blocks, blocks.lineOf(hit)) : { folds, at: hit, first: hit }
}

function cursorLine({ at }: BlockReading, blocks: BlockText): number {
  return at === null ? Math.max(0, blocks.length - 1) : blocks.lineOf(at)
}

/** Where a move begins: without a cursor at the edge of the visible lines, so that the text does not jump. */
function lineAt(reading: BlockReading, by: Move, blocks: BlockText): number {
  if (reading.at !== null || reading.first === null) return cursorLine(reading, blocks)
  const isUp = "count" in by && by.count < 0
  return isUp ? blocks.top : Math.min(blocks.top + blocks.rows, blocks.length) - 1
}

/** Puts the cursor on a line; `top` moves only as far as needed. */
function goTo(blocks: BlockText, line: number, top = blocks.top): Change {
  const { rows } = blocks
  const first = line < top ? line : line >= top + rows ? line - rows + 1 : top
  return { at: blocks.anchorAt(line), first: blocks.anchorAt(first) }
}
