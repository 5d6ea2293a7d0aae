// Tests the waits between connection attempts.
import { expect, test } from "bun:test"
import { backoffMs } from "../../src/transport/socket.ts"

test("backoff doubles from 500 ms to 10 s, and at least half of it is fixed", () => {
  expect([1, 2, 3, 4, 5, 6, 7].map(n => backoffMs(n, 0))).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000])
  expect([1, 2, 3, 4, 5, 6, 7].map(n => backoffMs(n, 0.5))).toEqual([375, 750, 1500, 3000, 6000, 7500, 7500])
  expect([0, 1, 1e6].map(n => backoffMs(n, 0.9999))).toEqual([500, 500, 10_000])
})
