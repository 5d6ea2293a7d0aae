// Tests that the death of the parent process is noticed.
import { expect, test } from "bun:test"
import { watchSpawner, watchTerminal } from "../../src/app/spawner.ts"
import { opened } from "../screen/open-screens.ts"
import { ManualClock } from "../transport/manual-clock.ts"

/** The time to notice the parent's end (docs/decisions.md 3.6); the rest of the 2 s is the terminal's. */
const SOON_MS = 1000

test("a parent process that is gone is noticed within a second, and told once; a living one never, and is looked at again", () => {
  const clock = new ManualClock()
  let calls = 0
  watchSpawner(process.ppid, () => calls++, clock)
  for (let look = 0; look < 100; look++) expect(clock.step()).toBeLessThanOrEqual(SOON_MS)
  expect([calls, clock.alarms]).toEqual([0, 1])
  const other = new ManualClock()
  // No process has this number, so our parent is another one, as for an orphan.
  watchSpawner(-1, () => calls++, other)
  other.advance(SOON_MS)
  expect(calls).toBe(1)
  other.advance(60_000)
  expect([calls, other.alarms]).toEqual([1, 0])
})

test("a terminal that is gone is noticed as soon, and none is looked at where stdout is none", () => {
  const [isTTY, clock] = [Object.getOwnPropertyDescriptor(process.stdout, "isTTY"), new ManualClock()]
  opened(() => Object.defineProperty(process.stdout, "isTTY", isTTY ?? { value: undefined, configurable: true }))
  let calls = 0
  for (const value of [false, true]) {
    Object.defineProperty(process.stdout, "isTTY", { value, configurable: true })
    watchTerminal(() => calls++, clock)
    expect(clock.alarms).toBe(value ? 1 : 0)
  }
  expect([calls, clock.step() <= SOON_MS, calls, clock.alarms]).toEqual([0, true, 1, 0])
})
