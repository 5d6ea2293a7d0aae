// Tests a short soak; `bun run soak` runs ten million deltas.
import { expect, test } from "bun:test"
import { soak } from "./soak.ts"

test("a short soak: a busy run with keys and resizes leaves no file, listener or timer, and a quiet screen writes nothing", async () => {
  const { left, quietBytes, bytes, keys } = await soak({
    deltas: 30_000,
    sessions: 100,
    settleS: 8,
    quietS: 3,
    seed: 1,
  })
  expect(bytes).toBeGreaterThan(1000)
  expect(keys).toBeGreaterThan(0)
  expect(left.end.files).toBeLessThanOrEqual(left.warm.files)
  expect(left.end.listeners).toBeLessThanOrEqual(left.warm.listeners)
  expect(left.end.timers).toBeLessThanOrEqual(left.warm.timers)
  expect(quietBytes).toBe(0)
})
