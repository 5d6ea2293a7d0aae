// Tests the waits that can be stopped, and the timers of the real clock.
import { expect, spyOn, test } from "bun:test"
import { Sleeper, systemClock } from "../../src/transport/clock.ts"
import { ManualClock } from "./manual-clock.ts"

test("a wait ends after its time, or once it is stopped, as do all later ones, and no timer stays", async () => {
  const clock = new ManualClock()
  const sleeper = new Sleeper(clock)
  const told: string[] = []
  const sleeps = (name: string, ms: number) => sleeper.sleep(ms).then(() => told.push(name))
  const first = sleeps("first", 10)
  clock.advance(9)
  await Promise.resolve()
  expect([told, sleeper.stopped]).toEqual([[], false])
  clock.advance(1)
  await first
  const second = sleeps("second", 10)
  sleeper.stop()
  await Promise.all([second, sleeps("third", 10)])
  expect([told, sleeper.stopped, clock.alarms]).toEqual([["first", "second", "third"], true, 0])
})

test("a timer waits whole milliseconds, no longer than one can be, and may let the process end", () => {
  const made: (number | undefined)[] = []
  const timer = { unref: () => made.push(-1) }
  const timers = spyOn(globalThis, "setTimeout").mockImplementation(((_: () => void, ms: number) => {
    made.push(ms)
    return timer
  }) as never)
  const turns = spyOn(globalThis, "setImmediate").mockImplementation((() => made.push(0)) as never)
  for (const ms of [0.1, 16, 2 ** 40]) systemClock.after(ms, () => undefined)
  systemClock.after(5, () => undefined, false)
  for (const ms of [0, -1]) systemClock.after(ms, () => undefined)
  timers.mockRestore()
  turns.mockRestore()
  expect(made).toEqual([1, 16, 2 ** 31 - 1, 5, -1, 0, 0])
})

test("a timer that is cancelled calls nobody", async () => {
  const called: string[] = []
  for (const ms of [0, 1]) systemClock.after(ms, () => called.push("cancelled"))()
  await new Promise<void>(resolve => systemClock.after(2, () => resolve()))
  expect(called).toEqual([])
})
