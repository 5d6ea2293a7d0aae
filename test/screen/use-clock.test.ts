// Tests what wakes the screen when nothing arrives.
import { expect, spyOn, test } from "bun:test"
import { event } from "../run/lines.ts"
import { NOW, show } from "./screen.tsx"

test("an agent whose clock is years ahead does not wake the screen again and again", async () => {
  const timers = spyOn(globalThis, "setTimeout")
  const ahead = NOW + 3 * 365 * 24 * 3_600_000
  const screen = await show({}, event(0, "llm/start", { invokeid: "a", "session-id": "s" }, ahead))
  await screen.settle()
  const delays = timers.mock.calls.map(([, ms]) => ms ?? 0)
  timers.mockRestore()
  // A timer that is set further ahead fires at once.
  expect(delays).toContain(2 ** 31 - 1)
  expect(Math.max(...delays)).toBe(2 ** 31 - 1)
})
