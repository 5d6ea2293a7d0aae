// Tests that figures and a recording that is read are drawn seldom, and everything else at once.
import { expect, jest, test } from "bun:test"
import { createRoot, createSignal } from "solid-js"
import type { Link } from "../../packages/wire/src/link.ts"
import { emptyRun } from "../../src/run/model/run.ts"
import { isOnlyFigures, isOnlyReading, useCalmState } from "../../src/screen/use-calm-state.ts"
import { reduce } from "../../src/view/reduce.ts"
import { emptyState, type State } from "../../src/view/state.ts"
import { shownState } from "../../src/view/store.ts"
import { open } from "../panels/planned.ts"
import { delta, event } from "../run/lines.ts"
import { untilShown } from "../until.ts"
import { opened } from "./open-screens.ts"
import { NOW, replay, show } from "./screen.tsx"

const start = event(0, "llm/start", { invokeid: "a", "session-id": "s", model: "m" }, NOW)
const words = (seq: number, text: string) => delta(seq, text, { coalesced: 10, ts: NOW + seq })

test("while a reply grows its text is drawn at once, and its tokens wait", async () => {
  const screen = await show({ calmMs: 60_000 })
  screen.feed(start)
  screen.feed(words(10, "one "))
  screen.feed(words(20, "two "))
  expect(await screen.text()).toContain("one two")
  expect(await screen.row("◌ a")).toContain("waiting for first token")
  // A row of the log is no figure.
  screen.feed(event(21, "llm/start", { invokeid: "b", "session-id": "t", model: "m" }, NOW + 30))
  expect(await screen.row("● a")).toContain("one two")
})

test("the last figures are shown, though nothing follows them", async () => {
  const screen = await show({ calmMs: 1 })
  screen.feed(start)
  screen.feed(words(10, "one "))
  screen.feed(words(20, "two "))
  const rows = await untilShown({ screen: screen.rows }, /● a +one two/)
  expect(rows[0]).toContain(" 20 out")
})

test("while a recording is read its rows wait, but no key does", async () => {
  const screen = await show({ calmMs: 60_000, link: replay })
  screen.feed(start)
  await screen.rows()
  screen.feed(event(1, "llm/start", { invokeid: "b", "session-id": "t", model: "m" }, NOW + 30))
  expect(await screen.text()).not.toContain("◌ b")
  screen.press("j")
  expect(await screen.text()).toContain("◌ b")
})

test("which changes may wait: figures alone, and a recording that is read or played, but nothing that a person does", () => {
  const base = (link: Link) =>
    shownState(reduce(emptyState(link), { type: "frames", frames: [start, words(10, "one")] }))
  const [live, read] = [base(open), base(replay)]
  const run = reduce(emptyState(open), { type: "frames", frames: [start, words(20, "more")] }).run
  const changes: { readonly [what: string]: Partial<State> } = {
    nothing: {},
    "a run": { run },
    tokens: { run: { ...live.run, turnBuffers: [] } },
    rows: { run: { ...live.run, log: { ...live.run.log, rows: emptyRun.log.rows } } },
    questions: { run: { ...live.run, prompts: [] } },
    "the debugger": { run: { ...live.run, debug: run.debug === null ? ({} as never) : null } },
    "the chart": { run: { ...live.run, chart: { ...live.run.chart } } },
    "how it ended": { run: { ...live.run, status: "finished" } },
    progress: { run: { ...live.run, facts: { ...live.run.facts, progress: [] } } },
    "a key": { view: { ...live.view, maximized: true } },
    "the connection": { link: { state: "closed" } },
    "the past": { isPast: true },
    playback: { time: { ...live.time, playing: true } },
  }
  const told = Object.entries(changes).map(([what, change]) => {
    const figures = isOnlyFigures(live, { ...live, ...change })
    const past = { ...read, isPast: true }
    const playing = { ...past, time: { ...read.time, playing: true } }
    const reading = [live, read, past, playing].map(one =>
      isOnlyReading(one, { ...one, ...change, ...("view" in change ? {} : { view: one.view }) }),
    )
    return `${what}: figures ${figures}, live ${reading[0]}, read ${reading[1]}, past ${reading[2]}, played ${reading[3]}`
  })
  expect(told.join("\n")).toMatchSnapshot()
})

test("a change that may wait is shown once the time is over, which runs only behind a change, and not beyond the end", () => {
  jest.useFakeTimers()
  opened(() => jest.useRealTimers())
  const state = (n: number) => ({ ...shownState(emptyState(open)), n }) as State
  const [read, write] = createSignal(state(0))
  const [calm, end] = createRoot(dispose => [useCalmState(read, 100, () => true), dispose] as const)
  const stands = () => [Reflect.get(calm(), "n"), jest.getTimerCount()]
  const after = (ms: number) => jest.advanceTimersByTime(ms) && stands()
  const shown = (n: number) => write(state(n)) && stands()
  expect([stands(), shown(1), after(99), after(1), after(100)].join(" ")).toBe("0,1 0,1 0,1 1,1 1,0")
  expect([shown(2), shown(3)].join(" ")).toBe("2,1 2,1")
  end()
  expect(jest.getTimerCount()).toBe(0)
  createRoot(() => useCalmState(read, 0, () => true))
  expect(jest.getTimerCount()).toBe(0)
})
