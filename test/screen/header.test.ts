// Tests the header: the run, its state, the connection and the figures.
import { describe, expect, test } from "bun:test"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import type { Link } from "../../packages/wire/src/link.ts"
import { haiku, readFrames } from "../fixtures.ts"
import { delta, event, line } from "../run/lines.ts"
import { NOW, replay, type Shown, show, URL } from "./screen.tsx"

const started = event(0, "runner/started", { "session-id": ":session/x", "chart-id": ":tea/party", "resume?": false })
const config = event(1, "runner/start-config", { config: ["party", "boiling"] })
const phase = line({
  kind: "phase",
  config: ["party", "boiling"],
  breadcrumb: ["party", "boiling"],
  siblings: ["boiling", "pouring"],
})

const ids = { invokeid: "a", "session-id": "s" }
const usage = { "input-tokens": 64_000, "cached-tokens": 32_000, "output-tokens": 2536, "cost-usd": 0.305 }
const start = event(2, "llm/start", ids)
const reply = (used: object, seq = 3) => event(seq, "llm/response", { ...ids, content: [], usage: used })
const done = event(4, "runner/done", { "final-config": ["party", "done"], status: "done" })
const pours = { "event-name": "go", "config-before": [], "config-after": ["party", "pouring"], entered: ["pouring"] }
const pouring = event(2, "runner/event-processed", pours)
const told = [started, config, phase]
const asks = (id: string) => line({ kind: "prompt", "prompt-id": id, type: "confirm", opts: { prompt: "Milk?" } })
const debug = (keys: object) => line({ kind: "debug", "step-budget": 0, ...keys })
const lost = (keys: object = {}): Link => ({
  ...{ state: "lost", url: URL, since: NOW - 12_000, retryAt: NOW + 2000, why: "closed", everOpen: true, ...keys },
})
const ended = (incompleteLength = 0): Link => ({ state: "ended", path: "run.jsonl", incompleteLength })

async function header(screen: Shown): Promise<string> {
  const [first = ""] = await screen.rows()
  return first.trimEnd()
}

const exited = { link: { state: "exited", command: "sh", code: 3 } } as const
const failed = event(1, "runner/error", { message: "exit code 3" })
const uncounted = event(3, "llm/delta", { ...ids, text: "line", usage: { "output-tokens": 0 } })

type Options = Parameters<typeof show>[0]
/** What is there, what the header has, and what it hasn't. */
type Case = readonly [what: string, options: Options, lines: readonly Decoded[], has: string | RegExp, hasNot?: RegExp]

const small = { columns: 40, rows: 10 }
const named = { chart: "tea-party", session: "889d14f8" }

const CASES: readonly Case[] = [
  ["the spawner's names of chart and session", named, [started, config], /^ tea-party {2}889d14f8 {3}party › boiling/],
  ["the chart's own name if the spawner gave none", {}, [started], /^ tea\/party/],
  ["the breadcrumb and siblings of the phase", {}, told, "party › ▸boiling  pouring"],
  [
    "no mark at a state that has no sibling",
    {},
    [started, config, line({ kind: "phase", config: ["party", "boiling"], siblings: ["boiling"] })],
    "party › boiling",
    /▸/,
  ],
  ["the config without a phase frame", {}, [started, config], "party › boiling", /▸/],
  ["that a command failed, its code in the banner", exited, [started, failed], "✗ error", /exit code/],
  ["no rate of words whose tokens nobody counts", {}, [started, start, uncounted], "live", /[/]s/],
  ["no outdated phase", {}, [...told, pouring], "party › pouring ", /▸/],
  [
    "no siblings if space is short",
    { chart: "tea-party-of-the-hatter", columns: 60 },
    told,
    /^ tea-party-of-the-hatter {3}party › boiling /,
  ],
  ["no session if space is short", { ...named, columns: 62 }, told, /^ tea-party {3}party › ▸boiling {2}pouring /],
  ["no cost before there is any", {}, told, "", /\$/],
  ["no cost that nobody tells", {}, [reply({ "input-tokens": 64, "output-tokens": 2 })], /64 in {2}2 out$/],
  ["that the run finished", {}, [started, done], "✓ finished", /live/],
  ["that the connection closed after the run", { link: lost() }, [started, done], "✓ finished · disconnected", /retry/],
  ["end of recording", { link: ended() }, [], "end of recording"],
  ["no problem if there is none", {}, [started, config], "", /missing|not understood|\?/],
  ["no gap for a coalesced delta", {}, [started, delta(7, "x", { coalesced: 7 })], "7 out", /missing/],
  ["no problem for progress", {}, [line({ kind: "progress", phase: "update", pct: 0.5 })], "", /not understood|✗/],
  ["at 40 columns the state of a recording", { ...small, link: ended() }, [started, config], /^ · boiling/],
  ["at 40 columns a pause before a turn", small, [config, debug({ mode: "paused-at-turn" })], /^ PAUSED boiling/],
  ["at 40 columns done", small, [started, config, done], /✓.*done/],
]
for (const [what, options, lines, has, hasNot = "none of this"] of CASES) {
  test(`the header says ${what}`, async () => {
    const screen = await show(options)
    expect(await header(screen.feed(...lines))).toMatch(has)
    expect(await header(screen)).not.toMatch(hasNot)
  })
}

describe("the header", () => {
  test("ticks the states that the run has been in", async () => {
    const screen = await show({ columns: 140 })
    const entered = (seq: number, before: string, after: string) =>
      event(seq, "runner/event-processed", {
        ...{ "config-before": [before], "config-after": [after], entered: [after], exited: [before] },
      })
    const siblings = ["planning", "writing", "judging", "done"]
    screen.feed(started, event(1, "runner/start-config", { config: ["planning"] }))
    screen.feed(entered(2, "planning", "writing"), entered(3, "writing", "judging"))
    screen.feed(line({ kind: "phase", config: ["judging"], breadcrumb: ["judging"], siblings, ts: 5000 }))
    expect(await header(screen)).toContain(" planning ✓  writing ✓  ▸judging  done ")
  })

  test("draws the tokens of the whole run in its middle, as wide as there is room", async () => {
    const screen = await show({ chart: "t", columns: 120, link: replay })
    const at = (seq: number, seconds: number) => delta(seq, "x", { ...ids, ts: NOW + seconds * 1000 })
    screen.feed(event(0, "llm/start", ids, NOW), at(1, 0), at(2, 1), at(3, 1), at(4, 39), at(5, 40))
    const graph = async () => /[▁-█]+/.exec(await header(screen))?.[0] ?? ""
    const whole = await graph()
    expect(whole.length).toBeGreaterThan(60)
    const seconds = whole.split("").flatMap((cell, i) => (cell === "▁" ? [] : [Math.round((40 * i) / whole.length)]))
    expect([...new Set(seconds)]).toEqual([0, 1, 39])
    screen.resize(60, 24)
    expect((await graph()).length).toBeLessThan(whole.length)
    screen.resize(44, 24)
    expect(await graph()).toBe("")
    const brief = await show({ chart: "t", columns: 120, link: replay }, event(0, "llm/start", ids, NOW), at(1, 0))
    expect(await header(brief)).not.toMatch(/[▁-█]/)
  })

  test("keeps the whole name while it fits beside tokens and cost, and the end of the path for longest", async () => {
    const chart = "com.fulcrologic.escapement.examples/release-with-a-review"
    const screen = await show({ chart, session: "889d14f8", columns: 122 })
    const told = await header(screen.feed(started, config, phase, start, reply(usage)))
    expect(told).toMatch(/-with-a-review {3}party › boiling .* 2,536 out {2}\$0\.3050$/)
    expect(await header(screen.resize(160, 24))).toContain("64,000 in (50% cached)  2,536 out  $0.3050")
    screen.resize(80, 24)
    expect(await header(screen)).toMatch(/^ com\.ful\S*… {3}boiling {2}● live {2}00:00 {2}2,536 out {2}\$0\.3050$/)
    expect(await header(screen.resize(60, 24))).toContain("$0.3050")
  })

  test("says in the past that the run is paused now", async () => {
    const screen = await show({}, started, config)
    const { run } = screen.store.get()
    screen.feed(debug({ paused: true })).store.dispatch({ type: "show", run })
    expect(await header(screen)).toContain("PAST  LIVE PAUSED +1")
  })

  test("counts the problems of an agent CLI's parser", async () => {
    const screen = await show({ columns: 120 })
    screen.feed(started, line({ kind: "sidecar", at: null, what: "parser", why: "unknown item" }))
    expect(await header(screen)).toContain("1 parser problem ")
  })

  test("says that a run failed, beside its name and its cost, at any width", async () => {
    const screen = await show({ columns: 120, chart: "harbour" })
    screen.feed(reply(usage, 0), event(1, "runner/error", { message: "deployer refused to deploy 4.2.1" }))
    for (const columns of [120, 100, 90, 80, 70, 60]) {
      const row = await header(screen.resize(columns, 24))
      expect(row).toMatch(/^ harbour .*✗ error .*\$0\.3050/)
    }
    expect(await header(screen.resize(40, 24))).toContain("✗ error")
  })

  test("has the recording's own elapsed time", async () => {
    const lines = await readFrames(haiku)
    const screen = await show({ link: replay }, ...lines)
    // 1780798849139 to 1780798855020: 5.881 s.
    expect(await header(screen)).toContain("00:05")
    expect(await header(screen.pass(60_000))).toContain("00:05")
  })

  test("groups tokens in thousands, and has the current rate with one decimal", async () => {
    const screen = await show({ now: 134_310 })
    screen.feed(started, event(1, "llm/start", { invokeid: "a", "session-id": "s" }))
    screen.feed(delta(2, "x", { usage: { "output-tokens": 11_931 }, ts: 10_000 }))
    screen.feed(delta(3, "x", { usage: { "output-tokens": 12_431 }, ts: 134_310 }))
    // 500 tokens in the five seconds from 130 to 134.31.
    expect(await header(screen)).toEndWith("02:13  12,431 out  116/s")
    screen.feed(event(4, "llm/worker-exit", { invokeid: "a", "session-id": "s", reason: "done" }))
    expect(await header(screen)).toEndWith("12,431 out")
  })

  test("goes on with the clock and without a rate where the replies of a live run stall, as the rows do", async () => {
    const screen = await show({ now: 10_000 })
    screen.feed(event(1, "llm/start", { invokeid: "a", "session-id": "s" }, 1000))
    for (let seq = 2; seq < 40; seq++) screen.feed(delta(seq, "x", { ts: 1000 + 150 * seq }))
    expect(await header(screen)).toMatch(/00:09 .* \d\d?\.\d\/s$/)
    screen.pass(32_000)
    expect(await header(screen.press("m"))).toEndWith("00:41  38 out  0/s")
    screen.link({ state: "lost", url: URL, since: 42_000, retryAt: 43_000, why: "closed", everOpen: true })
    expect(await header(screen)).toContain("00:05")
  })

  test("goes on with the clock while a person is asked, as the waterfall does, and stands once the run is over", async () => {
    const screen = await show({ now: 43_000 })
    screen.feed(started, event(1, "llm/worker-exit", { ...ids, reason: "done" }, 42_000), asks("p1"))
    screen.pass(60_000)
    expect(await header(screen.press("alt-h"))).toMatch(/ 01:42$/)
    screen.feed(event(2, "runner/done", { status: "done" }, 50_000))
    expect(await header(screen)).toMatch(/ 00:49$/)
  })
})
