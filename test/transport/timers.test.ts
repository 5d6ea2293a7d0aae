// Tests what waits: batches, the heartbeat of a connection and its check of what was sent, attempts, and the waits themselves.
import { expect, spyOn, test } from "bun:test"
import { batch, delivery, heartbeat } from "../../fixtures/scripts/timers.json"
import { Sleeper, systemClock } from "../../src/transport/clock.ts"
import { DeliveryCheck, Heartbeat } from "../../src/transport/connection.ts"
import { Batch, TURN_UNITS } from "../../src/transport/message.ts"
import { backoffMs } from "../../src/transport/socket.ts"
import { ManualClock } from "./manual-clock.ts"

/** Plays a script of times that pass, ms, how long the process sleeps (`z`), what is called (`calls`), and what is done. */
function played(
  script: string,
  calls: RegExp,
  open: (clock: ManualClock, tell: (word: string) => void) => (word: string) => void,
) {
  const clock = new ManualClock()
  const told: string[] = []
  const does = open(clock, word => void told.push(word))
  for (const word of script.split(" ").filter(one => !calls.test(one))) {
    told.push(word)
    if (/^z\d/.test(word)) clock.oversleep(Number(word.slice(1)))
    else if (/^\d/.test(word)) clock.advance(Number(word))
    else does(word)
  }
  expect(told.join(" ")).toBe(script)
  return clock.alarms
}

interface Item {
  readonly letter: string
}

/** The units of work of an item: a large letter takes a third of a turn. */
const unitsOf = ({ letter }: Item) => (/[A-Z]/.test(letter) ? TURN_UNITS / 3 : 1)

/**
 * Letters that are added together, where `#` is the work of a turn that made none, and `!` tells when it is made; turns
 * of the event loop, and in brackets what is delivered.
 */
test.each(batch)("a batch %s, and no timer stays", (_, script) => {
  let isEmpty = (): boolean => false
  const alarms = played(script, /^\[|made/, (clock, tell) => {
    const deliver = (items: readonly Item[]) => tell(`[${items.map(({ letter }) => letter).join("")}]`)
    const batch = new Batch(clock, 16, deliver, unitsOf)
    isEmpty = () => batch.isEmpty
    function* items(word: string) {
      for (const letter of word) {
        if (letter === "!") tell("made")
        yield "!#".includes(letter) ? (letter === "#" ? TURN_UNITS : 0) : { letter }
      }
    }
    const calls = { flush: () => batch.flush(), turn: () => clock.step(), stop: () => batch.stop() }
    return word => (calls[word as "turn"] ?? (() => batch.add(items(word))))()
  })
  expect([alarms, isEmpty()]).toEqual([0, true])
})

test.each(heartbeat)("the heartbeat %s", (_, script) => {
  const alarms = played(script, /^(ping|dead)$/, (clock, tell) => {
    const timing = { silenceMs: 20_000, pongMs: 10_000 }
    const heartbeat = new Heartbeat(clock, timing, { ping: () => tell("ping"), dead: () => tell("dead") })
    return word => (word === "heard" ? heartbeat.onActivity() : heartbeat.stop())
  })
  expect(alarms).toBe(/dead|stop/.test(script) ? 0 : 1)
})

/** Messages that are sent, and pongs with their marks. */
test.each(delivery)("a check %s", (_, script, alarms) => {
  const left = played(script, /^(ping|failed)/, (clock, tell) => {
    const check = new DeliveryCheck(clock, 4000, { ping: mark => tell(`ping${mark}`), failed: () => tell("failed") })
    return word => (word === "sent" ? check.check() : word === "stop" ? check.stop() : check.onPong(word.slice(4)))
  })
  expect(String(left)).toBe(alarms)
})

test("backoff doubles from 500 ms to 10 s, and at least half of it is fixed", () => {
  expect([1, 2, 3, 4, 5, 6, 7].map(n => backoffMs(n, 0))).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000])
  expect([1, 2, 3, 4, 5, 6, 7].map(n => backoffMs(n, 0.5))).toEqual([375, 750, 1500, 3000, 6000, 7500, 7500])
  expect([0, 1, 1e6].map(n => backoffMs(n, 0.9999))).toEqual([500, 500, 10_000])
})

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
  const since = performance.now()
  systemClock.sleep(9)
  expect(performance.now() - since).toBeGreaterThan(8)
})
