// Decides what the keys do in an overlay of text: moving, searching, folding, and how its lines lie.
import { keyOf } from "../../../keys/key-text.ts"
import { clamp, stepOf } from "../../../view/cursor-step.ts"
import type { Direction, Fold, Move } from "../../../view/intent.ts"
import { both, change, nothing, notice, type Plan, replacing, type ViewContext } from "../../../view/plan-result.ts"
import type { PagerReading, Sheet } from "../../../view/reading.ts"
import { overlayInFront } from "../../../view/select/stack.ts"
import type { State } from "../../../view/state.ts"
import type { Page } from "../../../view/view.ts"
import { search } from "../keys.ts"
import { above, below, isBefore, lastTop, type ReadingPlace, showing, topOf } from "./reading-place.ts"

/** The overlay of text in front, null where something else is. */
export function pageOf({ view }: Pick<State, "view">): Page | null {
  const overlay = overlayInFront(view)
  return overlay !== undefined && "top" in overlay ? overlay : null
}

/** Moves the cursor of a text that folds; scrolls any other. */
export function moveReading(state: State, page: Page, by: Move, { sheet }: ViewContext): Plan {
  if (sheet === undefined || sheet.length === 0) return nothing
  const top = topOf(sheet, page)
  const count = stepOf(by, Infinity, { page: sheet.rows, lines: Infinity })
  // The end stays in sight while the text grows.
  if (!sheet.folds && count === Infinity) return read(state, page, { top: Number.MAX_SAFE_INTEGER, row: 0 })
  if (!sheet.folds) return read(state, page, placed(sheet, topAfter(sheet, top, count)))
  const at = pagerCursor(sheet, page, top)
  if (by.unit === "row" && Math.abs(count) === 1) return read(state, page, stepped(sheet, top, at, count))
  const to = by.unit === "row" ? at + count : rowsOn(sheet, { index: at, row: 0 }, count).index
  const index = clamp(to, 0, sheet.length - 1)
  return read(state, page, placed(sheet, showing(sheet, topAfter(sheet, top, count), index), index))
}

/** The cursor one line on; a line that goes on beyond the page is read first. */
function stepped(sheet: Sheet, top: ReadingPlace, at: number, count: number): Partial<PagerReading> {
  const end = { index: at, row: sheet.rowsAt(at) - 1 }
  const hidden = count > 0 ? isBefore(below(sheet, top, sheet.rows - 1), end) : isBefore({ index: at, row: 0 }, top)
  if (hidden && at >= top.index) return placed(sheet, topAfter(sheet, top, count), at)
  const index = clamp(at + count, 0, sheet.length - 1)
  return placed(sheet, showing(sheet, top, index), index)
}

/** To the next hit of what is searched for in a page, or the one before. */
export function stepInPager(state: State, page: Page, step: Direction, context: ViewContext): Plan {
  if (page.find === undefined)
    return notice(`No search yet. ${keyOf(state.view, search)} starts one`, "info", context.now)
  // Of a text that was opened with something to find no hit was gone to yet.
  return page.hit === undefined && step > 0
    ? findInPager(state, page, page.find, context)
    : toHit(state, page, page.find, (page.hit ?? 0) + step, context)
}

/** Searches for a text; the first hit from what is shown on is gone to. Empty ends the search. */
export function findInPager(state: State, page: Page, query: string, context: ViewContext): Plan {
  const { sheet } = context
  if (sheet === undefined || query === "") return read(state, page, { find: undefined, hit: undefined })
  const shown = page.cursor ?? sheet.lineAt(topOf(sheet, page).index)
  return toHit(state, page, query, sheet.hits(query).from(shown), context)
}

function toHit(state: State, page: Page, find: string, wanted: number, { sheet, now }: ViewContext): Plan {
  if (sheet === undefined) return nothing
  const hits = sheet.hits(find)
  if (hits.count === 0) {
    return both(read(state, page, { find, hit: undefined }), notice(`No match for ${find}`, "warning", now))
  }
  const hit = ((wanted % hits.count) + hits.count) % hits.count
  const line = hits.line(hit)
  const row = sheet.rowOf(line, hits.at(hit))
  const folded = page.folded?.filter(head => head >= line || (sheet.endOf(head) ?? head) < line)
  const opened = folded?.length !== page.folded?.length
  const top = topOf(sheet, page)
  const place = { index: sheet.indexOf(line), row }
  const isSeen = !opened && !isBefore(place, top) && !isBefore(below(sheet, top, sheet.rows - 1), place)
  // What the hit stands in is seen above it; behind a fold that opens, lines have no place yet.
  const shown = opened ? { top: line, row } : placed(sheet, above(sheet, place, Math.floor(sheet.rows / 3)))
  return read(state, page, { ...(!isSeen && shown), find, hit, folded, ...(sheet.folds ? { cursor: line } : {}) })
}

/** `h`, `l` and `z`: folds. */
export function foldReading(state: State, page: Page, to: Fold, { sheet }: ViewContext): Plan {
  if (sheet?.folds !== true) return nothing
  const folded = page.folded ?? []
  if (to === "all") {
    // The outermost fold would hide everything, and the line of the cursor may be hidden.
    const inner = sheet.heads().slice(1)
    const start = page.cursor === undefined ? {} : { cursor: 0, top: 0, row: 0 }
    return read(state, page, { folded: folded.length > 0 ? [] : inner, ...start })
  }
  const cursor = sheet.lineAt(pagerCursor(sheet, page, topOf(sheet, page)))
  if (to === "unfold") return read(state, page, { folded: folded.filter(head => head !== cursor), cursor })
  const isOpenHead = sheet.endOf(cursor) !== null && !folded.includes(cursor)
  const head = isOpenHead ? cursor : sheet.headOf(cursor)
  if (head === null) return nothing
  const top = head < page.top ? { top: head, row: 0 } : {}
  return read(state, page, { folded: [...folded, head], cursor: head, ...top })
}

/** The index of the line under the cursor; the first shown where none was chosen. */
export function pagerCursor(sheet: Sheet, reading: PagerReading, top: ReadingPlace): number {
  return reading.cursor === undefined ? top.index : Math.min(sheet.indexOf(reading.cursor), sheet.length - 1)
}

/** The row `count` rows on; an infinite count leads to an end at once. */
function rowsOn(sheet: Sheet, from: ReadingPlace, count: number): ReadingPlace {
  if (count === -Infinity) return { index: 0, row: 0 }
  if (count === Infinity) return { index: sheet.length - 1, row: sheet.rowsAt(sheet.length - 1) - 1 }
  return count < 0 ? above(sheet, from, -count) : below(sheet, from, count)
}

function topAfter(sheet: Sheet, top: ReadingPlace, count: number): ReadingPlace {
  const [to, last] = [rowsOn(sheet, top, count), lastTop(sheet)]
  return isBefore(last, to) ? last : to
}

/** The text from this place on, with the cursor on the line at `cursor`. */
function placed(sheet: Sheet, { index, row }: ReadingPlace, cursor?: number): Partial<PagerReading> {
  return { top: sheet.lineAt(index), row, ...(cursor !== undefined && { cursor: sheet.lineAt(cursor) }) }
}

function read(state: State, page: Page, reading: Partial<PagerReading>): Plan {
  return change({ overlays: replacing(state, { ...page, ...reading }) })
}
