// Marks what was searched for in the lines that show it.
import type { Line, Span } from "./line.ts"

export interface Range {
  readonly from: number
  readonly to: number
}

/** Where a text begins in a line, in whatever case. */
export function hitRanges(text: string, query: string): readonly number[] {
  return Array.from(text.matchAll(patternOf(query)), match => match.index)
}

/** Lines to search; `after` gives at least so many units of the text that goes on behind a line, as far as there is any. */
export interface SearchedLines {
  readonly length: number
  text(line: number): string
  after(line: number, units: number): string
}

/** A place where a text begins. */
export interface Hit {
  readonly line: number
  readonly at: number
}

/** The first `most` places at which a text begins; it may end behind its line. */
export function hitsIn(lines: SearchedLines, query: string, most: number = Number.POSITIVE_INFINITY): readonly Hit[] {
  const pattern = patternOf(query)
  const hits: Hit[] = []
  for (let line = 0; line < lines.length; line++) {
    const text = lines.text(line)
    for (const { index } of (text + lines.after(line, query.length - 1)).matchAll(pattern)) {
      if (hits.length >= most) return hits
      if (index >= text.length) break
      hits.push({ line, at: index })
    }
  }
  return hits
}

function patternOf(query: string): RegExp {
  return new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu")
}

/** The part of the spans that `range` shows of their text, with the places in it marked; the one at `current` stands out. */
export function markHits(
  spans: readonly Span[],
  range: Range,
  places: readonly Range[],
  current: number | null = null,
): readonly Span[] {
  const shown: Span[] = []
  let place = range.from
  for (const { from, to } of places) {
    if (to <= place || from >= range.to) continue
    shown.push(...cutOut(spans, { from: place, to: from }))
    place = Math.min(to, range.to)
    const found = cutOut(spans, { from: Math.max(from, range.from), to: place })
    shown.push(...found.map(one => ({ ...one, hit: true, bold: one.bold === true || from === current })))
  }
  return [...shown, ...cutOut(spans, { from: place, to: range.to })]
}

/** The spans with any of the texts marked that stand in one of them. */
export function markedWords(spans: readonly Span[], texts: readonly string[]): readonly Span[] {
  if (texts.length === 0) return spans
  return spans.flatMap(one => {
    const places = texts
      .flatMap(text => hitRanges(one.text, text).map(from => ({ from, to: from + text.length })))
      .toSorted((a, b) => a.from - b.from)
    return places.length === 0 ? [one] : markHits([one], { from: 0, to: one.text.length }, places)
  })
}

/** A line of a wrapped text, with a text marked that stands in it, or begins or ends there. */
export function markedLine(
  line: Line,
  [before, behind]: readonly [Line | undefined, Line | undefined],
  query: string,
): Line {
  // Where a line breaks stands a space.
  const head = before === undefined ? "" : `${lineText(before)} `
  const own = lineText(line)
  const places = hitRanges(`${head}${own}${behind === undefined ? "" : ` ${lineText(behind)}`}`, query).map(at => {
    return { from: at - head.length, to: at - head.length + query.length }
  })
  return { ...line, spans: markHits(line.spans, { from: 0, to: own.length }, places) }
}

export function lineText({ spans }: Line): string {
  return spans.length === 1 ? (spans[0]?.text ?? "") : spans.map(one => one.text).join("")
}

/** The part of the spans that stands between two places of their text. */
export function cutOut(spans: readonly Span[], { from, to }: Range): readonly Span[] {
  const kept: Span[] = []
  let place = 0
  for (const one of spans) {
    const text = one.text.slice(Math.max(0, from - place), Math.max(0, to - place))
    if (text !== "") kept.push({ ...one, text })
    place += one.text.length
  }
  return kept
}
