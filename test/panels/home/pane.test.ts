// Tests the home screen: what each width shows of a run, and what its keys ask for.
import { expect, test } from "bun:test"
import { homeShape } from "../../../src/panels/home/lines.ts"
import { dayWords, runColumns } from "../../../src/panels/home/run-columns.ts"
import { features } from "../../../src/panels/plan.ts"
import { type TailFacts, tailFacts } from "../../../src/run/select/tail-facts.ts"
import type { CliSession, Home, HomeFacts } from "../../../src/view/home.ts"
import { createStore } from "../../../src/view/store.ts"
import { tell } from "../../run/lines.ts"
import { endScreens, opened } from "../../screen/open-screens.ts"
import { NOW, type Shown, show, spansWith } from "../../screen/screen.tsx"
import { type Step, walked } from "../steps.ts"

const HOUR = 3_600_000
const none = tailFacts(tell([]), null)
const done: TailFacts = {
  ...none,
  ...{ chart: "haiku/tournament", state: "judged", end: "done", last: "judge 2: Poet 4 keeps the cut" },
  ...{ firstTs: NOW - 102_000, lastTs: NOW, tokens: 12_431, isWhole: false, errors: 3 },
}
const asking: TailFacts = {
  ...done,
  ...{ end: null, asks: "Which title?", last: "asks: Which title?", isWhole: true, lastTs: NOW - 60_000 },
}

/** Home over runs that changed so many ms ago. */
async function home(
  runs: readonly (readonly [name: string, ago: number, facts: TailFacts | null])[],
  size: { readonly columns?: number; readonly rows?: number } = {},
  more: Partial<Home> = {},
): Promise<Shown> {
  const store = createStore({ ...features, link: { state: "closed" }, zone: 2 * HOUR })
  const screen = await show({ ...size, store })
  const known: Home = {
    root: "~/harbour/.escapement",
    runs: runs.map(([name, ago]) => ({ name, directory: `/r/${name}`, changedAt: NOW - ago })),
    closed: [],
    clis: [],
    facts: new Map(runs.map(([name, , facts]) => [name, facts])),
    agent: { url: "ws://127.0.0.1:3737/ws", answers: false, facts: null },
    ...more,
  }
  screen.store.dispatch({ type: "home", home: known })
  screen.store.dispatch({ type: "view", change: { focus: "home" } })
  await screen.settle()
  return screen
}

const two = [
  ["7f3a", 0, asking],
  ["889d", HOUR, done],
] as const

test("a row shows, as far as the width allows, what came of a run, and of a session of an agent CLI what it tells", async () => {
  const session: CliSession = {
    ...{ id: "01a20d6f-93fd", state: "waiting", place: "~/harbour/lamps", branch: "main", title: "Mend the lamp" },
    ...{ model: "gpt-5.1-codex", context: 0.42, subagents: 2 },
  }
  const told = { ...none, session, last: "May I run make?", asks: "May I run make?", tokens: 13_293, cost: "$0.05" }
  const facts: readonly HomeFacts[] = [
    { ...told, firstTs: NOW - 62_000, lastTs: NOW },
    { ...told, session: { ...session, state: "quiet", branch: "", context: null }, firstTs: NOW, lastTs: NOW },
    // Neither was stopped by a person, nor is it known to be at work.
    { ...told, session: { ...session, state: "killed", context: 0.996 }, asks: null, cost: null, end: "stopped" },
    { ...told, session: { ...session, state: "failed", branch: "a-long-branch" }, asks: null },
  ]
  const names = ["/s.jsonl", "/t.jsonl", "/u.jsonl", "/v.jsonl"]
  const clis = ["codex", "claude-code", "codex", "codex"]
  const sessions = names.map((name, i) => ({ name, directory: name, cli: clis[i] ?? "", changedAt: NOW - 40_000 * i }))
  const runs = [
    ...two,
    // Its clock stepped back.
    ["kept/x", HOUR, { ...done, kept: { place: "~/harbour", prompt: "Which test?" } }],
    ["back", HOUR, { ...done, firstTs: NOW + 5000 }],
    // It broke off.
    ["cut", 30 * HOUR, { ...done, end: null, isWhole: true }],
    ["failed", 31 * HOUR, { ...done, end: "failed", error: "no model", tokens: 1_234_567, chart: "failed" }],
    ["unread", 400 * HOUR, null],
    ["last-year", 9000 * HOUR, { ...done, end: "stopped", chart: null }],
  ] as const
  const rows: string[] = []
  for (const columns of [180, 140, 110, 100, 80, 64, 40]) {
    for (const [list, more] of [
      [runs, {}],
      [[], { runs: sessions, facts: new Map(names.map((name, i) => [name, facts[i] ?? null])) }],
    ] as const) {
      const shown = await home(list, { columns, rows: 40 }, more)
      rows.push(`── ${columns}`, ...(await shown.rows()).slice(0, 17).map(row => row.trimEnd()))
      endScreens()
    }
  }
  expect(rows.join("\n")).toMatchSnapshot()
  // What may have broken off is no trouble yet.
  const frame = await (await home(runs)).frame()
  const [ok, gone, bad] = ["judge 2", "no activity", "can't be"].map(one => spansWith(frame, one)[0]?.fg.toInts())
  expect([gone, bad !== undefined, Bun.deepEquals(bad, ok)]).toEqual([ok, true, false])
})

test("below the list stands what is known of the run under the cursor, as much of it as fits", async () => {
  const bar = (name: string, group: number | null) => ({ name, group, stages: ["generation", null, "human"] as const })
  const states = ["planning", "judged"].map((id, i) => ({ id, ms: 8000 + i * 60_000, isActive: i === 1 }))
  const asks: HomeFacts = { ...asking, states, error: "no key", bars: [bar("poet", 0), bar("you", null)] }
  const kept = { place: "~/harbour", prompt: "Which test?" }
  const bars = Array.from({ length: 20 }, (_, i) => bar(`poet ${i}`, i))
  const session = { id: "0f", state: "idle", place: "~/lamps", branch: "mend", title: "Mend", model: "m" } as const
  const told = { ...none, last: "Mended", tokens: 20, cost: "$1" }
  const runs: readonly (readonly [string, number, HomeFacts | null])[] = [
    ["asks", 0, { ...asks, isWhole: false }],
    ["gone", HOUR, asks],
    ["haiku/tournament", 2 * HOUR, { ...done, states, error: `judge 2: ${done.last}` }],
    ["b", 3 * HOUR, { ...done, asks: "Why?", error: "no model", bars }],
    ["kept/2026-11-26T10-00-00.000Z-1-claude", 4 * HOUR, { ...done, bars, isWhole: true, kept }],
    ["unread", 5 * HOUR, null],
    ["s", 6 * HOUR, { ...told, session: { ...session, context: 0.5, subagents: 1 } }],
    ["t", 7 * HOUR, { ...told, session: { ...session, context: null, subagents: 0 }, tokens: 0 }],
  ]
  const screen = await home(runs, { columns: 90, rows: 40 })
  const rows: string[] = []
  for (const _ of runs) {
    const all = (await screen.rows()).map(row => row.slice(0, 60).trimEnd())
    const from = all.findLastIndex(row => row.startsWith("┌─"))
    rows.push(...all.slice(from, -2).filter(row => /[^│ ]/.test(row)))
    await screen.press("j").settle()
  }
  expect(rows.join("\n")).toMatchSnapshot()
})

test("a screen is divided by its rows, and a row by its columns: each place at which that changes", () => {
  const told: string[] = []
  const changes = (name: string, from: number, to: number, of: (n: number) => object) => {
    for (let n = from, last = ""; n <= to; n++, last = JSON.stringify(of(n - 1))) {
      const words = JSON.stringify(of(n))
      if (words !== last) told.push(`${name} ${n}: ${words.replaceAll('"', "")}`)
    }
  }
  const shapeOf = (columns: number) => (rows: number) => {
    const { box, shown, ...others } = homeShape({ columns, rows }, true)
    return { ...others, box: box - rows, shown: shown - rows }
  }
  for (const columns of [51, 52]) changes(`${columns} x`, 4, 60, shapeOf(columns))
  const all = { hasCosts: true, hasSessions: true }
  changes("columns", 30, 160, columns => ({ ...runColumns(columns, all), last: 0 }))
  changes("no sessions", 118, 160, columns => ({ ...runColumns(columns, { ...all, hasSessions: false }), last: 0 }))
  expect(told.join("\n")).toMatchSnapshot()
})

test("a day has the same heading in every time zone, with its year where that is another", () => {
  const { TZ = "UTC" } = process.env
  opened(() => Object.assign(process.env, { TZ }))
  const days = ["2026-11-27", "2026-11-26", "2026-11-25", "2025-12-31"].map(date => Date.parse(date) / 86_400_000)
  for (const TZ of ["America/Los_Angeles", "UTC", "Pacific/Kiritimati"]) {
    process.env.TZ = TZ
    const words = days.map(day => dayWords(day, days[0] ?? 0))
    expect(words).toEqual(["Today", "Yesterday", "Wed 25 Nov", "Wed 31 Dec 2025"])
  }
})

test("keys of the list open, filter, remove and leave what is under the cursor", async () => {
  const later = two.map(([name, ago, facts]) => [name, ago + 1000, facts] as const)
  const screen = await home([["kept/one", 0, done], ...later], { columns: 100, rows: 34 })
  const filters = ["/ 'which'", "escape", "j / '889d'", "enter", "escape", "/ 'zzz' enter", "j enter", "/ ctrl-u enter"]
  const urls = ["8080", "localhost:9", "localhost:9/other", " wss://host/ws ", "123456", "http://host"]
  const recordings = [
    "g enter",
    "o",
    ...["' ' enter", "'~/a ' enter escape"].map(one => `: 'open a recording' enter ${one}`),
  ]
  const attach = urls.map(url => `escape : 'attach' enter '${url}' enter`)
  const steps = ["j", "G", "k", ...filters, ..."d, j, d d, k d, d, : 'demo' enter".split(", "), ...recordings]
  steps.push(": 'talk to' enter 'x' enter", ...attach, "escape escape", "q")
  const more = { clis: ["codex"], closed: ["~/locked: permission denied"], stores: ["~/.claude", "~/.codex"] }
  const cli = { name: "/s.jsonl", directory: "/s.jsonl", cli: "claude", changedAt: NOW }
  const talks = { ...cli, name: "/t", directory: "/t", talk: { directory: "/t", command: "x", id: "i" } } as const
  const other = { ...talks, name: "/u", directory: "/u" }
  const runs = [cli, talks, other] as never
  const known = await home([], { columns: 100, rows: 34 }, { ...more, clis: [], runs })
  const kept = ["one", "two", "six", "ten", "old"].map((name, i) => [`kept/${name}`, i * 8 * HOUR, done] as const)
  const low = await home(kept, { columns: 50, rows: 6 })
  const one: Step = ["one row", () => low.resize(50, 5)]
  const airy = [15, 16, 17].map((rows): Step => [`${rows} rows`, () => low.resize(50, rows)])
  const clicked = await home(two)
  const click: Step = ["a click", () => clicked.click("889d")]
  const agent = { url: "ws://127.0.0.1:3737/ws", answers: false, facts: null }
  const answers = await home([], { columns: 80, rows: 14 }, { agent: { ...agent, answers: true } })
  const refuses = await home([], { columns: 80, rows: 24 }, { agent: { ...agent, refusal: "it wants a token" } })
  const empty = await home([], { columns: 100, rows: 34 }, more)
  const reading = await home([], { columns: 100, rows: 34 }, { ...more, runs: null })
  expect([
    await walked(screen, "", ...steps),
    await walked(known, "", "o", "j o", "j o", "d"),
    await walked(clicked, click, click, ": 'demo'"),
    // Removed is what was asked about last, and nothing that was asked about before.
    await walked(low, "", "d", "d", "d", "j k d", "/ 'two' enter d", "escape G", "k", "k", "k", "k", one, ...airy),
    await walked(await home([["other/kept/one", 0, done]], { columns: 90, rows: 8 }), "d d"),
    await walked(answers, "", "/"),
    await walked(refuses, ""),
    await walked(empty, "", "o", "d", "enter", "escape", "q", "/ 'zz' enter"),
    await walked(reading, ""),
  ]).toMatchSnapshot()
})

test("of 10,000 runs only those on the screen are drawn, and a key is drawn at once", async () => {
  const many = Array.from({ length: 10_000 }, (_, i) => [`run-${i}`, HOUR + i * 60_000, done] as const)
  const screen = await home(many)
  await screen.text()
  const before = process.cpuUsage()
  for (let i = 0; i < 50; i++) screen.press("pagedown")
  await screen.text()
  // Processor time, which a busy machine does not lengthen.
  expect(process.cpuUsage(before).user).toBeLessThan(2_000_000)
  expect(await screen.press("G").text()).toContain("└─ 10,000 of 10,000 ─")
})

test("a quiet list is not drawn again while time passes; what runs grows older", async () => {
  const quiet = await home([["889d", HOUR, done]])
  await quiet.text()
  const drawn = quiet.drawn()
  quiet.pass(10_000)
  await quiet.settle()
  expect(quiet.drawn()).toBe(drawn)
})
