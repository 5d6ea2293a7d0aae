// Keeps the order of the runs on the home screen, with the mark of each, as time goes on and a filter is typed.
import { expect, test } from "bun:test"
import { type TailFacts, tailFacts } from "../../../src/run/select/tail-facts.ts"
import { type CliState, freshHomeView, type Home, type HomeFacts, type HomeRun } from "../../../src/view/home.ts"
import { dayOf, homeList, homeRow, targetOf } from "../../../src/view/select/home-rows.ts"
import { tell } from "../../run/lines.ts"

const AGENT = "ws://127.0.0.1:3737/ws"
const MINUTE = 60_000
const DAY = 86_400_000
/** Noon of a day in UTC. */
const NOW = 20_000 * DAY + DAY / 2

const unknown = tailFacts(tell([]), null)
const running: TailFacts = { ...unknown, chart: "c", firstTs: NOW - MINUTE, lastTs: NOW - 1000 }
const asking: TailFacts = { ...running, asks: "Which title?" }
const over = (end: TailFacts["end"], more: Partial<TailFacts> = {}): TailFacts => ({ ...running, end, ...more })
const session = (state: CliState, title = ""): HomeFacts => ({
  ...unknown,
  session: {
    ...{ id: `id-${state}`, state, title, context: null, subagents: 0 },
    ...{ place: "src", branch: "main", model: "opus" },
  },
})

type Known = readonly [name: string, ago: number, facts?: HomeFacts | null, more?: Partial<HomeRun>]
function home(runs: readonly Known[], agent: Partial<Home["agent"]> = {}, more: Partial<Home> = {}): Home {
  const all = runs.map(([name, ago, , own]) => ({ name, directory: `/r/${name}`, changedAt: NOW - ago, ...own }))
  return {
    root: ".escapement",
    runs: all.toSorted((a, b) => b.changedAt - a.changedAt),
    ...{ closed: [], clis: [] },
    facts: new Map(runs.flatMap(([name, , facts]) => (facts === undefined ? [] : [[name, facts] as const]))),
    agent: { url: AGENT, answers: false, facts: null, ...agent },
    ...more,
  }
}

/** The list with its figures, on one line for each row: where Enter leads, and under which heading. */
function told(of: Home, { now = NOW, zone = 0, filter = "", selected = null as string | null } = {}): string {
  const view = { ...freshHomeView, filter, selected }
  const list = homeList(of, view, zone, now)
  const rows = list.items.map(item => {
    if (item.type !== "row") return `${item.type}${item.type === "day" ? ` ${item.day - 20_000}` : ""}`
    const { key, title, mark } = item.row
    return `  ${title} (${key}) ${mark} → ${JSON.stringify(targetOf(item.row))} ${JSON.stringify(list.places.get(key))}`
  })
  const { items: _, rows: __, places: ___, until, ...figures } = list
  return [...rows, JSON.stringify(figures), `until ${until - NOW}, cursor ${homeRow(list, view)?.key}`].join("\n")
}

const ALL = home([
  ["old", 40 * DAY, over("done")],
  ["yesterday", DAY, over("failed", { last: "no model", cost: "$1" })],
  ["today", MINUTE, over("failed")],
  ["runs", 2000, running],
  ["now", 1000, over("stopped")],
  ["asks", 30_000, asking],
  ["gone", MINUTE, asking],
  ["unread", 0],
  ["unreadable", 0, null],
  ["", 3 * DAY, over("done"), { directory: "/r/of\u001b[2J/itself/" }],
  ["kept/2026-11-24T19-19-42.624Z-24312-claude", 5000, { ...running, kept: { place: "here", prompt: "Why?" } }],
  ...(["waiting", "working", "idle", "quiet", "ended", "failed", "killed"] as const).map(
    (state): Known => [`/s/${state}`, 2 * DAY, session(state, state === "idle" ? "A title" : ""), { cli: "claude" }],
  ),
  ["/s/bare", 2 * DAY, null, { cli: "codex" }],
  ["/s/acp", 45_000, session("idle"), { cli: "acp", talk: { command: ["a"], sessionId: "x", directory: "/d" } }],
])

test("what needs a person comes first, then what runs, then the others by day, as long as that holds", () => {
  const times = [told(ALL), told(ALL, { now: NOW + 30_001 }), told(ALL, { now: NOW + DAY / 2, zone: -3_600_000 })]
  expect([...times, told(home([])), told(home([], {}, { runs: null }))].join("\n\n")).toMatchSnapshot()
  expect([dayOf(0, 0), dayOf(0, -1), dayOf(DAY - 1, 0), dayOf(DAY - 1, 1)]).toEqual([0, -1, 0, 1])
})

test("a filter keeps the runs in which each of its words stands, whatever tells of them", () => {
  const filters = "TITLE which| failed  model |title two|kept|why? here|claude|opus id-idle|a title".split("|")
  expect(filters.map(filter => `${filter}\n${told(ALL, { filter })}`).join("\n\n")).toMatchSnapshot()
})

test("the run of the agent that answers is told by what it says, else the agent is a row of its own", () => {
  const waits: Known = ["waits", DAY, asking]
  const others: readonly Known[] = [
    ["other", DAY, { ...asking, chart: "d" }],
    ["later", DAY, { ...asking, lastTs: NOW - 500 }],
    ["twin", DAY, asking],
  ]
  const seen = { ...asking }
  const moment = { ...asking, firstTs: NOW - DAY, lastTs: NOW - DAY }
  const apart = (ms: number) => ({ ...asking, firstTs: NOW - DAY + ms, lastTs: NOW - DAY + ms })
  const agents = [
    home([waits, ...others], { answers: true, facts: seen }),
    home([["waits", DAY, moment]], { answers: true, facts: apart(1000) }),
    home([["waits", DAY, moment]], { answers: true, facts: apart(1001) }),
    home([["waits", DAY, moment]], { answers: true, facts: apart(-1001) }),
    home([["done", DAY, over("done")]], { answers: true, facts: { ...running, chart: "other" } }),
    home([["done", DAY, over("done")]], { answers: true, facts: null }),
    home([["done", DAY, over("done")]], { answers: true, facts: over("failed", { chart: "other" }) }),
    home([waits], { answers: false, facts: seen }),
    home([waits], { answers: true, facts: { ...seen, firstTs: null } }),
    home([waits], { answers: true, facts: { ...seen, chart: null } }),
  ]
  expect(agents.map(one => told(one)).join("\n\n")).toMatchSnapshot()
})

test("the cursor stays on its run when others come before it, and a run that is gone leaves it at the first", () => {
  const one = home([["c", 0, over("done")]])
  const cursors = [told(ALL, { selected: "old" }), told(one, { selected: "old" }), told(ALL, { selected: "" })]
  expect(cursors.map(told => told.split(" ").at(-1))).toEqual(["old", "c", ""])
})

test("the order of 10,000 runs is made once, not each time it is drawn", () => {
  const many = home(Array.from({ length: 10_000 }, (_, i) => [`run-${i}`, i * MINUTE, over("done")] as const))
  const list = (selected: string | null, now: number) => homeList(many, { ...freshHomeView, selected }, 0, now)
  const first = list(null, NOW)
  expect(first.rows).toHaveLength(10_000)
  expect(list("run-5", NOW + 1000)).toBe(first)
  // At midnight today becomes yesterday, and a clock that was set back makes it anew.
  const early = list(null, NOW - 1)
  expect(early).not.toBe(first)
  expect(list(null, early.until - 1)).toBe(early)
  expect(list(null, early.until)).not.toBe(early)
})
