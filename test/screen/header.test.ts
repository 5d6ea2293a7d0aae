// Tests the header: the run, its state, the connection and the figures.
import { afterEach, describe, expect, test } from "bun:test"
import { haiku, readFrames } from "../fixtures.ts"
import { delta, event, line } from "../run/lines.ts"
import { endScreens, live, NOW, replay, type Shown, show, URL } from "./screen.tsx"

afterEach(endScreens)

const started = event(0, "runner/started", { "session-id": ":session/x", "chart-id": ":tea/party", "resume?": false })
const config = event(1, "runner/start-config", { config: ["party", "boiling"] })
const phase = line({
  kind: "phase",
  config: ["party", "boiling"],
  breadcrumb: ["party", "boiling"],
  siblings: ["boiling", "pouring"],
})

async function header(screen: Shown): Promise<string> {
  const [first = ""] = await screen.rows()
  return first.trimEnd()
}

describe("the run in the header", () => {
  test("starts with the spawner's names of chart and session", async () => {
    const screen = await show({ chart: "tea-party", session: "889d14f8" })
    screen.feed(started, config)
    expect(await header(screen)).toStartWith(" tea-party  889d14f8   party › boiling")
  })

  test("takes the chart's own name if the spawner gave none", async () => {
    const screen = await show()
    screen.feed(started)
    expect(await header(screen)).toStartWith(" tea/party")
  })
})

describe("the state in the header", () => {
  test("shows the breadcrumb and siblings of the phase, the active one marked", async () => {
    const screen = await show({ chart: "t" })
    screen.feed(started, config, phase)
    expect(await header(screen)).toContain("party › ▸boiling  pouring")
  })

  test("shows the active config without a phase frame", async () => {
    const screen = await show({ chart: "t" })
    screen.feed(started, config)
    expect(await header(screen)).toContain("party › boiling")
    expect(await header(screen)).not.toContain("▸")
  })

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

  test("counts the sessions that are done, failed ones too, and the tokens that went in", async () => {
    const screen = await show({ columns: 140 })
    const of = (id: string) => ({ invokeid: "a", "session-id": id })
    const usage = { "input-tokens": 6799, "output-tokens": 12 }
    screen.feed(event(1, "llm/start", of("1")), event(2, "llm/start", of("2")), event(3, "llm/start", of("3")))
    screen.feed(event(4, "llm/response", { ...of("1"), content: [], usage }))
    screen.feed(event(5, "llm/error", { ...of("2"), message: "no" }))
    expect(await header(screen)).toContain("2 of 3 done  00:00  6,799 in  12 out")
    expect(await header(screen)).toContain(" ✗1 ")
    screen.resize(60, 24)
    expect(await header(screen)).not.toContain("6,799 in")
  })

  test("shows the config instead of an outdated phase, without its siblings", async () => {
    const screen = await show({ chart: "t" })
    const after = {
      "event-name": "go",
      "config-before": [],
      "config-after": ["party", "pouring"],
      entered: ["pouring"],
    }
    screen.feed(started, config, phase, event(2, "runner/event-processed", after))
    expect(await header(screen)).toContain("party › pouring ")
    expect(await header(screen)).not.toContain("▸")
  })

  test("drops the session first if space is short, then the siblings, never the path", async () => {
    const screen = await show({ chart: "tea-party", session: "889d14f8", columns: 74, rows: 24 })
    screen.feed(started, config, phase)
    expect(await header(screen)).toStartWith(" tea-party   party › ▸boiling  pouring ")
    screen.resize(62, 24)
    expect(await header(screen)).toStartWith(" tea-party   party › boiling ")
  })

  test("draws the tokens of the whole run in its middle, as wide as there is room", async () => {
    const screen = await show({ chart: "t", columns: 120, link: replay })
    const ids = { invokeid: "a", "session-id": "s" }
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
  })

  test("keeps tokens, cached part and cost beside a long name, and the cost beside a narrow one", async () => {
    const chart = "com.fulcrologic.escapement.examples/release-with-a-review"
    const screen = await show({ chart, session: "889d14f8", columns: 120 })
    const usage = { "input-tokens": 64_000, "cached-tokens": 32_000, "output-tokens": 2536, "cost-usd": 0.305 }
    screen.feed(started, config, phase, event(2, "llm/start", { invokeid: "a", "session-id": "s" }))
    screen.feed(event(3, "llm/response", { invokeid: "a", "session-id": "s", content: [], usage }))
    const told = await header(screen)
    expect(told).toContain("64,000 in (50% cached)  2,536 out  $0.31")
    expect(told).toMatch(/^ com\.fulcrologic\.\S*… {3}party › boiling {2}/)
    screen.resize(80, 24)
    expect(await header(screen)).toMatch(/^ com\.ful\S*… {3}party › boiling .* 2,536 out {2}\$0\.31$/)
    screen.resize(60, 24)
    expect(await header(screen)).toContain("$0.31")
  })

  test("says why a run failed at any width, beside its cost", async () => {
    const screen = await show({ columns: 120 })
    const usage = { "input-tokens": 64, "output-tokens": 2536, "cost-usd": 0.305 }
    screen.feed(event(0, "llm/response", { invokeid: "a", "session-id": "s", content: [], usage }))
    screen.feed(event(1, "runner/error", { message: "deployer refused to deploy 4.2.1" }))
    for (const columns of [120, 100, 90, 80, 70, 60, 40]) {
      screen.resize(columns, 24)
      expect(await header(screen)).toContain("✗ error: de")
      if (columns >= 60) expect(await header(screen)).toContain("$0.31")
    }
  })

  test("has a dash for a cost that nobody tells", async () => {
    const screen = await show({ columns: 120 })
    screen.feed(started, config, phase)
    expect(await header(screen)).not.toContain("$")
    const usage = { "input-tokens": 64, "output-tokens": 2 }
    screen.feed(event(2, "llm/response", { invokeid: "a", "session-id": "s", content: [], usage }))
    expect(await header(screen)).toEndWith("64 in  2 out")
  })
})

describe("the connection in the header", () => {
  test("says connecting, live, or disconnected with how long and when it retries", async () => {
    const screen = await show({ link: { state: "connecting", url: URL, attempt: 1 } })
    expect(await header(screen)).toContain("◌ connecting")
    screen.link(live)
    expect(await header(screen)).toContain("● live")
    const since = NOW - 12_000
    screen.link({ state: "lost", url: URL, since, retryAt: NOW + 2000, why: "closed", everOpen: true })
    expect(await header(screen)).toContain("✗ disconnected 12s, retrying in 2s")
  })

  test("does not call an agent disconnected that was never there", async () => {
    const screen = await show({
      link: { state: "lost", url: URL, since: NOW, retryAt: NOW + 1500, why: "refused", everOpen: false },
    })
    expect(await header(screen)).toContain("✗ not connected, retrying in 2s")
  })

  test("says that the run finished, and that the connection closed after it", async () => {
    const screen = await show()
    screen.feed(started, event(1, "runner/done", { "final-config": ["party", "done"], status: "done" }))
    expect(await header(screen)).toContain("✓ finished")
    screen.link({ state: "lost", url: URL, since: NOW, retryAt: NOW + 1, why: "closed", everOpen: true })
    expect(await header(screen)).toContain("✓ finished · disconnected")
    expect(await header(screen)).not.toContain("retry")
  })

  for (const [name, data, words] of [
    ["runner/aborted", { reason: "the kettle is empty" }, "✗ aborted: the kettle is empty"],
    ["runner/error", { message: "no tea" }, "✗ error: no tea"],
  ] as const) {
    test(`shows the reason of ${name} at each size`, async () => {
      for (const [columns, rows] of [
        [120, 40],
        [80, 24],
        [40, 10],
      ] as const) {
        const screen = await show({ columns, rows })
        screen.feed(started, config, event(2, name, data))
        expect(await header(screen)).toContain(columns === 40 ? words.slice(2, 9) : words)
        // It is given once, since the reason needs the space.
        expect((await header(screen)).split("✗").length).toBe(2)
      }
    })
  }

  test("says paused by the debugger", async () => {
    const screen = await show()
    screen.feed(started, line({ kind: "debug", paused: true, "step-budget": 0 }))
    expect(await header(screen)).toMatch(/PAUSED ● live {2}\d/)
  })

  test("says replay, then end of recording, and that the last line is incomplete", async () => {
    const screen = await show({ link: replay })
    expect(await header(screen)).toContain("▸ replay")
    screen.link({ state: "ended", path: "run.jsonl", incompleteLength: 0 })
    expect(await header(screen)).toContain("end of recording")
    screen.link({ state: "ended", path: "run.jsonl", incompleteLength: 17 })
    expect(await header(screen)).toContain("! last line incomplete")
  })
})

describe("problems in the header", () => {
  test("count missing numbers and malformed lines", async () => {
    const screen = await show()
    screen.feed(started, event(4, "llm/start", { invokeid: "a", "session-id": "s" }), line({ kind: "news" }))
    expect(await header(screen)).toContain("! 3 missing")
    expect(await header(screen)).toContain("! 1 not understood")
  })

  test("are not mentioned if there are none", async () => {
    const screen = await show()
    screen.feed(started, config)
    expect(await header(screen)).not.toContain("missing")
    expect(await header(screen)).not.toContain("not understood")
    expect(await header(screen)).not.toContain("?")
  })

  test("do not include a coalesced delta as a gap", async () => {
    const screen = await show()
    screen.feed(started, event(1, "llm/start", { invokeid: "a", "session-id": "s" }))
    screen.feed(delta(8, "seven words", { coalesced: 7 }))
    expect(await header(screen)).not.toContain("missing")
    expect(await header(screen)).toContain("7 out")
  })

  test("do not include a progress frame", async () => {
    const screen = await show()
    screen.feed(started, line({ kind: "progress", phase: "update", invokeid: "a", pct: 0.5, label: "boils" }))
    expect(await header(screen)).not.toContain("not understood")
    expect(await screen.text()).not.toContain("✗")
  })

  test("include the prompts that wait, counted", async () => {
    const screen = await show()
    screen.feed(line({ kind: "prompt", "prompt-id": "p1", type: "confirm", opts: { prompt: "Milk?" } }))
    expect(await header(screen)).toContain(" ?1 ")
    screen.feed(line({ kind: "prompt", "prompt-id": "p2", type: "confirm", opts: { prompt: "Sugar?" } }))
    expect(await header(screen)).toContain(" ?2 ")
    expect(await screen.row("SESSIONS")).toContain("?2 ")
  })
})

describe("the figures in the header", () => {
  test("have the recording's own elapsed time", async () => {
    const lines = await readFrames(haiku)
    const screen = await show({ link: replay })
    screen.feed(...lines)
    // 1780798849139 to 1780798855020: 5.881 s.
    expect(await header(screen)).toContain("00:05")
    screen.pass(60_000)
    expect(await header(screen)).toContain("00:05")
  })

  test("group tokens in thousands, and have the current rate with one decimal", async () => {
    const screen = await show({ now: 134_310 })
    screen.feed(started, event(1, "llm/start", { invokeid: "a", "session-id": "s" }))
    screen.feed(delta(2, "x", { usage: { "output-tokens": 11_931 }, ts: 10_000 }))
    screen.feed(delta(3, "x", { usage: { "output-tokens": 12_431 }, ts: 134_310 }))
    // 500 tokens in the five seconds from 130 to 134.31.
    expect(await header(screen)).toEndWith("02:13  12,431 out  116/s")
    screen.feed(event(4, "llm/worker-exit", { invokeid: "a", "session-id": "s", reason: "done" }))
    expect(await header(screen)).toEndWith("12,431 out")
  })

  test("go on with the clock and without a rate where the replies of a live run stall, as the rows do", async () => {
    const screen = await show({ now: 10_000 })
    screen.feed(event(1, "llm/start", { invokeid: "a", "session-id": "s" }, 1000))
    for (let seq = 2; seq < 40; seq++) screen.feed(delta(seq, "x", { ts: 1000 + 150 * seq }))
    expect(await header(screen)).toMatch(/00:09 .* \d\d?\.\d\/s$/)
    screen.pass(32_000)
    screen.press("m")
    expect(await header(screen)).toEndWith("00:41  38 out  0/s")
    screen.link({ state: "lost", url: URL, since: 42_000, retryAt: 43_000, why: "closed", everOpen: true })
    expect(await header(screen)).toContain("00:05")
  })

  test("have no time before the first frame", async () => {
    expect(await header(await show())).toEndWith("● live · waiting")
  })
})

describe("the header at 40 columns", () => {
  test("keeps the state, the time and the alerts", async () => {
    const screen = await show({ columns: 40, rows: 10 })
    const failed = { invokeid: "a", "session-id": "s", message: "no water" }
    screen.feed(started, config, event(2, "llm/error", failed, 43_000))
    screen.feed(line({ kind: "prompt", "prompt-id": "p1", type: "confirm", opts: { prompt: "Milk?" } }))
    expect(await header(screen)).toStartWith(" ● boiling")
    expect(await header(screen)).toEndWith("00:42 ?1 ✗1")
  })

  test("shows a lost connection in place of the state", async () => {
    const screen = await show({
      columns: 40,
      rows: 10,
      link: { state: "lost", url: URL, since: NOW - 12_000, retryAt: NOW + 2000, why: "closed", everOpen: true },
    })
    expect(await header(screen)).toContain("✗ disconnected 12s, retrying in 2s")
  })

  test("keeps the state of a recording that ended before its run", async () => {
    const screen = await show({
      columns: 40,
      rows: 10,
      link: { state: "ended", path: "run.jsonl", incompleteLength: 0 },
    })
    screen.feed(started, config)
    expect(await header(screen)).toStartWith(" · boiling")
  })

  test("shows a pause before a turn, and the connection beside it", async () => {
    const screen = await show({ columns: 40, rows: 10 })
    screen.feed(started, config, line({ kind: "debug", paused: false, "step-budget": 0, mode: "paused-at-turn" }))
    expect(await header(screen)).toStartWith(" PAUSED boiling")
    screen.resize(120, 40)
    expect(await header(screen)).toMatch(/PAUSED ● live {2}\d/)
  })

  test("says paused and done in whole words", async () => {
    const screen = await show({ columns: 40, rows: 10 })
    screen.feed(started, config, line({ kind: "debug", paused: true, "step-budget": 0 }))
    expect(await header(screen)).toContain("PAUSED")
    screen.feed(event(2, "runner/done", { "final-config": ["party", "done"], status: "done" }))
    expect(await header(screen)).toContain("✓")
    expect(await header(screen)).toContain("done")
  })
})
