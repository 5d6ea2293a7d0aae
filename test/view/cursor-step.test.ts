// Tests that the window of a list follows its cursor, which an empty one has at its start.
import { expect, test } from "bun:test"
import fc from "fast-check"
import { clamp, windowTop } from "../../src/view/cursor-step.ts"
import { forAll } from "../for-all.ts"

test("the window of a list has the cursor in it and no empty row that it could do without, and moves no more than it must", () =>
  forAll(
    [fc.nat(80), fc.nat(79), fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 80 })],
    200,
    (top, at, height, length) => {
      const cursor = Math.min(at, length - 1)
      const tops = Array.from({ length: Math.max(0, length - height) + 1 }, (_, first) => first)
      const showing = tops.filter(first => first <= cursor && cursor < first + height)
      const [nearest] = showing.toSorted((a, b) => Math.abs(a - top) - Math.abs(b - top))
      expect(windowTop(top, cursor, height, length)).toBe(nearest ?? Number.NaN)
    },
  ))

test("the nearest value of a range that has none is its lowest", () => expect(clamp(-1, 0, -1)).toBe(0))
