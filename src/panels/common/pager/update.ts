// Decides what the keys do in an overlay of text: moving, searching, folding, and how its lines lie.
import type { Direction, Fold, Move } from "../../../view/intent.ts"
import { both, change, nothing, notice, type Plan } from "../../../view/plan-result.ts"
import {
  above,
  below,
  isBefore,
  lastTop,
  type PagerReading,
  type ReadingPlace,
  type Sheet,
  showing,
  topOf,
} from "../../../view/reading.ts"
import type { State } from "../../../view/state.ts"
import type { Page } from "../../../view/view.ts"
import type { ViewContext } from "../../../view/view-context.ts"
import type { SomeUpdates } from "../updates.ts"

/** Columns that a text moves sideways where it is not wrapped. */
const SIDEWAYS = 16

/** The overlay of text in front, null where something else is. */
export function pageOf(state: State): Page | null {
  const overlay = state.view.overlays.at(-1)
  return overlay !== undefined && "top" in overlay ? overlay : null
}

export function moveReading(state: State, page: Page, by: Move, { sheet }: ViewContext): Plan {
  if (sheet === undefined || sheet.length === 0) return nothing
  const top = topOf(sheet, page)
  const count = rowsOf(by, sheet.rows)
  if (!sheet.folds) return read(state, page, placed(sheet, moved(sheet, top, count)))
  const at = pagerCursor(sheet, page, top)
  if (by.unit === "row" && Math.abs(by.count) === 1) return step(state, page, sheet, top, at, by.count)
  const index = by.unit === "row" ? clamp(at + count, 0, sheet.length - 1) : far(sheet, { index: at, row: 0 }, count)
  return read(state, page, { ...placed(sheet, showing(sheet, moved(sheet, top, count), index)), ...on(sheet, index) })
}

/** One line on; a line that goes on beyond the page is read first. */
function step(state: State, page: Page, sheet: Sheet, top: ReadingPlace, at: number, count: number): Plan {
  const end = { index: at, row: sheet.rowsAt(at) - 1 }
  const hidden = count > 0 ? isBefore(below(sheet, top, sheet.rows - 1), end) : isBefore({ index: at, row: 0 }, top)
  if (hidden && at >= top.index)
    return read(state, page, { ...placed(sheet, moved(sheet, top, count)), ...on(sheet, at) })
  const index = clamp(at + count, 0, sheet.length - 1)
  return read(state, page, { ...placed(sheet, showing(sheet, top, index)), ...on(sheet, index) })
}

export const pagerUpdates = {
  "pager/wrap": state => {
    const page = pageOf(state)
    return page === null ? nothing : read(state, page, { wrap: page.wrap === false, side: 0, row: 0 })
  },
  "pager/numbers": state => {
    const page = pageOf(state)
    return page === null ? nothing : read(state, page, { numbers: page.numbers !== true })
  },
} satisfies SomeUpdates

/** To the next hit of what is searched for in a page, or the one before. */
export function stepInPager(state: State, page: Page, step: Direction, context: ViewContext): Plan {
  if (page.find === undefined) return notice("No search yet: / begins one", "info", context.now)
  // Of a text that was opened with something to find no hit was gone to yet.
  return page.hit === undefined && step > 0
    ? findInPager(state, page, page.find, context)
    : toHit(state, page, page.find, (page.hit ?? 0) + step, context)
}

/** Searches for a text; the first hit from what is shown on is gone to. Empty ends the search. */
export function findInPager(state: State, page: Page, query: string, facts: ViewContext): Plan {
  const { sheet } = facts
  if (sheet === undefined || query === "") return read(state, page, { find: undefined, hit: undefined })
  return toHit(state, page, query, sheet.hits(query).from(page.cursor ?? page.top), facts)
}

function toHit(state: State, page: Page, find: string, wanted: number, { sheet, now }: ViewContext): Plan {
  if (sheet === undefined) return nothing
  const hits = sheet.hits(find)
  if (hits.count === 0) {
    return both(read(state, page, { find, hit: undefined }), notice(`Not found: ${find}`, "warning", now))
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
  const change = isSeen
    ? {}
    : opened
      ? { top: line, row }
      : placed(sheet, above(sheet, place, Math.floor(sheet.rows / 3)))
  return read(state, page, { ...change, find, hit, folded, ...(sheet.folds ? { cursor: line } : {}) })
}

/** `h`, `l` and `z`: folds; a text that is not wrapped moves sideways instead. */
export function foldReading(state: State, page: Page, to: Fold, { sheet }: ViewContext): Plan {
  if (sheet === undefined) return nothing
  if (page.wrap === false && to !== "all") {
    return read(state, page, { side: Math.max(0, (page.side ?? 0) + (to === "fold" ? -SIDEWAYS : SIDEWAYS)) })
  }
  if (!sheet.folds) return nothing
  const folded = page.folded ?? []
  if (to === "all") {
    // The outermost fold would hide everything.
    const inner = sheet.heads().slice(1)
    return read(state, page, { folded: folded.length > 0 ? [] : inner, ...onto(sheet, page, 0) })
  }
  const cursor = sheet.lineAt(pagerCursor(sheet, page, topOf(sheet, page)))
  if (to === "unfold") return read(state, page, { folded: folded.filter(head => head !== cursor), cursor })
  const isOpenHead = sheet.endOf(cursor) !== null && !folded.includes(cursor)
  const head = isOpenHead ? cursor : sheet.headOf(cursor)
  if (head === null) return nothing
  return read(state, page, {
    folded: [...folded, head],
    cursor: head,
    ...(head < page.top ? { top: head, row: 0 } : {}),
  })
}

/** Where everything is folded the cursor stands at the top, since its line may be hidden. */
function onto(sheet: Sheet, page: Page, line: number): Partial<PagerReading> {
  return page.cursor === undefined || sheet.length === 0 ? {} : { cursor: line, top: 0, row: 0 }
}

/** The index of the line under the cursor; the first shown where none was chosen. */
export function pagerCursor(sheet: Sheet, reading: PagerReading, top: ReadingPlace): number {
  return reading.cursor === undefined ? top.index : Math.min(sheet.indexOf(reading.cursor), sheet.length - 1)
}

function moved(sheet: Sheet, from: ReadingPlace, count: number): ReadingPlace {
  const last = lastTop(sheet)
  if (count === Infinity) return last
  if (count === -Infinity) return { index: 0, row: 0 }
  const to = count < 0 ? above(sheet, from, -count) : below(sheet, from, count)
  return isBefore(last, to) ? last : to
}

function far(sheet: Sheet, from: ReadingPlace, count: number): number {
  if (count === Infinity) return sheet.length - 1
  if (count === -Infinity) return 0
  return (count < 0 ? above(sheet, from, -count) : below(sheet, from, count)).index
}

function rowsOf(by: Move, page: number): number {
  switch (by.unit) {
    case "row":
      return by.count
    case "half":
      return by.count * Math.max(1, Math.floor(page / 2))
    case "page":
      return by.count * Math.max(1, page - 1)
    case "first":
      return -Infinity
    case "last":
    case "follow":
      return Infinity
  }
}

function placed(sheet: Sheet, { index, row }: ReadingPlace): Pick<PagerReading, "top" | "row"> {
  return { top: sheet.lineAt(index), row }
}

function on(sheet: Sheet, index: number): Partial<PagerReading> {
  return { cursor: sheet.lineAt(index) }
}

function read(state: State, page: Page, reading: Partial<PagerReading>): Plan {
  return change({ overlays: [...state.view.overlays.slice(0, -1), { ...page, ...reading }] })
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value))
}
