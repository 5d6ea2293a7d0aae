// Tests which alerts there are, from when until when, in order of age.
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import type { Link } from "../../../packages/wire/src/link.ts"
import { alertsOf, asksForPerson, hasAlerts, needs } from "../../../src/panels/alerts/alerts.ts"
import { silentAt } from "../../../src/panels/common/silence.ts"
import { plan, reader } from "../../../src/panels/plan.ts"
import { entryIdAt } from "../../../src/run/identity/find-by-id.ts"
import { emptyList } from "../../../src/run/model/chunked-list.ts"
import { promptKey } from "../../../src/run/model/id.ts"
import type { Run } from "../../../src/run/model/run.ts"
import { runFindings } from "../../../src/run/select/run-findings.ts"
import type { Intent } from "../../../src/view/intent.ts"
import { reduce } from "../../../src/view/reduce.ts"
import { emptyState, type StoreState } from "../../../src/view/state.ts"
import { shownState } from "../../../src/view/store.ts"
import { readFrames, root } from "../../fixtures.ts"
import { deepFreeze } from "../../freeze.ts"
import { delta, event, idAt, line } from "../../run/lines.ts"

const T = 1_000_000
const live: Link = { state: "open", url: "ws://127.0.0.1:1/ws", since: 0 }
const lost: Link = { state: "lost", url: "ws://127.0.0.1:1/ws", since: 0, retryAt: 1, why: "", everOpen: true }
const replay: Link = { state: "replaying", path: "run.jsonl", incompleteLength: 0 }

function state(lines: readonly Decoded[], link: Link = live): StoreState {
  return deepFreeze(reduce(emptyState(link), { type: "frames", frames: lines }))
}

let seq = 0
const withLimits = (run: Run, limits: Partial<Run["options"]["limits"]>): Run => {
  return { ...run, options: { ...run.options, limits: { ...run.options.limits, ...limits } } }
}
const at = (ts: number, name: string, data: object = {}) =>
  event(seq++, name, { invokeid: "a", "session-id": "s", ...data }, T + ts)
const start = (ts: number, id = "s", invokeid = "a") => at(ts, "llm/start", { invokeid, "session-id": id })
const fails = (ts: number, id = "s") => at(ts, "llm/error", { "session-id": id, message: "overloaded" })
const result = (ts: number, preview: string, tool = "bash") => at(ts, "llm/tool-result", { tool, preview })
const calls = (ts: number, ...inputs: readonly object[]) =>
  at(ts, "llm/response", { content: inputs.map(input => ({ type: "tool_use", name: "bash", input })) })
const asks = (id: string, invokeid: string | null = "a") =>
  line({ kind: "prompt", "prompt-id": id, invokeid, type: "text", opts: { prompt: "Which name?\nSay it." } })
const asking = (one: StoreState) => asksForPerson(shownState(one), T)
const alerts = (one: StoreState, now: number) => alertsOf(shownState(one), now)
const shown = (one: StoreState, now = T) =>
  alerts(one, now).map(({ what, who, since }) => `${what} ${who} ${(since ?? T - 1) - T}`)

describe("an alert", () => {
  test("is a question while it is open, on a recording too, where it was never answered", () => {
    const lines = [start(0), asks("p")]
    expect(alerts(state(lines), T)).toMatchObject([
      {
        what: "prompt",
        who: "a",
        why: "asks: Which name? Say it.",
        since: T,
        target: { type: "prompt", key: promptKey("p", null) },
      },
    ])
    expect(shown(state([...lines, at(5, "human-input/answer")]))).toEqual([])
    expect(shown(state(lines, replay))).toEqual(["prompt a 0"])
    expect(shown(state([...lines, at(5, "human-input/answer")], replay))).toEqual([])
    expect(shown(state(lines, lost))).toEqual(["prompt a 0"])
  })

  test("is a question whose prompt is missing, until it comes, is answered, or another run begins", () => {
    const started = event(1, "runner/started", {}, 10)
    const start = (seq: number, invokeid: string) =>
      event(seq, "human-input/start", { invokeid, kind: "text", prompt: "Which name?" }, T)
    const lines = [started, start(2, "a"), start(3, "b"), event(4, "human-input/start", { kind: "progress" })]
    expect(alerts(state(lines), T).map(({ who, why }) => [who, why])).toEqual([
      ["a", "asked, but the question did not arrive: Which name?"],
      ["b", "asked, but the question did not arrive: Which name?"],
    ])
    const answered = event(5, "human-input/answer", { invokeid: "a", answer: "x" })
    expect(alerts(state([...lines, answered]), T).map(({ who }) => who)).toEqual(["b"])
    expect(alerts(state([...lines, answered, asks("b", "b")]), T)).toHaveLength(1)
    expect(alerts(state([...lines, answered, asks("b", "b")]), T)[0]?.why).toStartWith("asks: ")
    expect(alerts(state([...lines, event(1, "runner/started", {}, 900)]), T)).toEqual([])
    expect(alerts(state([started, asks("a"), start(2, "a")]), T)).toHaveLength(1)
  })

  test("is a session that failed, until its next turn", () => {
    const lines = [start(0), fails(7), at(9, "runner/started")]
    expect(alerts(state(lines), T + 60_000)).toMatchObject([
      { what: "error", why: "failed: overloaded", since: T + 7, target: { type: "session", session: 0 } },
    ])
    expect(shown(state([...lines, start(10)]))).toEqual([])
    expect(shown(state(lines, replay))).toEqual(["error a 7"])
  })

  test("is a run that failed or was aborted", () => {
    expect(alerts(state([at(3, "runner/error", { message: "no chart" })]), T)).toMatchObject([
      { what: "error", who: "run", since: T + 3, target: { type: "run", frame: null } },
    ])
    expect(shown(state([at(3, "runner/done", { status: "done" })]))).toEqual([])
  })

  test("is a session after 45 s without a first token, or 20 s of silence in a reply, and not before", () => {
    const waiting = state([start(0)])
    expect(shown(waiting, T + 44_999)).toEqual([])
    expect(shown(waiting, T + 45_000)).toEqual(["silence a 0"])
    const streams = state([start(0), delta(seq++, "word", { ts: T + 500 })])
    expect(shown(streams, T + 20_499)).toEqual([])
    expect(alerts(streams, T + 20_500)).toMatchObject([{ why: "reply stalled", since: T + 500 }])
    expect(silentAt(shownState(streams), T)).toBe(T + 20_500)
    expect(silentAt(shownState(streams), T + 20_500)).toBeNull()
    const own = { ...streams, run: withLimits(streams.run, { silence: 90_000 }) }
    expect(shown(own, T + 90_499)).toEqual([])
    expect(shown(own, T + 90_500)).toEqual(["silence a 500"])
  })

  test("is a session that was silent by the frames' own time, where a recording is read", () => {
    const silent = [start(0), delta(seq++, "word", { ts: T }), at(70_000, "runner/tick", { "session-id": null })]
    expect(shown(state(silent, replay), 0)).toEqual(["silence a 0"])
    expect(shown(state(silent.slice(0, 2), replay), T + 10 * 45_000)).toEqual([])
    expect(silentAt(shownState(state(silent, replay)), T)).toBeNull()
    expect(shown(state([...silent, at(70_001, "runner/done", { status: "done" })], replay), 0)).toEqual([])
  })

  test("is not a session that is silent because it is done, paused, asking, over, recorded, or disconnected", () => {
    const late = T + 450_000
    const silent = [start(0), delta(seq++, "word", { ts: T })]
    const held = { kind: "debug", "step-budget": 0 }
    for (const one of [
      state([...silent, calls(1)]),
      state([...silent, at(1, "llm/worker-exit", { reason: "done" })]),
      state([...silent, line({ ...held, paused: true })]),
      state([...silent, line({ ...held, paused: false, mode: "paused-at-turn" })]),
      state([...silent, at(1, "runner/done", { status: "done" })]),
      state(silent, replay),
      state(silent, lost),
    ]) {
      expect(shown(one, late)).toEqual([])
      expect(hasAlerts(shownState(one), late)).toBe(false)
      expect(silentAt(shownState(one), T)).toBeNull()
    }
    expect(shown(state([...silent, asks("p")]), late)).toEqual(["prompt a 0"])
  })

  test("is the same tool call three times in a row, dated from the first, until a different one", () => {
    const same = { command: "ls" }
    expect(shown(state([start(0), calls(1, same), calls(2, same)]))).toEqual([])
    const thrice = [start(0), calls(1, same), result(2, "x"), calls(3, same), result(4, "y"), calls(5, same)]
    expect(shown(state(thrice))).toEqual(["repeat a 1"])
    expect(alerts(state(thrice), T)[0]?.why).toStartWith("the same call 3 times in a row: bash ")
    expect(shown(state([...thrice, calls(6, { command: "pwd" })]))).toEqual([])
    expect(
      shown(state([start(0), calls(1, same), calls(2, { command: "pwd" }), calls(3, same), calls(4, same)])),
    ).toEqual([])
  })

  test("counts repeated results if calls are unknown, and not equal results of different calls", () => {
    expect(shown(state([start(0), result(1, "x"), result(2, "x"), result(3, "x")]))).toEqual(["repeat a 1"])
    expect(shown(state([start(0), result(1, "x"), result(2, "x", "read"), result(3, "x")]))).toEqual([])
    const differ = [1, 2, 3].flatMap(i => [calls(i, { n: i }), result(i, "ok")])
    expect(shown(state([start(0), ...differ]))).toEqual([])
  })

  test("is a context that is nearly full, dated from the first warning, until the worker exits", () => {
    const lines = [
      start(0),
      at(4, "llm/context-warning", { "used-frac": 0.83 }),
      at(8, "llm/context-warning", { "used-frac": 0.9 }),
    ]
    expect(alerts(state(lines), T)).toMatchObject([
      { what: "context", why: "context 83% full, up to 90%", since: T + 4 },
    ])
    expect(shown(state([...lines, at(9, "llm/worker-exit", { reason: "done" })]))).toEqual([])
  })

  test("is a run that cost more or took longer than its limits, from then on, with what it came to", () => {
    const limited = emptyState(live)
    const run = withLimits(limited.run, { cost: 0.3, duration: 5000 })
    const paid = (ts: number, dollars: number) =>
      at(ts, "llm/response", { content: [], usage: { "cost-usd": dollars } })
    const told = (...lines: readonly Decoded[]) => reduce({ ...limited, run }, { type: "frames", frames: lines })
    expect(shown(told(start(0), paid(1, 0.3)))).toEqual([])
    const over = told(start(0), paid(1, 0.2), start(2), paid(3, 0.2), at(6000, "runner/tick"), at(9000, "runner/tick"))
    expect(alerts(over, T)).toMatchObject([
      {
        id: "cost",
        who: "run",
        why: "cost over $0.3, $0.4000 in all",
        since: T + 3,
        target: { type: "run", frame: 4 },
      },
      {
        id: "duration",
        who: "run",
        why: "took over 5 s, 9 s in all",
        since: T + 6000,
        target: { type: "run", frame: 5 },
      },
    ])
  })

  test("is listed with questions first, then what failed, then by age, and one without a time last of its kind", () => {
    const lines = [
      start(0, "s1"),
      start(0, "s2"),
      start(0, "s3"),
      at(30, "llm/context-warning", { "session-id": "s2", "used-frac": 0.8 }),
      fails(40, "s1"),
      asks("p"),
    ]
    const now = T + 45_000
    expect(shown(state(lines), now)).toEqual(["prompt a 40", "error a 1 40", "context a 2 30"])
    expect(shown(state([asks("p"), start(0, "t", "b")]), now)).toEqual(["prompt a -1", "silence b 0"])
  })

  test("belongs to the current epoch only", () => {
    const lines = [start(0), fails(7), event(0, "runner/started", {}, T + 100), event(1, "runner/tick", {}, T + 101)]
    const one = state(lines)
    if (one.run.epochs.length === 2) expect(shown(one)).toEqual([])
    expect(one.run.epochs.length).toBe(2)
  })

  test("of hostile ids, texts and times is sanitized and short", () => {
    const bad = `\u001b[2J\u202e${"x".repeat(1_000_000)}`
    const one = state([
      at(0, "llm/start", { invokeid: "__proto__", "session-id": "constructor" }),
      at(1, "llm/error", { invokeid: "__proto__", "session-id": "constructor", message: bad }),
      event(seq++, "llm/start", { invokeid: bad, "session-id": bad }, Number.MAX_SAFE_INTEGER),
      line({ kind: "prompt", "prompt-id": bad, invokeid: bad, type: "text", opts: { prompt: bad } }),
    ])
    const all = alertsOf(shownState(one), T)
    expect(all.length).toBe(2)
    for (const { why } of all) {
      expect(why).not.toMatch(/[\u001b\u202e]/)
      expect(why.length).toBeLessThan(600)
    }
  })

  test("is everything that check finds, once the run is over", async () => {
    const over = state(await readFrames(join(root, "fixtures/failing-run/transcript.jsonl")), replay)
    const found = runFindings(over.run, { reach: [] })
    expect(alerts(over, T)).toHaveLength(found.length)
    // Also what the sessions have gone on from: a failed tool, and a reply that broke off.
    const told = alerts(over, T).map(({ what, who }) => `${what} ${who}`)
    expect(told).toContain("failed-tool coder 2")
    expect(told).toContain("error coder 2")
  })

  test("calls for a person only while the run is live", () => {
    const lines = [start(0), fails(7)]
    expect(asking(state(lines))).toBe(true)
    expect(asking(state(lines, replay))).toBe(false)
    expect(asking(state([...lines, at(9, "runner/done", { status: "done" })]))).toBe(false)
    expect(asking(state([start(0)]))).toBe(false)
  })

  test("is found without reading the log", () => {
    const one = state([start(0), fails(7)])
    const rows = new Proxy(one.run.log.rows, {
      get: () => {
        throw new Error("a row was read")
      },
    })
    const watched = { ...one, run: { ...one.run, log: { ...one.run.log, rows } } }
    expect(alerts(watched, T).length).toBe(1)
  })
})

describe("the key !", () => {
  const ask = (one: StoreState, intent: Intent): StoreState =>
    plan(shownState(one), intent, { now: T, page: 10, lines: 0 }).actions.reduce(reduce, one)
  // The store has the reader follow the list's cursor.
  const followed = (one: StoreState): StoreState => {
    const change = reader.follow(shownState(one), T)
    return reduce(one, { type: "view", change })
  }
  const wish = (one: StoreState, type: "alerts/next" | "alerts/go"): StoreState => {
    const asked = ask(one, { type })
    return asked.view.focus === "live" ? followed(asked) : asked
  }
  const failures = [start(0, "s1"), fails(1, "s1"), start(0, "s2"), fails(2, "s2"), at(3, "note")]
  const two = state(failures)
  const three = state([...failures, asks("p")])

  test("opens the list, goes to the question, then to the oldest alert, then to the next, and wraps around", () => {
    let one: StoreState = three
    const visited: (string | null)[] = []
    for (let i = 0; i < 4; i++) {
      one = wish(wish(one, "alerts/next"), "alerts/next")
      visited.push(needs.of(one.view).attended)
      const isSession = needs.of(one.view).attended?.startsWith("error") === true
      expect(one.view.overlays.map(({ type }) => type)).toEqual(isSession ? ["alerts"] : [])
      if (isSession) expect(one.view.focus).toBe("text")
    }
    expect(visited).toEqual([
      `prompt ${promptKey("p", null)}`,
      `error ${idAt(three.run, 0)} 1`,
      `error ${idAt(three.run, 1)} 1`,
      `prompt ${promptKey("p", null)}`,
    ])
  })

  test("reads the failed session at its last turn beside the list, which gives back the selection", () => {
    const asked = wish(wish(three, "alerts/next"), "alerts/next")
    expect(asked.view).toMatchObject({ questions: { prompt: promptKey("p", null), promptHidden: false } })
    const there = wish(wish(two, "alerts/next"), "alerts/go")
    const text = { session: idAt(three.run, 0), at: { block: "turn 1.0", row: 0 } }
    expect(there.view).toMatchObject({ overlays: [{ type: "alerts" }], focus: "text", reader: { reads: "row", text } })
    const back = ask(ask(there, { type: "front/close" }), { type: "front/close" })
    expect(back.view).toMatchObject({ overlays: [], focus: "live", list: two.view.list })
  })

  test("has the cursor on what failed, where the turn began with something else", () => {
    const failed = state([start(0), calls(1, { cmd: "ls" }), at(2, "llm/tool-result", { "is-error": true }), fails(3)])
    const there = wish(wish(failed, "alerts/next"), "alerts/go")
    const last = failed.run.sessions[0]?.entries.length ?? 0
    expect(there.view.reader.text.at).toEqual({
      block: entryIdAt(failed.run.sessions[0]?.entries ?? emptyList, last - 1),
      row: -1,
    })
  })

  test("goes to the end of the log if the run failed, and says so if there are no alerts", () => {
    const failed = wish(wish(state([at(0, "runner/error", { message: "x" })]), "alerts/next"), "alerts/next")
    expect(failed.view).toMatchObject({ focus: "log", log: { cursor: null }, overlays: [] })
    const calm = wish(wish(state([]), "alerts/next"), "alerts/next")
    expect(calm.view.notice?.text).toBe("Nothing needs you")
  })

  test("keeps its cursor on the same alert while others come and go", () => {
    const second = ask(wish(two, "alerts/next"), { type: "cursor/move", by: { unit: "row", count: 1 } })
    const settled = reduce(second, { type: "frames", frames: [start(5, "s1")] })
    expect(followed(settled).view.reader.text.session).toBe(idAt(two.run, 1))
    expect(needs.of(wish(settled, "alerts/go").view).attended).toBe(`error ${idAt(two.run, 1)} 1`)
  })
})
