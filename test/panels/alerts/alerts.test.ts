// Tests which alerts there are, from when until when, in order of age.
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import type { Link } from "../../../packages/wire/src/link.ts"
import { type Alert, alertRows, alertsOf, asksForPerson, hasAlerts, needs } from "../../../src/panels/alerts/alerts.ts"
import { silentAt } from "../../../src/panels/common/silence.ts"
import { plan, reader } from "../../../src/panels/plan.ts"
import { entryIdAt, rowIdOf, turnPlace } from "../../../src/run/identity/find-by-id.ts"
import { emptyList } from "../../../src/run/model/chunked-list.ts"
import type { Run } from "../../../src/run/model/run.ts"
import { runFindings } from "../../../src/run/select/run-findings.ts"
import { counted } from "../../../src/ui/text-width.ts"
import { readingAt, unread } from "../../../src/view/block-reading.ts"
import type { Intent } from "../../../src/view/intent.ts"
import { reduce } from "../../../src/view/reduce.ts"
import { emptyState, type StoreState } from "../../../src/view/state.ts"
import { shownState } from "../../../src/view/store.ts"
import { readFrames, root } from "../../fixtures.ts"
import { deepFreeze } from "../../freeze.ts"
import { greeted } from "../../run/agent-model.ts"
import { delta, event, idAt, line, rowsOf } from "../../run/lines.ts"
import { open as live, lost, replaying as replay } from "../planned.ts"

const T = 1_000_000

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
const fails = (ts: number, id = "s", message = "overloaded") => at(ts, "llm/error", { "session-id": id, message })
const result = (ts: number, preview: string, tool = "bash") => at(ts, "llm/tool-result", { tool, preview })
const calls = (ts: number, ...inputs: readonly object[]) =>
  at(ts, "llm/response", { content: inputs.map(input => ({ type: "tool_use", name: "bash", input })) })
const asks = (id: string, invokeid: string | null = "a") =>
  line({ kind: "prompt", "prompt-id": id, invokeid, type: "text", opts: { prompt: "Which name?\nSay it." } })
const asking = (one: StoreState) => asksForPerson(shownState(one), T)
const alerts = (one: StoreState, now: number) => alertsOf(shownState(one), now)
const shown = (one: StoreState, now = T) =>
  alerts(one, now).map(({ what, who, since }) => `${what} ${who} ${(since ?? T - 1) - T}`)

const ask = (one: StoreState, intent: Intent): StoreState =>
  plan(shownState(one), intent, { now: T, page: 10, lines: 0 }).actions.reduce(reduce, one)

describe("an alert", () => {
  const begun = start(0)
  const failed = fails(7)
  const asked = asks("p")
  const answered = at(5, "human-input/answer")
  const done = at(9, "runner/done", { status: "done" })
  const same = { command: "ls" }
  const warned = (ts: number, used: number) => at(ts, "llm/context-warning", { "used-frac": used })
  const other = { command: "pwd" }
  const differ = [1, 2, 3].flatMap(i => [calls(i, { n: i }), result(i, "ok")])
  const exit = at(9, "llm/worker-exit", { reason: "done" })
  const torn = (more: object = {}) => at(2, "llm/response", { "stop-reason": "max_tokens", content: [], ...more })
  const retried = (more: object) => [begun, at(1, "llm/retry", more)]
  const asksFirst = event(1, "runner/started", {}, 10)
  const unheard = (n: number, invokeid: string | null, more: object = { kind: "text", prompt: "Which name?" }) =>
    event(n, "human-input/start", { invokeid, ...more }, T)
  const twice = [asksFirst, unheard(2, "a"), unheard(3, "b"), unheard(4, "a", { kind: "progress" })]
  const taken = event(5, "human-input/answer", { invokeid: "a", answer: "x" })
  const debug = (more: object) => [...streams, line({ kind: "debug", "step-budget": 0, ...more })]
  const streams = [begun, delta(seq++, "word", { ts: T })]

  test("is what needs a person, with its words, its time and its place, for as long as it does", () => {
    const cases: Readonly<Record<string, readonly [readonly Decoded[], now?: number, link?: Link]>> = {
      "a question": [[begun, asked]],
      "and answered": [[begun, asked, answered]],
      "of a recording": [[begun, asked], 0, replay],
      "answered in a recording": [[begun, asked, answered], 0, replay],
      "while disconnected": [[begun, asked], 0, lost],
      "of two of nobody, of which one was answered": [
        [asks("p", null), asks("q", null), event(3, "human-input/start", { kind: "text" }), answered],
      ],
      "of a state": [[at(1, "runner/start-config", { config: ["run", "judging"] }), asks("p", null), asks("q")]],
      "whose prompt is missing": [twice],
      "one of which is answered": [[...twice, taken]],
      "one of which came late": [[...twice, taken, asks("b", "b")]],
      "of another run": [[...twice, event(1, "runner/started", {}, 900)]],
      "which came first": [[asksFirst, asks("a"), unheard(2, "a")]],
      "without words or asker": [[asksFirst, unheard(2, null, { kind: "text" }), unheard(3, "b\u001b")]],
      "missing in a session": [
        [asksFirst, event(2, "llm/start", { invokeid: "a", "session-id": "s" }), unheard(3, "a")],
      ],
      "before this screen came": [
        [
          line({ kind: "sidecar", at: 2 * T, what: "link", state: "open" }),
          asks("q", null),
          unheard(1, "a"),
          event(2, "human-input/start", { invokeid: "b", kind: "text" }, T),
          greeted,
        ],
      ],
      "a failed session": [[begun, failed, at(9, "runner/started")], 60_000],
      "with its next turn": [[begun, failed, start(10)]],
      "which fails again": [[begun, failed, start(10), fails(11)]],
      "of a recording that failed": [[begun, failed], 0, replay],
      "which goes on in the turn": [[begun, failed, calls(8, same)]],
      "of the run before": [[begun, failed, event(0, "runner/started", {}, T + 100), event(1, "x", {}, T + 101)]],
      "a run that failed": [[at(3, "runner/error", { message: "no chart" })]],
      "a run that was aborted": [[at(3, "runner/aborted", { reason: "torn\nrope" })]],
      "a run that is done": [[at(3, "runner/done", { status: "done" })]],
      "the same call twice": [[begun, calls(1, same), calls(2, same)]],
      "three times": [[begun, calls(1, same), result(2, "x"), calls(3, same), result(4, "y"), calls(5, same)]],
      "three times and another": [[begun, ...[1, 3, 5].map(ts => calls(ts, same)), calls(6, other)]],
      "three times, and three times another": [
        [begun, ...[1, 3, 5].map(ts => calls(ts, same)), ...[6, 7, 8].map(ts => calls(ts, other))],
      ],
      "three times and another at once": [[begun, ...[1, 1, 1].map(ts => calls(ts, same)), calls(1, other)]],
      "three times, then gone": [[begun, ...[1, 3, 5].map(ts => calls(ts, same)), exit]],
      "three times, but for one": [[begun, calls(1, same), calls(2, other), calls(3, same), calls(4, same)]],
      "the same result of unknown calls": [[begun, result(1, "x"), result(2, "x"), result(3, "x")]],
      "of different tools": [[begun, result(1, "x"), result(2, "x", "read"), result(3, "x")]],
      "the same result of different calls": [[begun, ...differ]],
      "a full context": [[begun, warned(4, 0.83), warned(8, 0.9)]],
      "of a worker that is gone": [[begun, warned(4, 0.83), exit]],
      "a reply cut short": [[begun, torn()]],
      "before the next turn": [[begun, torn(), start(10)]],
      "a refused reply": [[begun, torn({ "stop-reason": "refusal" })]],
      "questions, failures, others by age": [
        [
          start(0, "s1"),
          start(0, "s2"),
          start(0, "s3"),
          at(30, "llm/context-warning", { "session-id": "s2", "used-frac": 0.8 }),
          fails(40, "s1"),
          asked,
        ],
        45_000,
      ],
      "one without a time": [[asked, start(0, "t", "b")], 45_000],
      "no first token": [[begun], 44_999],
      "for 45 s": [[begun], 45_000],
      "a reply that stalls": [streams, 19_999],
      "for 20 s": [streams, 20_000],
      retried: [retried({ attempt: 2, "max-retries": 5 }), 45_001],
      "in two turns": [[...retried({ attempt: 8 }), calls(2, same), start(10), at(11, "llm/retry", { attempt: 9 })]],
      "retried, and answered": [[...retried({ attempt: 8 }), calls(2, same)]],
      "retried, and gone": [[...retried({ attempt: 8 }), exit]],
      "five alike questions": [["p", "q", "r", "s", "t"].map(id => asks(id))],
      "four that fail alike, and a fifth": [
        [..."12345"].flatMap(id => [start(0, id), fails(1, id, id === "5" ? "no" : "overloaded")]),
      ],
      "three that fail alike": [[..."123"].flatMap(id => [start(0, id), fails(1, id)])],
      "of unknown times": [retried({}), 45_001],
      "silent and done": [[...streams, calls(1)], 450_000],
      "silent and gone": [[...streams, exit], 450_000],
      "silent and paused": [debug({ paused: true }), 450_000],
      "silent and about to pause": [debug({ paused: false, mode: "paused-at-turn" }), 450_000],
      "silent and over": [[...streams, done], 450_000],
      "silent and recorded": [streams, 450_000, replay],
      "silent and disconnected": [streams, 450_000, lost],
      "silent and asking": [[...streams, asked], 450_000],
      "silent by a recording's own time": [[...streams, at(70_000, "runner/tick", { "session-id": null })], 0, replay],
    }
    const told = Object.entries(cases).flatMap(([name, [lines, now = 0, link = live]]) => {
      const one = state(lines, link)
      const shown = shownState(one)
      // What was found of another time is not told now.
      const [, all] = [T - 90_000, T + now].map(time => alertsOf(shown, time)) as [unknown, readonly Alert[]]
      expect(hasAlerts(shown, T + now)).toBe(all.length > 0)
      const [next, rows] = [silentAt(shown, T + now), alertRows(shown, T + now)]
      return [
        `${name}${asking(one) ? " calls" : ""}${rows.length === all.length ? "" : ` in ${counted(rows.length, "row")}`}${next === null ? "" : `, silent at ${next - T}`}`,
        ...all.map(({ what, who, why, since, target }) => {
          return `  ${what} · ${who} · ${why} · ${since === null ? "?" : since - T} · ${JSON.stringify(target)}`
        }),
      ]
    })
    expect(told.join("\n")).toMatchSnapshot()
  })

  test("is as late as the run's own limits say, and what the run has too much of, from then on", () => {
    const limited = emptyState(live)
    const own = state(streams)
    const slow = { ...own, run: withLimits(own.run, { silence: 90_000 }) }
    expect([89_999, 90_000].map(now => shown(slow, T + now))).toEqual([[], ["silence a 0"]])
    const run = withLimits(limited.run, { cost: 0.3, duration: 5000 })
    const paid = (ts: number, dollars: number) =>
      at(ts, "llm/response", { content: [], usage: { "cost-usd": dollars } })
    const told = (...lines: readonly Decoded[]) => reduce({ ...limited, run }, { type: "frames", frames: lines })
    expect(shown(told(start(0), paid(1, 0.3)))).toEqual([])
    const over = told(start(0), paid(1, 0.2), start(2), paid(3, 0.2), at(6000, "runner/tick"), at(9000, "runner/tick"))
    const about = { who: "run", target: { type: "run", frame: 4 } }
    expect(alerts(over, T)).toMatchObject([
      { ...about, id: "cost", why: "cost over $0.3, $0.4000 in all", since: T + 3 },
      { id: "duration", why: "took over 5 s, 9 s in all", since: T + 6000, target: { type: "run", frame: 5 } },
    ])
  })

  test("is everything that check finds, once the run is over", async () => {
    const over = state(await readFrames(join(root, "fixtures/failing-run/transcript.jsonl")), replay)
    const found = runFindings(over.run, { reach: [] })
    expect(alerts(over, T)).toHaveLength(found.length)
    // Also what the sessions have gone on from: a failed tool, and a reply that broke off.
    const told = alerts(over, T).map(({ what, who }) => `${what} ${who}`)
    expect(told).toContain("failed-tool coder 2")
    expect(told).toContain("error coder 2")
    // What led to one is asked of its own turn.
    const turnsOf = (session: number) => over.run.sessions[session]?.turns ?? 0
    const early = alerts(over, T).find(
      ({ target }) => target.type === "session" && (target.turn ?? 99) < turnsOf(target.session),
    )
    if (early?.target.type !== "session") throw new Error("expected one of an earlier turn")
    const { session, turn } = early.target
    const overlays = [{ type: "alerts", cursor: early.id } as const]
    const opened = reduce(over, { type: "view", change: { overlays, focus: "live" } })
    // That turn is read meanwhile.
    const read = reduce(opened, { type: "view", change: reader.follow(shownState(opened), T) }).view.reader.text
    const known = over.run.sessions[session]
    expect(read.at).toEqual(known === undefined ? null : readingAt(unread, known, turn ?? 0).at)
    const about = ask(opened, { type: "alerts/why" }).view.overlays.flatMap(one =>
      one.type === "why" ? one.about : [],
    )
    expect(about.map(one => "session" in one && turnPlace(over.run, one))).toEqual([{ session, turn: turn ?? 0 }])
  })
})

describe("the key !", () => {
  // The store has the reader follow the list's cursor.
  const followed = (one: StoreState): StoreState => {
    const change = reader.follow(shownState(one), T)
    return reduce(one, { type: "view", change })
  }
  const wish = (one: StoreState, type: "alerts/next" | "alerts/go"): StoreState => {
    const asked = ask(one, { type })
    return asked.view.focus === "live" ? followed(asked) : asked
  }
  const three = state([..."123"].flatMap(id => [start(0, id), fails(Number(id), id)]))

  test("has the cursor on what failed, where the turn began with something else", () => {
    const failed = state([start(0), calls(1, { cmd: "ls" }), at(2, "llm/tool-result", { "is-error": true }), fails(3)])
    const there = wish(wish(failed, "alerts/next"), "alerts/go")
    const last = failed.run.sessions[0]?.entries.length ?? 0
    expect(there.view.reader.text.at).toEqual({
      block: entryIdAt(failed.run.sessions[0]?.entries ?? emptyList, last - 1),
      row: -1,
    })
  })

  test("leads to the row where a limit was passed, and to no session of an earlier run", () => {
    const limited = emptyState(live)
    const paid = [
      start(0),
      at(1, "llm/response", { content: [], usage: { "cost-usd": 1 } }),
      at(2, "note"),
      at(3, "note"),
    ]
    const dear = reduce({ ...limited, run: withLimits(limited.run, { cost: 0.3 }) }, { type: "frames", frames: paid })
    const there = wish(wish(dear, "alerts/next"), "alerts/go").view
    // The log had followed its end, so no row is new.
    const [, paidFor, , last] = rowsOf(dear.run).map(row => rowIdOf(dear.run, row))
    expect([there.focus, there.log.cursor, there.log.seenTo]).toMatchObject(["log", paidFor, last])
    const begun = event(0, "runner/started", {}, T + 900)
    const anew = state([event(0, "runner/started", {}, T), start(1), begun, asks("q", "a")])
    // Nor to one that no invocation has, for a question of nobody.
    const nobody = state([event(1, "llm/start", { "session-id": "s" }), asks("q", null)])
    for (const one of [anew, nobody]) expect(wish(wish(one, "alerts/next"), "alerts/go").view.list.pinned).toBe(false)
    expect(needs.of(ask(three, { type: "alerts/aside" }).view).aside).toEqual([])
  })

  test("keeps its cursor on the same alert while others come and go, and has it on the first once that is settled", () => {
    const second = ask(wish(three, "alerts/next"), { type: "cursor/move", by: { unit: "row", count: 1 } })
    for (const [goesOn, here] of [
      ["1", 1],
      ["2", 0],
    ] as const) {
      const settled = reduce(second, { type: "frames", frames: [start(5, goesOn)] })
      expect(followed(settled).view.reader.text.session).toBe(idAt(three.run, here))
      expect(needs.of(wish(settled, "alerts/go").view).attended).toBe(`error ${idAt(three.run, here)} 1`)
    }
  })
})
