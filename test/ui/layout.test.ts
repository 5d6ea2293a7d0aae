// Tests that every pane fits the terminal at any size.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { inside, type Layout, layout, type Rect } from "../../src/ui/layout.ts"
import type { PaneId } from "../../src/view/pane-names.ts"

const focus = fc.constantFrom<PaneId>("live", "text", "log")
const size = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 600 }))

function rects({ header, footer, banner, panes }: Layout): readonly Rect[] {
  return [header, footer, banner, ...Object.values(panes)].filter(one => one.height > 0 && one.width > 0)
}

function overlap(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
}

describe("layout", () => {
  test("puts rectangles inside the terminal that cover each cell once", () => {
    fc.assert(
      fc.property(
        size,
        size,
        focus,
        fc.boolean(),
        fc.nat(3),
        fc.nat(90),
        (columns, rows, ...[focused, maximized, banner, wanted]) => {
          const all = rects(layout(columns, rows, { focus: focused, maximized }, banner, wanted))
          for (const [i, one] of all.entries()) {
            expect(one.x).toBeGreaterThanOrEqual(0)
            expect(one.y).toBeGreaterThanOrEqual(0)
            expect(one.x + one.width).toBeLessThanOrEqual(columns)
            expect(one.y + one.height).toBeLessThanOrEqual(rows)
            expect(all.slice(i + 1).some(other => overlap(one, other))).toBe(false)
          }
          expect(all.reduce((sum, { width, height }) => sum + width * height, 0)).toBe(columns * rows)
        },
      ),
      { numRuns: 500 },
    )
  })

  test("always shows the focused pane, with rows if the terminal has eight", () => {
    fc.assert(
      fc.property(size, size, focus, fc.boolean(), fc.nat(2), (columns, rows, focused, maximized, banner) => {
        const { panes } = layout(columns, rows, { focus: focused, maximized }, banner, 5)
        const rect = panes[focused]
        if (rect === undefined) throw new Error(`${focused} has no place`)
        if (rows >= 8) expect(inside(rect).rows).toBeGreaterThan(0)
      }),
    )
  })

  const shown = (columns: number, rows: number, focused: PaneId = "live", maximized = false) =>
    Object.keys(layout(columns, rows, { focus: focused, maximized }, 0, 5).panes)

  test("shows three panes if wide, the list or the text above the log if narrow, one if tiny", () => {
    expect(shown(120, 40)).toEqual(["live", "text", "log"])
    expect(shown(80, 24)).toEqual(["live", "log"])
    expect(shown(80, 24, "text")).toEqual(["text", "log"])
    expect(shown(80, 24, "log")).toEqual(["live", "log"])
    expect(shown(40, 10, "log")).toEqual(["log"])
    expect(shown(120, 40, "text", true)).toEqual(["text"])
  })

  test("keeps six lines of the log at 80x24, however many rows the list has", () => {
    const { panes } = layout(80, 24, { focus: "live", maximized: false }, 0, 500)
    expect(panes.log === undefined ? 0 : inside(panes.log).rows).toBe(6)
  })

  test("leaves the rows that the list doesn't need to the log, and half of them to the text at least", () => {
    const heights = (columns: number, rows: number, wanted: number) => {
      const { panes } = layout(columns, rows, { focus: "live", maximized: false }, 0, wanted)
      return [panes.live?.height, panes.log?.height]
    }
    // 22 rows between header and footer.
    expect(heights(80, 24, 3)).toEqual([8, 14])
    expect(heights(80, 24, 9)).toEqual([11, 11])
    expect(heights(80, 24, 99)).toEqual([14, 8])
    // 38 rows.
    expect(heights(120, 40, 3)).toEqual([19, 19])
    expect(heights(120, 40, 22)).toEqual([24, 14])
    expect(heights(120, 40, 99)).toEqual([26, 12])
  })
})
