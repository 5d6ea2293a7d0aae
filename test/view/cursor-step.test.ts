// Tests that the window of a list follows its cursor.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { windowTop } from "../../src/view/cursor-step.ts"
import { forAll } from "../for-all.ts"

describe("the window of a list", () => {
  test("shows the cursor and moves no more than it must", () => {
    expect(windowTop(0, 3, 10, 60)).toBe(0)
    expect(windowTop(0, 10, 10, 60)).toBe(1)
    expect(windowTop(20, 15, 10, 60)).toBe(15)
    expect(windowTop(20, 25, 10, 60)).toBe(20)
    expect(windowTop(50, 59, 10, 60)).toBe(50)
  })

  test("leaves no empty rows after the list shrinks or the window grows", () => {
    expect(windowTop(50, 5, 10, 8)).toBe(0)
    expect(windowTop(50, 59, 40, 60)).toBe(20)
  })

  test("contains the cursor for every list and height, and stays where it was if it can", () =>
    forAll(
      [fc.nat(80), fc.nat(79), fc.integer({ min: 1, max: 50 }), fc.integer({ min: 1, max: 80 })],
      100,
      (top, at, height, length) => {
        const cursor = Math.min(at, length - 1)
        const now = windowTop(top, cursor, height, length)
        expect(now).toBeGreaterThanOrEqual(0)
        expect(now <= cursor && cursor < now + height).toBe(true)
        expect(now + height <= Math.max(length, height)).toBe(true)
        if (top <= cursor && cursor < top + height && top + height <= length) expect(now).toBe(top)
      },
    ))
})
