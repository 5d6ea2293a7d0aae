// Tests that rows are cut and joined without losing the more important part.
import { describe, expect, spyOn, test } from "bun:test"
import fc from "fast-check"
import { wrappedText } from "../../src/ui/growing-lines.ts"
import { clipSpans, ends, lineWidth, span, wrap } from "../../src/ui/line.ts"
import { lineText } from "../../src/ui/mark-hits.ts"
import { forAll } from "../for-all.ts"

function words(spans: readonly { readonly text: string }[]): string {
  return spans.map(one => one.text).join("")
}

describe("clipSpans", () => {
  const spans = [span("poet "), span("日本語", "error"), span(" streams")]

  test("leaves what fits as it is", () => {
    expect(clipSpans(spans, lineWidth(spans), "…")).toEqual(spans)
  })

  test("cuts within a span, keeps its token and marks the cut", () => {
    expect(clipSpans(spans, 8, "…")).toEqual([span("poet "), span("日…", "error")])
    expect(lineWidth(clipSpans(spans, 6, "…"))).toBeLessThanOrEqual(6)
  })

  test("marks a cut between two spans", () => {
    expect(words(clipSpans([span("poet"), span(" streams")], 4, "…"))).toBe("poe…")
  })

  test("gives nothing for no columns", () => {
    expect(words(clipSpans(spans, 0, "…"))).toBe("")
  })
})

describe("the ends of a line", () => {
  test("fill exactly the columns, one left and one right", () => {
    expect(words(ends([span("left")], [span("right")], 12, "…"))).toBe("left   right")
  })

  test("lose the left first, then cut the right", () => {
    expect(words(ends([span("a long left")], [span("right")], 12, "…"))).toBe("a long…right")
    expect(words(ends([span("left")], [span("right")], 4, "…"))).toBe("rig…")
  })
})

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })
const piece = fc.constantFrom(
  "a",
  "word",
  " ",
  "  ",
  "\n",
  "\t",
  "日本語",
  "👩‍👩‍👧",
  "e\u0301",
  "🇦🇹",
  "supercalifragilistic",
  ".",
  "…",
)
const text = fc.array(piece, { maxLength: 60 }).map(parts => parts.join(""))
const columns = fc.integer({ min: 1, max: 20 })

function chunked(whole: string, cuts: readonly number[], room: number): readonly string[] {
  const wrapped = wrappedText(room, "normal")
  const places = [...new Set(cuts.map(cut => cut % (whole.length + 1)))].sort((a, b) => a - b)
  let from = 0
  for (const place of [...places, whole.length]) {
    wrapped.append(whole.slice(from, place))
    from = place
  }
  return Array.from({ length: wrapped.length }, (_, i) => lineText(wrapped.line(i) ?? { spans: [] }))
}

describe("a wrapped text", () => {
  test("breaks between words and drops the space at the break", () => {
    expect(wrap("the cut and the snow", 7)).toEqual(["the cut", "and the", "snow"])
    expect(wrap("the cut", 7)).toEqual(["the cut"])
  })

  test("keeps line ends, empty lines and indents", () => {
    expect(wrap("a\n\n  b\n", 7)).toEqual(["a", "", "  b", ""])
    expect(wrap("\tif x", 9)).toEqual(["    if x"])
  })

  test("cuts a word that is longer than a line", () => {
    expect(wrap("supercalifragilistic", 7)).toEqual(["superca", "lifragi", "listic"])
    expect(wrap("日本語です", 4)).toEqual(["日本", "語で", "す"])
  })

  test("gives a grapheme that is wider than the line a line of its own", () => {
    expect(wrap("日本", 1)).toEqual(["日", "本"])
    expect(wrap("a👩‍👩‍👧b", 1)).toEqual(["a", "👩‍👩‍👧", "b"])
  })

  test("is one empty line if empty", () => {
    expect(wrap("", 5)).toEqual([""])
  })
})

test("a text wrapped in any chunks gives the same lines", () =>
  forAll([text, columns, fc.array(fc.nat(400), { maxLength: 12 })], 500, (whole, room, cuts) => {
    expect(chunked(whole, cuts, room)).toEqual([...wrap(whole, room)])
  }))

test("a wrapped line is no wider than the columns unless one grapheme is", () =>
  forAll([text, columns], 500, (whole, room) => {
    for (const one of wrap(whole, room)) {
      if (Bun.stringWidth(one) > room) expect([...graphemes.segment(one)].length).toBe(1)
    }
  }))

test("wrapping drops only the spaces at line breaks", () =>
  forAll([text, columns], 100, (whole, room) => {
    const bare = (one: string) => one.replaceAll(/[\s]/g, "")
    expect(bare(wrap(whole, room).join(""))).toBe(bare(whole))
  }))

test("wrapping a megabyte without spaces at once measures one line's worth for each line", () => {
  const measured = spyOn(Bun, "stringWidth")
  let units = 0
  measured.mockImplementation(whole => {
    units += whole.length
    return whole.length * 2
  })
  const lines = wrap("日".repeat(1_000_000), 80)
  measured.mockRestore()
  expect(lines.length).toBe(25_000)
  expect(units / lines.length).toBeLessThan(80 * 17)
})
