import type { Line, Span } from "./line.ts"

export interface Range {
  readonly from: number
  readonly to: number
}

/** Where a text begins in a line, ignoring case. */
export function hitRanges(text: string, query: string): readonly number[] {
  return Array.from(text.matchAll(patternOf(query)), match => match.index)
}

/** Lines to search; `after` gives the text that continues a line, at least `units` of it if there is that much. */
export interface SearchedLines {
  readonly length: number
  text(line: number): string
  after(line: number, units: number): string
}

export interface Hit {
  readonly line: number
  readonly at: number
}

/** The first `most` matches; a match may end behind its line. */
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

/** The part of the spans in `range`, with the places in it marked and the one at `current` bold. */
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

/** The spans with all matches of the texts marked; a match lies within one span. */
export function markedWords(spans: readonly Span[], texts: readonly string[]): readonly Span[] {
  if (texts.length === 0) return spans
  return spans.flatMap(one => {
    const places = texts
      .flatMap(text => hitRanges(one.text, text).map(from => ({ from, to: from + text.length })))
      .toSorted((a, b) => a.from - b.from)
    return places.length === 0 ? [one] : markHits([one], { from: 0, to: one.text.length }, places)
  })
}

/** A line of a wrapped text with its matches marked, also those that begin or end in the line beside it. */
export function markedLine(
  line: Line,
  [before, behind]: readonly [Line | undefined, Line | undefined],
  query: string,
): Line {
  // A line break counts as a space.
  const head = before === undefined ? "" : `${lineText(before)} `
  const own = lineText(line)
  const places = hitRanges(`${head}${own}${behind === undefined ? "" : ` ${lineText(behind)}`}`, query).map(at => {
    return { from: at - head.length, to: at - head.length + query.length }
  })
  return { ...line, spans: markHits(line.spans, { from: 0, to: own.length }, places) }
}

/** The text of a line. */
export function lineText({ spans }: Line): string {
  return spans.length === 1 ? (spans[0]?.text ?? "") : spans.map(one => one.text).join("")
}

/** The part of the spans between two places of their text. */
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
