// Tests the waits between connection attempts.
import { expect, test } from "bun:test"
import fc from "fast-check"
import { backoffMs } from "../../src/transport/socket.ts"
import { forAll } from "../for-all.ts"

test("backoff doubles from 500 ms to 10 s, and at least half of it is fixed", () => {
  expect([1, 2, 3, 4, 5, 6, 7].map(n => backoffMs(n, 0))).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000])
  expect([1, 2, 3, 4, 5, 6, 7].map(n => backoffMs(n, 0.5))).toEqual([375, 750, 1500, 3000, 6000, 7500, 7500])
})

test("backoff is between 250 ms and 10 s for any number of failures and any random value", () =>
  forAll(
    [fc.nat(1_000_000), fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })],
    100,
    (failures, random) => {
      const wait = backoffMs(failures, random)
      expect(wait).toBeGreaterThanOrEqual(250)
      expect(wait).toBeLessThanOrEqual(10_000)
    },
  ))
