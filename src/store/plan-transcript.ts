// Decides what a key in a transcript comes to: its cursor is a line, which is kept as a row of a block.
import type { Inspector } from "./inspector.ts"
import type { Facts, Move } from "./intent.ts"
import { foldBlock, type Outline } from "./outline.ts"
import { clamp, stepOf } from "./step.ts"

/** What changes of the inspector. */
type Change = Partial<Inspector>

export function moveTranscript(inspector: Inspector, by: Move, { page, outline }: Facts): Change {
  if (outline === undefined) return {}
  if (by.unit === "follow") return { at: null, first: null }
  const last = Math.max(0, outline.length - 1)
  const from = lineAt(inspector, outline)
  const to = clamp(from + stepOf(by, from, { page, lines: outline.length }), 0, last)
  return to === last && to > from ? { at: null, first: null } : goTo(outline, to)
}

/** To the beginning of the next turn, or of the one before; null where there is none. */
export function turnTranscript(inspector: Inspector, step: 1 | -1, { outline }: Facts): Change | null {
  const line = outline?.turnFrom(lineAt(inspector, outline), step) ?? null
  if (outline === undefined || line === null) return null
  const at = outline.spotAt(line)
  return { at, first: at }
}

/** To the next error, or the one before; null where there is none. */
export function errorTranscript(inspector: Inspector, step: 1 | -1, { outline }: Facts): Change | null {
  const line = outline?.errorFrom(lineAt(inspector, outline), step) ?? null
  return outline === undefined || line === null ? null : goTo(outline, line)
}

/** Folds the block under the cursor, a call together with its result; the cursor stands on the first line. Or all blocks, or none. */
export function foldTranscript(inspector: Inspector, to: "fold" | "unfold" | "all", { outline }: Facts): Change {
  const { folds } = inspector
  if (to === "all") return { folds: { all: !folds.all, except: [] } }
  const spot = outline?.spotAt(lineAt(inspector, outline)) ?? null
  if (spot === null || outline === undefined) return {}
  const card = outline.cardOf(spot.block)
  const at = to === "fold" ? { block: card, row: 0 } : spot
  return { folds: foldBlock(folds, card, to === "fold"), at }
}

/** To the next place of a text, or the one before, which is unfolded; null where it is nowhere. */
export function findTranscript(inspector: Inspector, find: string, step: 1 | -1, { outline }: Facts): Change | null {
  const hit = outline?.hitFrom(find, lineAt(inspector, outline), step) ?? null
  if (outline === undefined || hit === null) return null
  const folds = foldBlock(inspector.folds, outline.cardOf(hit.block), false)
  return folds === inspector.folds ? goTo(outline, outline.lineOf(hit)) : { folds, at: hit, first: hit }
}

function lineAt({ at }: Inspector, outline: Outline): number {
  return at === null ? Math.max(0, outline.length - 1) : outline.lineOf(at)
}

/** Puts the cursor on a line. What is shown moves only as far as it must. */
function goTo(outline: Outline, line: number): Change {
  const { rows, top } = outline
  const first = line < top ? line : line >= top + rows ? line - rows + 1 : top
  return { at: outline.spotAt(line), first: outline.spotAt(first) }
}
