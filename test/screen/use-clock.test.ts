// Tests what wakes the screen when nothing arrives.
import { expect, jest, spyOn, test } from "bun:test"
import { createRoot, createSignal } from "solid-js"
import type { Link } from "../../packages/wire/src/link.ts"
import { fold } from "../../src/run/fold.ts"
import { emptyRun } from "../../src/run/model/run.ts"
import { tailFacts } from "../../src/run/select/tail-facts.ts"
import { useClock } from "../../src/screen/use-clock.ts"
import { reduce } from "../../src/view/reduce.ts"
import { emptyState, type State } from "../../src/view/state.ts"
import { shownState } from "../../src/view/store.ts"
import { lost, open, replaying } from "../panels/planned.ts"
import { event } from "../run/lines.ts"
import { opened } from "./open-screens.ts"
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

const start = event(0, "llm/start", { invokeid: "a", "session-id": "s" }, NOW)
const token = event(1, "llm/delta", { invokeid: "a", "session-id": "s", text: "x" }, NOW)
const done = event(2, "runner/done", {}, NOW)
const agent = { url: "ws://127.0.0.1:1/ws", answers: false, facts: null }
const run = { name: "a", directory: "/a", changedAt: NOW }
const facts = { ...tailFacts(fold(emptyRun, [start]), null), isWhole: true }
const home = { root: "~", runs: [], closed: [], facts: new Map([["a", facts]]), agent, clis: [] }

function stateOf(link: Link, frames: readonly (typeof start)[], bars: readonly (number | null)[] = []): State {
  const state = shownState(reduce(emptyState(link), { type: "frames", frames }))
  const progress = bars.map(fraction => ({ fraction })) as never
  return { ...state, run: { ...state.run, facts: { ...state.run.facts, progress } } }
}

test("the screen is drawn anew as often as something on it moves by itself, and no timer outlives it", () => {
  const over = (state: State, type: "alerts" | "status") =>
    ({ ...state, view: { ...state.view, overlays: [{ type, top: 0 }] } }) as never
  const idle = stateOf(open, [])
  const states: { readonly [what: string]: State } = {
    "an idle agent": idle,
    "its alerts": over(idle, "alerts"),
    "its status": over(idle, "status"),
    "a wait for the first token": stateOf(open, [start]),
    "a session at work": stateOf(open, [start, token]),
    "a command at work": stateOf({ state: "running", command: "x" }, [start, token]),
    "a recording": stateOf(replaying, [start]),
    "a bar without an end": stateOf(open, [], [0.5, null]),
    "a bar with one": stateOf(open, [], [0.5]),
    "a run that is over": stateOf(open, [start, done], [null]),
    "a lost connection": stateOf(lost, []),
    "one lost after the end": stateOf(lost, [done]),
    "home without a running run": { ...idle, home },
    "home with one of yesterday": { ...idle, home: { ...home, runs: [{ ...run, changedAt: NOW - 9e7 }] } },
    "home with one": { ...idle, home: { ...home, runs: [run] } },
  }
  jest.useFakeTimers()
  opened(() => jest.useRealTimers())
  const told = Object.entries(states).map(([what, state]) => {
    const periods = [true, false].map(motion => {
      using set = spyOn(globalThis, "setInterval")
      const [read, write] = createSignal(state)
      const end = createRoot(dispose => {
        useClock(read, motion, () => NOW)
        return dispose
      })
      write({ ...state })
      end()
      expect(jest.getTimerCount()).toBe(0)
      return (set.mock.calls.at(-1) ?? [null, "never"])[1]
    })
    return `${what}: ${periods.join(" / ")}`
  })
  expect(told.join("\n")).toMatchSnapshot()
})
