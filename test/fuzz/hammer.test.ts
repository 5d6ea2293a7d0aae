// Tests that any keys, window sizes and file changes leave the screen working and able to quit.
import { expect, test } from "bun:test"
import { hammer } from "./hammer.ts"

/** `bun run nightly` does far more. */
const STEPS = 40

test.each([
  ["recording", 1],
  ["directory", 2],
  ["live", 3],
] as const)("random keys, sizes and file changes leave the screen working: %s", async (kind, seed) => {
  expect(await hammer(kind, seed, STEPS)).toEqual([])
})
