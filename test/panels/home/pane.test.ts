// Tests the home screen: what each width shows of a run, and what its keys ask for.
import { describe, expect, test } from "bun:test"
import { type TailFacts, tailFacts } from "../../../src/run/select/tail-facts.ts"
import type { CliSession, Home, HomeFacts } from "../../../src/view/home.ts"
import { tell } from "../../run/lines.ts"
import { NOW, type Shown, show } from "../../screen/screen.tsx"

const none = tailFacts(tell([]), null)
const done: TailFacts = {
  ...none,
  ...{ chart: "haiku/tournament", state: "judged", end: "done", last: "judge 2: Poet 4 keeps the cut" },
  ...{ firstTs: NOW - 102_000, lastTs: NOW, tokens: 12_431, isWhole: false, errors: 3 },
}
const asking: TailFacts = { ...done, end: null, asks: "Which title?", last: "asks: Which title?", isWhole: true }

/** Home over runs that changed so many ms ago. */
async function home(
  runs: readonly (readonly [name: string, ago: number, facts: TailFacts | null])[],
  size: { readonly columns?: number; readonly rows?: number } = {},
  more: Partial<Home> = {},
): Promise<Shown> {
  const screen = await show({ ...size, link: { state: "closed" } })
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

const HOUR = 3_600_000
const two = [
  ["7f3a", 0, asking],
  ["889d", HOUR, done],
] as const

test.each([
  [140, /✓ haiku\/tournament {2}889d +done +judge 2: Poet 4 keeps the cut +\d\d:13 +1m42s +12,431\+ +3 /],
  [110, /✓ haiku\/tournament {2}889d +judge 2: Poet 4 keeps the cut +\d\d:13 +1m42s +12,431\+ /],
  [100, /✓ haiku\/tournament {2}889d +judge 2: Poet 4 keeps the cut +\d\d:13 +1m42s /],
  [64, /✓ haiku\/tournam?e?n?… {2}889d +judge 2: P.*… +\d\d:13 /],
  [40, /✓ haiku\/.*… {2}889d {2}judge 2: .*…/],
])("a row shows, as far as the width allows, at %d columns", async (columns, row) => {
  const screen = await home(two, { columns, rows: 30 })
  expect(await screen.row("889d")).toMatch(row)
  expect(await screen.row("7f3a")).toContain("? haiku/")
})

test("a run whose clock stepped back is not said to have taken no time", async () => {
  const screen = await home([["back", HOUR, { ...done, firstTs: NOW + 5000 }]], { columns: 140, rows: 30 })
  expect(await screen.row("back")).not.toContain("0.0s")
})

test("a run that broke off is shown in the state that it was in", async () => {
  const screen = await home([["cut", HOUR, { ...done, end: null }]], { columns: 140, rows: 30 })
  expect(await screen.row("cut")).toMatch(/cut +judged +no activity: judge 2/)
})

describe("a session of an agent CLI shows where it is, what its CLI tells and what it said last,", () => {
  const session: CliSession = {
    ...{ id: "01a20d6f-93fd", state: "waiting", place: "~/harbour/lamps", branch: "main", title: "Mend the lamp" },
    ...{ model: "gpt-5.1-codex", context: 0.42, subagents: 2 },
  }
  const facts = { ...none, session, last: "May I run make?", asks: "May I run make?", tokens: 13_293, cost: "$0.05" }
  const told: HomeFacts = { ...facts, firstTs: NOW - 62_000, lastTs: NOW }
  const runs = [{ name: "/s.jsonl", directory: "/s.jsonl", cli: "codex", changedAt: NOW - 40_000 }]
  test.each([
    [
      180,
      /codex {3}~\/harbour\/lamps main +waiting +gpt-5.1-codex +Mend the lamp · May I run make\? +now +1m02s +42% /,
    ],
    [100, /\? codex {3}…\/harbour\/lamps main +Mend the lamp · May I.*… +now +1m02s +13,293 +\$0.05/],
    [64, /\? codex {3}…\/lamps +Mend the lamp · .*… +now /],
    [40, /\? codex {3}…\/lamps {2}Mend the.*…/],
  ])("at %d columns", async (columns, row) => {
    const screen = await home([], { columns, rows: 30 }, { runs, facts: new Map([["/s.jsonl", told]]) })
    expect(await screen.row("Mend the")).toMatch(row)
    expect(await screen.text()).toContain("Needs you")
  })
})

test("j and k move over the headings, and Enter opens the run under the cursor", async () => {
  const screen = await home(two)
  expect(await screen.press("j").text()).toContain("└─ 2 of 2 ─")
  screen.press("enter", "k", "k", "enter")
  expect(screen.choose("demo").effects).toEqual([
    { type: "run/open", target: { type: "recording", path: "/r/889d" } },
    { type: "run/open", target: { type: "recording", path: "/r/7f3a" } },
    { type: "run/open", target: { type: "demo" } },
  ])
})

test("what is typed into the commands stands in their box alone", async () => {
  const screen = await home(two)
  screen.press(":").type("demo")
  expect((await screen.text()).match(/│ : demo /g)).toHaveLength(1)
})

test.each([
  ["8080", "ws://127.0.0.1:8080/ws"],
  ["localhost:9", "ws://localhost:9/ws"],
  ["localhost:9/other", "ws://localhost:9/other"],
  [" wss://host/ws ", "wss://host/ws"],
])("u and %s attaches to %s", async (typed, url) => {
  const screen = await home(two)
  screen.choose("attach").type(typed)
  screen.press("enter")
  expect(screen.effects).toEqual([{ type: "run/open", target: { type: "agent", url, directory: null } }])
})

test("q leaves the program, Esc alone and Enter in an empty list do nothing, and an empty path opens nothing", async () => {
  const screen = await home([])
  screen.press("escape", "enter").choose("open a recording")
  await screen.settle()
  expect(screen.press("enter").effects).toEqual([])
  expect(screen.press("q").effects).toEqual([{ type: "program/exit", code: 0 }])
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

test("what was filtered away comes back with Esc, the cursor where it was", async () => {
  const screen = await home(two)
  screen.press("/").type("which")
  expect(await screen.text()).not.toContain("889d")
  expect(await screen.press("enter", "escape").text()).toContain("889d")
  screen.press("j", "/").type("which")
  expect(await screen.press("escape").text()).toContain("889d")
  expect(await screen.row("▌")).toContain("889d")
  const one = await home([["889d", HOUR, done]])
  expect(await one.press("/").type("zzz").text()).toContain('No run has "zzz". Esc shows all')
})

test("a click on a run puts the cursor there, and a second one opens it", async () => {
  const screen = await home(two, { columns: 120, rows: 30 })
  await screen.click("889d")
  expect(screen.effects.filter(({ type }) => type === "run/open")).toEqual([])
  await screen.click("889d")
  expect(screen.effects.filter(({ type }) => type === "run/open")).toHaveLength(1)
})

test("the wheel moves the cursor to other runs", async () => {
  const many = Array.from({ length: 60 }, (_, n) => [`run-${n}.`, n * 1000, done] as const)
  const screen = await home(many)
  await screen.wheel("run-1.", "down", 2)
  expect(await screen.text()).toContain("└─ 7 of 60 ─")
})

test("d removes only a run that was kept, after it was asked twice", async () => {
  const screen = await home([
    ["kept/one", 0, done],
    ["889d", HOUR, done],
  ])
  const footer = async () => (await screen.rows()).at(-1)
  expect(await footer()).toContain("d delete")
  screen.press("d")
  expect(await footer()).toContain("d again removes this run from the disk")
  screen.press("j")
  expect(await footer()).not.toContain("d delete")
  screen.press("d", "d")
  expect(await footer()).toContain("Only runs that `run` has kept are removed")
  // The cursor has moved in between: it asks again.
  screen.press("k", "d")
  const removed = () => screen.effects.filter(({ type }) => type === "run/forget")
  expect(removed()).toEqual([])
  screen.press("d")
  expect(removed()).toEqual([{ type: "run/forget", name: "kept/one" }])
})

test("of a run whose beginning was not read the reader says so, and of a whole one it doesn't", async () => {
  const screen = await home(two)
  expect(await screen.text()).not.toContain("earlier")
  expect(await screen.press("j").text()).toContain("… earlier is not read")
})

test("an empty home names the agent CLIs that are here, and how to watch one", async () => {
  const screen = await home([], {}, { clis: ["codex", "pi"] })
  const text = await screen.text()
  expect(text).toMatch(
    /Found here: codex, pi\. Watch one by[^\n]*\n. +opentui-sidecar run codex "why does the test fail\?"/,
  )
  expect(text).toMatch(/Press : and type[\s\S]*demo +agents at work, a minute/)
})
