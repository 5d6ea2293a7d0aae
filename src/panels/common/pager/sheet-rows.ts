// Draws one row of a pager: its part of a line, with the matches marked and the gutter on the left.
import type { Glyphs } from "../../../ui/glyphs.ts"
import { type Line, type Span, span } from "../../../ui/line.ts"
import { cutOut, hitRanges, markHits, type Range } from "../../../ui/mark-hits.ts"
import type { RenderContext } from "../../../ui/render-context.ts"
import { fitting } from "../../../ui/text-width.ts"
import type { PageSheet } from "./sheet.ts"

const nowhere: Range = { from: 0, to: 0 }

export function rowLine(sheet: PageSheet, index: number, row: number, here: boolean, { glyphs }: RenderContext): Line {
  const { text, reading } = sheet
  const at = sheet.lineAt(index)
  const { spans } = sheet.isClosed(at) ? text.closed(at) : text.line(at)
  const plain = text.plain(at)
  const range =
    (reading.wrap === false ? aside(plain, reading.side ?? 0, sheet.columns) : sheet.rangesAt(at)[row]) ?? nowhere
  const { find } = reading
  const places = find === undefined ? [] : hitRanges(plain, find).map(from => ({ from, to: from + find.length }))
  const shown = places.length === 0 ? cutOut(spans, range) : markHits(spans, range, places, hitAt(sheet, at))
  return { spans: [...gutter(sheet, at, row, glyphs), ...shown], ...(here ? { selected: true } : {}) }
}

function gutter(sheet: PageSheet, at: number, row: number, glyphs: Glyphs): readonly Span[] {
  if (sheet.gutter === 0) return []
  const folds = sheet.folds ? 2 : 0
  const number = sheet.gutter === folds || row > 0 ? "" : String(sheet.text.number(at) ?? "")
  const columns = sheet.gutter - folds
  const mark = row > 0 || sheet.text.end(at) === null ? " " : sheet.isClosed(at) ? glyphs.folded : glyphs.unfolded
  return [
    ...(columns > 0 ? [span(`${number.padStart(columns - 1)} `, "dim")] : []),
    ...(folds > 0 ? [span(`${mark} `, "accent")] : []),
  ]
}

function aside(text: string, side: number, columns: number): Range {
  const from = side === 0 ? 0 : fitting(text, side).units
  return { from, to: from + fitting(text.slice(from, from + columns * 16), columns).units }
}

/** The place of the current hit; null if it is in another line. */
function hitAt(sheet: PageSheet, at: number): number | null {
  const { find, hit } = sheet.reading
  if (find === undefined || hit === undefined) return null
  const hits = sheet.hits(find)
  return hits.line(hit) === at ? hits.at(hit) : null
}
