// Tests that every pane fits the terminal at any size.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { inside, type Layout, layout, type Needs, type Rect } from "../../src/ui/layout.ts"
import type { PaneId } from "../../src/view/pane-names.ts"
import { forAll } from "../for-all.ts"

const focus = fc.constantFrom<PaneId>("live", "text", "log")
const size = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 600 }))

function rects({ header, footer, banner, panes }: Layout): readonly Rect[] {
  return [header, footer, banner, ...Object.values(panes)].filter(one => one.height > 0 && one.width > 0)
}

function overlap(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

describe("layout", () => {
  test("puts rectangles inside the terminal that cover each cell once", () =>
    forAll(
      [size, size, focus, fc.boolean(), fc.nat(3), fc.nat(90), fc.boolean()],
      500,
      (columns, rows, ...[focused, maximized, banner, wanted, isAlone]) => {
        const all = rects(layout({ columns, rows }, { focus: focused, maximized }, { banner, wanted, isAlone }))
        for (const [i, one] of all.entries()) {
          expect(one.x).toBeGreaterThanOrEqual(0)
          expect(one.y).toBeGreaterThanOrEqual(0)
          expect(one.x + one.width).toBeLessThanOrEqual(columns)
          expect(one.y + one.height).toBeLessThanOrEqual(rows)
          expect(all.slice(i + 1).some(other => overlap(one, other))).toBe(false)
        }
        expect(all.reduce((sum, { width, height }) => sum + width * height, 0)).toBe(columns * rows)
      },
    ))

  test("always shows the focused pane, with rows if the terminal has eight", () =>
    forAll([size, size, focus, fc.boolean(), fc.nat(2)], 100, (columns, rows, focused, maximized, banner) => {
      const { panes } = layout({ columns, rows }, { focus: focused, maximized }, { banner, wanted: 5 })
      const rect = panes[focused]
      if (rect === undefined) throw new Error(`${focused} has no place`)
      if (rows >= 8) expect(inside(rect).rows).toBeGreaterThan(0)
    }))

  const layoutOf = (columns: number, rows: number, to: Partial<Needs> = {}, focused: PaneId = "live") =>
    layout({ columns, rows }, { focus: focused, maximized: false }, { banner: 0, wanted: 5, ...to }).panes
  const heights = (columns: number, rows: number, to: Partial<Needs> = {}, focused: PaneId = "live") =>
    Object.fromEntries(Object.entries(layoutOf(columns, rows, to, focused)).map(([pane, { height }]) => [pane, height]))

  test("shows three places if wide; if narrow the list above the reader or the log; if tiny one at a time", () => {
    expect(Object.keys(layoutOf(120, 40))).toEqual(["live", "text", "log"])
    expect(Object.keys(layoutOf(80, 24))).toEqual(["live", "text"])
    expect(Object.keys(layoutOf(80, 24, {}, "text"))).toEqual(["live", "text"])
    expect(Object.keys(layoutOf(80, 24, {}, "log"))).toEqual(["live", "log"])
    expect(Object.keys(layoutOf(40, 10, {}, "log"))).toEqual(["log"])
  })

  test("gives one session the whole screen, with a line above for its state and one below for the log", () => {
    const isAlone = true
    expect(heights(120, 40, { isAlone }, "text")).toEqual({ live: 1, text: 36, log: 1 })
    expect(heights(80, 24, { isAlone }, "log")).toEqual({ live: 1, text: 14, log: 7 })
    expect(heights(40, 10, { isAlone }, "text")).toEqual({ text: 8 })
    // Where there is room the log stands beside the reader, whose lines stay short enough to follow.
    expect(heights(200, 60, { isAlone }, "text")).toEqual({ live: 1, text: 57, log: 57 })
    const { text, log } = layout(
      { columns: 200, rows: 60 },
      { focus: "text", maximized: false },
      { banner: 0, wanted: 1, isAlone },
    ).panes
    expect([text?.width, log?.x, log?.width]).toEqual([104, 104, 96])
  })

  test("gives a question the room of the log, and only then that of what is read", () => {
    expect(heights(120, 40)).toEqual({ live: 19, text: 19, log: 19 })
    expect(heights(120, 40, { question: 8 })).toEqual({ live: 19, text: 19, log: 11 })
    expect(heights(120, 40, { question: 24 })).toEqual({ live: 14, text: 14 })
    // A log of two rows would have no frame.
    expect(heights(200, 60, { question: 39, wanted: 0 })).toEqual({ live: 15, text: 19, log: 4 })
    expect(heights(80, 24, { question: 10 }, "text")).toEqual({ text: 12 })
    expect(heights(80, 24, { question: 20 }, "text")).toEqual({})
  })

  test("keeps the reader within 104 columns from 231 on; the rest is the list's", () => {
    expect([120, 231, 300].map(columns => layoutOf(columns, 40).text?.width)).toEqual([54, 104, 104])
  })

  test("gives a list the rows that it needs, with its lanes; the log has the rest, below a narrow list the reader", () => {
    // 22 rows between header and footer.
    expect(heights(80, 24, { wanted: 3 })).toEqual({ live: 8, text: 14 })
    expect(heights(80, 24, { wanted: 99 })).toEqual({ live: 11, text: 11 })
    // 38 rows.
    expect(heights(120, 40, { wanted: 1 })).toEqual({ live: 19, text: 19, log: 19 })
    expect(heights(120, 40, { wanted: 9, lanes: 5 })).toEqual({ live: 23, text: 23, log: 15 })
    expect(heights(120, 40, { wanted: 99 })).toEqual({ live: 26, text: 26, log: 12 })
    // 58 rows of a large one: the reader has all of them, and the list what it needs.
    expect(heights(200, 60, { wanted: 5 })).toEqual({ live: 17, text: 58, log: 41 })
    expect(heights(200, 60, { wanted: 5, lanes: 5 })).toEqual({ live: 17, text: 58, log: 41 })
    expect(heights(200, 60, { wanted: 99 })).toEqual({ live: 42, text: 58, log: 16 })
  })
})
