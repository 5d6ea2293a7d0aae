// Tests the order of the runs on the home screen, and that the mark of each is true.
import { describe, expect, test } from "bun:test"
import { type TailFacts, tailFacts } from "../../../src/run/select/tail-facts.ts"
import { freshHomeView, type Home, type HomeRun, type HomeView } from "../../../src/view/home.ts"
import { type HomeList, homeList, homeRow, targetOf } from "../../../src/view/select/home-rows.ts"
import { tell } from "../../run/lines.ts"

const AGENT = "ws://127.0.0.1:3737/ws"
const MINUTE = 60_000
const DAY = 86_400_000
/** Noon of a day in UTC. */
const NOW = 20_000 * DAY + DAY / 2

const unknown = tailFacts(tell([]), null)
const running: TailFacts = { ...unknown, chart: "c", firstTs: NOW - MINUTE, lastTs: NOW - 1000 }
const asking: TailFacts = { ...running, asks: "Which title?" }
const over = (end: TailFacts["end"]): TailFacts => ({ ...running, end })

const run = (name: string, ago: number): HomeRun => ({ name, directory: `/r/${name}`, changedAt: NOW - ago })

function home(runs: readonly (readonly [HomeRun, (TailFacts | null)?])[], agent: Partial<Home["agent"]> = {}): Home {
  const read = runs.flatMap(([{ name }, facts]) => (facts === undefined ? [] : [[name, facts] as const]))
  return {
    root: ".escapement",
    runs: runs.map(([one]) => one).toSorted((a, b) => b.changedAt - a.changedAt),
    closed: [],
    clis: [],
    facts: new Map(read),
    agent: { url: AGENT, answers: false, facts: null, ...agent },
  }
}

const list = (of: Home, view: Partial<HomeView> = {}, now = NOW): HomeList =>
  homeList(of, { ...freshHomeView, ...view }, 0, now)
const marks = (of: HomeList) => Object.fromEntries(of.rows.map(({ title, mark }) => [title, mark]))
const order = (of: HomeList) => of.items.map(item => (item.type === "row" ? item.row.title : item.type))

test("what needs a person comes first, then what runs, then the others by day", () => {
  const all = home([
    [run("old", 40 * DAY), over("done")],
    [run("yesterday", DAY), over("failed")],
    [run("runs", 2000), running],
    [run("now", 1000), over("stopped")],
    [run("asks", 30_000), asking],
  ])
  const days = ["day", "now", "day", "yesterday", "day", "old"]
  expect(order(list(all))).toEqual(["asking", "asks", "running", "runs", ...days])
  const figures = { all: 5, running: 2, asking: 1, failedToday: 0, hasCosts: false, hasSessions: false }
  expect(list(all)).toMatchObject(figures)
})

test("the list knows how many failed today, and whether a cost or a session of an agent CLI is in it", () => {
  const failed = { ...over("failed"), cost: "$1" }
  const all = home([
    [run("today", MINUTE), failed],
    [run("yesterday", DAY), over("failed")],
    [{ ...run("claude", MINUTE), cli: "claude" }, running],
  ])
  expect(list(all)).toMatchObject({ failedToday: 1, hasCosts: true, hasSessions: true })
})

describe("the mark of a run", () => {
  test("is its end, however long ago its recording changed", () => {
    for (const end of ["done", "failed", "stopped"] as const) {
      const runs = (["a", "b"] as const).map((name, i) => [run(name, 5 * DAY * i), over(end)] as const)
      expect(marks(list(home(runs)))).toEqual({ a: end, b: end })
    }
  })

  test("without an end says whether there is activity: its recording has changed within a minute", () => {
    const facts = home([
      [run("a", MINUTE - 1), running],
      [run("b", MINUTE), running],
      [run("c", MINUTE), asking],
    ])
    expect(marks(list(facts))).toEqual({ a: "running", b: "gone", c: "gone" })
    expect(marks(list(facts, {}, NOW + 1))).toEqual({ a: "gone", b: "gone", c: "gone" })
  })

  test("of a run whose agent answers is that it waits, however long nothing was written", () => {
    const facts = home(
      [
        [run("waits", DAY), asking],
        [run("other", DAY), { ...asking, chart: "d" }],
      ],
      { answers: true, facts: { ...asking } },
    )
    expect(marks(list(facts))).toEqual({ waits: "asks", other: "gone" })
    const [first] = list(facts).rows
    expect(first && targetOf(first)).toMatchObject({ type: "agent", url: AGENT, directory: "/r/waits" })
  })

  test("is that of its agent's run also if both have only one moment, stamped a little apart", () => {
    const moment = { ...asking, firstTs: NOW - DAY, lastTs: NOW - DAY }
    const seen = { ...asking, firstTs: NOW - DAY + 20, lastTs: NOW - DAY + 20 }
    const facts = home([[run("waits", DAY), moment]], { answers: true, facts: seen })
    expect(marks(list(facts))).toEqual({ waits: "asks" })
  })

  test("is unknown until it was read, and says if it can't be", () => {
    expect(marks(list(home([[run("a", 0)], [run("b", 0), null]])))).toEqual({ a: "unread", b: "unreadable" })
  })
})

test("an agent whose run has no directory here is a row of its own, until it is gone", () => {
  const runs = [[run("done", DAY), over("done")]] as const
  const answering = list(home(runs, { answers: true, facts: { ...running, chart: "other" } }))
  expect(order(answering)).toEqual(["running", "agent at 127.0.0.1:3737", "day", "done"])
  expect(order(list(home(runs)))).toEqual(["day", "done"])
})

test("a filter keeps the runs in which each of its words stands: name, chart, question, end", () => {
  const all = home([
    [run("one", 0), asking],
    [run("two", DAY), { ...over("failed"), last: "no model" }],
  ])
  const found = (filter: string) => list(all, { filter }).rows.map(({ title }) => title)
  const filters = ["TITLE which", "failed", "model two", "title two"]
  expect(filters.map(found)).toEqual([["one"], ["two"], ["two"], []])
})

test("the cursor stays on its run when others come before it, and a run that is gone leaves it at the first", () => {
  const facts = home([
    [run("a", 2 * DAY), over("done")],
    [run("b", DAY), over("done")],
  ])
  const view = { ...freshHomeView, selected: "a" }
  expect(homeRow(list(facts, view), view)?.title).toBe("a")
  expect(homeRow(list(home([[run("c", 0), over("done")]]), view), view)?.title).toBe("c")
  expect(homeRow(list(home([])), view)).toBeUndefined()
})

test("the order of 10,000 runs is made once, not each time it is drawn", () => {
  const many = home(Array.from({ length: 10_000 }, (_, i) => [run(`run-${i}`, i * MINUTE), over("done")] as const))
  const first = list(many)
  expect(first.rows).toHaveLength(10_000)
  expect(list(many, { selected: "run-5" }, NOW + 1000)).toBe(first)
  // At midnight today becomes yesterday.
  expect(list(many, {}, NOW + DAY)).not.toBe(first)
})

test("a run that was kept is called by its command, and found as kept", () => {
  const all = home([[run("kept/2026-11-24T19-19-42.624Z-24312-claude", 0), running]])
  expect(list(all).rows.map(({ title }) => title)).toEqual(["claude"])
  expect(list(all, { filter: "kept" }).rows).toHaveLength(1)
})
