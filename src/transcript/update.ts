// Decides what a key in a text of blocks comes to: its cursor is a line, which is kept as a row of a block.

import { type BlockReading, type BlockText, foldBlock, type Outline } from "../view/block-reading.ts"
import { clamp, stepOf } from "../view/cursor-step.ts"
import type { Move } from "../view/intent.ts"

/** What changes of the reading. */
type Change = Partial<BlockReading>

/** A text that folds has a cursor, which pages take along; any other is only scrolled. */
export function moveBlocks(reading: BlockReading, by: Move, blocks: BlockText): Change {
  if (by.unit === "follow") return { at: null, first: null }
  const { length, rows, top } = blocks
  const lastTop = Math.max(0, length - rows)
  const pages = by.unit === "half" || by.unit === "page"
  const facts = { page: rows, lines: length }
  if (!blocks.folds) {
    const to = clamp(top + stepOf(by, top, facts), 0, lastTop)
    return { at: null, first: to === lastTop && to >= top ? null : blocks.spotAt(to) }
  }
  const last = Math.max(0, length - 1)
  const from = lineAt(reading, by, blocks)
  const step = stepOf(by, from, facts)
  const to = clamp(from + step, 0, last)
  if (to === last && to > from) return { at: null, first: null }
  return goTo(blocks, to, clamp(top + (pages ? step : 0), 0, lastTop))
}

/** To the beginning of the next turn, or of the one before; null where there is none. */
export function turnBlocks(reading: BlockReading, step: 1 | -1, outline: Outline): Change | null {
  const line = outline.turnFrom(cursorLine(reading, outline), step)
  if (line === null) return null
  const at = outline.spotAt(line)
  return { at, first: at }
}

/** To the next error, or the one before; null where there is none. */
export function errorBlocks(reading: BlockReading, step: 1 | -1, outline: Outline): Change | null {
  const line = outline.errorFrom(cursorLine(reading, outline), step)
  return line === null ? null : goTo(outline, line)
}

/** Folds the block under the cursor, a call together with its result; the cursor stands on the first line. Or all blocks, or none. */
export function foldBlocks(reading: BlockReading, to: "fold" | "unfold" | "all", blocks: BlockText): Change {
  const { folds } = reading
  if (to === "all") return { folds: { all: !folds.all, except: [] } }
  const line = foldLine(reading, blocks)
  const spot = line === null ? null : blocks.spotAt(line)
  const card = spot === null ? null : blocks.cardOf(spot.block)
  if (spot === null || card === null) return {}
  const at = to === "fold" ? { block: card, row: 0 } : spot
  // What is shown stays, but for a block that begins above it.
  const first = blocks.lineOf(at) < blocks.top ? at : blocks.spotAt(blocks.top)
  return { folds: foldBlock(folds, card, to === "fold"), at, first }
}

/** The line under the cursor; without one the lowest that is shown and folds. */
function foldLine(reading: BlockReading, blocks: BlockText): number | null {
  if (reading.at !== null) return blocks.lineOf(reading.at)
  const { top, rows, length } = blocks
  for (let line = Math.min(top + rows, length) - 1; line >= top; line--) {
    const spot = blocks.spotAt(line)
    if (spot !== null && blocks.cardOf(spot.block) !== null) return line
  }
  return null
}

/** To the next place of a text, or the one before, which is unfolded; null where it is nowhere. */
export function findBlocks(reading: BlockReading, find: string, step: 1 | -1, outline: Outline): Change | null {
  const hit = outline.hitFrom(find, cursorLine(reading, outline), step)
  if (hit === null) return null
  const folds = foldBlock(reading.folds, outline.cardOf(hit.block) ?? hit.block, false)
  return folds === reading.folds ? goTo(outline, outline.lineOf(hit)) : { folds, at: hit, first: hit }
}

function cursorLine({ at }: BlockReading, blocks: BlockText): number {
  return at === null ? Math.max(0, blocks.length - 1) : blocks.lineOf(at)
}

/** Where a move begins: without a cursor at the edge of what is shown, so that what was scrolled to stays. */
function lineAt(reading: BlockReading, by: Move, blocks: BlockText): number {
  if (reading.at !== null || reading.first === null) return cursorLine(reading, blocks)
  const isUp = "count" in by && by.count < 0
  return isUp ? blocks.top : Math.min(blocks.top + blocks.rows, blocks.length) - 1
}

/** Puts the cursor on a line. What is shown from `top` on moves only as far as it must. */
function goTo(blocks: BlockText, line: number, top = blocks.top): Change {
  const { rows } = blocks
  const first = line < top ? line : line >= top + rows ? line - rows + 1 : top
  return { at: blocks.spotAt(line), first: blocks.spotAt(first) }
}
