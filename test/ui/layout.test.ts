// Tests that every pane fits the terminal at any size.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { type Layout, layout, type Rect } from "../../src/ui/layout.ts"
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
})
