// Tests that rows are cut and joined without losing the more important part.
import { describe, expect, test } from "bun:test"
import { clipSpans, ends, lineWidth, span } from "../../src/ui/line.ts"

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
