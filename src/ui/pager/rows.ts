// Draws one row of a sheet: the part of a line that it shows, what was found in it, and what stands left of it.
import { type Line, type Span, span } from "../line.ts"
import type { Look } from "../look.ts"
import { fitting } from "../text.ts"
import { findIn, type PageSheet, type Range } from "./sheet.ts"

const nowhere: Range = { from: 0, to: 0 }

export function rowLine(sheet: PageSheet, index: number, row: number, here: boolean, look: Look): Line {
  const { text, reading } = sheet
  const at = sheet.lineAt(index)
  const { spans } = sheet.isClosed(at) ? text.closed(at) : text.line(at)
  const plain = text.plain(at)
  const range =
    (reading.wrap === false ? aside(plain, reading.side ?? 0, sheet.columns) : sheet.rangesAt(at)[row]) ?? nowhere
  const shown =
    reading.find === undefined ? cutOut(spans, range) : withHits(spans, range, plain, reading.find, hitAt(sheet, at))
  return { spans: [...gutter(sheet, at, row, look), ...shown], ...(here ? { selected: true } : {}) }
}

function gutter(sheet: PageSheet, at: number, row: number, look: Look): readonly Span[] {
  if (sheet.gutter === 0) return []
  const folds = sheet.folds ? 2 : 0
  const number = sheet.gutter === folds || row > 0 ? "" : String(sheet.text.number(at) ?? "")
  const columns = sheet.gutter - folds
  const { glyphs } = look
  const mark = row > 0 || sheet.text.end(at) === null ? " " : sheet.isClosed(at) ? glyphs.folded : glyphs.unfolded
  return [
    ...(columns > 0 ? [span(`${number.padStart(columns - 1)} `, "dim")] : []),
    ...(folds > 0 ? [span(`${mark} `, "accent")] : []),
  ]
}

/** What is seen of a line that is not wrapped. */
function aside(text: string, side: number, columns: number): Range {
  const from = side === 0 ? 0 : fitting(text, side).units
  return { from, to: from + fitting(text.slice(from, from + columns * 16), columns).units }
}

/** Where in this line the hit stands that was gone to last; null where it is another line's. */
function hitAt(sheet: PageSheet, at: number): number | null {
  const { find, hit } = sheet.reading
  if (find === undefined || hit === undefined) return null
  const hits = sheet.hits(find)
  return hits.line(hit) === at ? hits.at(hit) : null
}

/** The spans of one row, what was found in them marked; `range` is what the row shows of its line. */
function withHits(
  spans: readonly Span[],
  range: Range,
  plain: string,
  find: string,
  current: number | null,
): readonly Span[] {
  const shown: Span[] = []
  let place = range.from
  for (const from of findIn(plain, find)) {
    const to = from + find.length
    if (to <= place || from >= range.to) continue
    shown.push(...cutOut(spans, { from: place, to: from }))
    place = Math.min(to, range.to)
    const found = cutOut(spans, { from: Math.max(from, range.from), to: place })
    shown.push(...found.map(one => ({ ...one, hit: true, bold: from === current })))
  }
  return [...shown, ...cutOut(spans, { from: place, to: range.to })]
}

/** The part of the spans that stands between two places of their text. */
function cutOut(spans: readonly Span[], { from, to }: Range): readonly Span[] {
  const kept: Span[] = []
  let place = 0
  for (const one of spans) {
    const text = one.text.slice(Math.max(0, from - place), Math.max(0, to - place))
    if (text !== "") kept.push({ ...one, text })
    place += one.text.length
  }
  return kept
}
