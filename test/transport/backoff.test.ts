import { expect, test } from "bun:test"
import fc from "fast-check"
import { backoffMs } from "../../src/transport/backoff.ts"

test("the wait doubles from 500 ms to 10 s, and at least half of it is certain", () => {
  expect([1, 2, 3, 4, 5, 6, 7].map(n => backoffMs(n, 0))).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000])
  expect([1, 2, 3, 4, 5, 6, 7].map(n => backoffMs(n, 0.5))).toEqual([375, 750, 1500, 3000, 6000, 7500, 7500])
})

test("whatever the number and the chance, the wait is between 250 ms and 10 s", () => {
  fc.assert(
    fc.property(
      fc.nat(1_000_000),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (failures, random) => {
        const wait = backoffMs(failures, random)
        expect(wait).toBeGreaterThanOrEqual(250)
        expect(wait).toBeLessThanOrEqual(10_000)
      },
    ),
  )
})

test("chance spreads the waits over the whole half", () => {
  expect(backoffMs(9, 0.999999)).toBe(10_000)
  expect(backoffMs(9, 0)).toBe(5000)
})
