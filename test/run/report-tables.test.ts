// Tests what every event of docs/contract.md section 9 does to a run.
import { describe, expect, test } from "bun:test"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { report } from "../../src/run/select/report.ts"
import { delta, event, ids, line, logOf, rowsOf, tell } from "./lines.ts"

const started = event(0, "runner/started", { "session-id": ":session/x", "chart-id": ":chart", "resume?": false })

function session(lines: readonly Decoded[], wanted: object): void {
  expect(report(tell(lines))).toMatchObject({ invocations: [{ invokeid: "a", sessions: [wanted] }] })
}

const done = (keys: object) => event(2, "runner/done", keys)
const aborted = event(1, "runner/aborted", { reason: "no model" })
const failed = event(1, "runner/error", { message: "boom" })

test.each<readonly [what: string, lines: readonly Decoded[], run: object]>([
  [
    "waits before the first frame",
    [],
    { status: "waiting", reason: null, config: [], firstTs: null, finalConfig: null },
  ],
  ["runs once it has started", [started], { status: "running" }],
  [
    "takes its config from its start",
    [started, event(1, "runner/start-config", { config: ["run", "planning"] })],
    { config: ["run", "planning"], breadcrumb: ["run", "planning"] },
  ],
  [
    "takes its config from each event",
    [event(0, "runner/event-processed", { "config-after": ["b"] })],
    { config: ["b"] },
  ],
  [
    "is finished with its final config",
    [started, done({ "final-config": ["run", "done"], status: "done" })],
    { status: "finished", reason: null, config: ["run", "done"], finalConfig: ["run", "done"] },
  ],
  ["is aborted with a reason", [started, aborted], { status: "aborted", reason: "no model" }],
  [
    "stays aborted once it is done",
    [started, aborted, done({ status: "done" })],
    { status: "aborted", reason: "no model" },
  ],
  ["is in error with a message", [started, failed], { status: "error", reason: "boom" }],
  ["is in error without one", [event(0, "runner/error")], { status: "error", reason: "error" }],
  ["is aborted without a reason", [event(0, "runner/aborted")], { status: "aborted", reason: "aborted" }],
  ["has no error once it is done", [failed, done({ status: "done" })], { status: "finished", reason: null }],
  ["has no error of the run before", [failed, event(2, "runner/started")], { status: "running", reason: null }],
  ["has the status of its end", [done({ status: "aborted" })], { status: "aborted" }],
  ["may end in an error", [done({ status: "error" })], { status: "error" }],
  ["may end without a status", [done({})], { status: "finished" }],
])("the runner %s", (_, lines, run) => expect(report(tell(lines))).toMatchObject({ run }))

test("the runner's chart and session are known", () => {
  expect(tell([started]).chart).toMatchObject({ chartId: ":chart", sessionId: ":session/x" })
})

describe("a session", () => {
  const start = event(0, "llm/start", { ...ids, model: "m1" }, 1000)
  const error = event(2, "llm/error", { invokeid: "a", message: "reset by peer" })
  const down = event(3, "llm/model-down", { ...ids, model: "m1", message: "gone", category: "network", remaining: 2 })
  const exit = event(9, "llm/worker-exit", { ...ids, reason: "interrupted" })
  const empty = event(1, "llm/model-policy-empty", { invokeid: "a", policy: "smart", "strict?": true })
  const replies = (keys: object = {}) => event(5, "llm/response", { ...ids, ...keys })
  const ok = replies({ content: [{ type: "text", text: "ok" }] })
  const thought = delta(2, "hm", { type: "thinking-delta" })

  test.each<readonly [what: string, after: readonly Decoded[], session: object]>([
    ["waits", [], { sessionId: "s", status: "waiting", model: "m1", tokens: 0, deltas: 0, turns: 1, text: "" }],
    [
      "streams, with thinking apart from text",
      [delta(1, "Hel"), thought, delta(3, "lo", { model: "m2" })],
      { status: "streaming", model: "m2", text: "Hello", thinking: "hm", deltas: 3, tokens: 3 },
    ],
    ["keeps streamed text", [delta(1, "Hel"), delta(2, "lo"), replies()], { status: "done", text: "Hello", tokens: 2 }],
    ["is done for a reason", [replies({ "stop-reason": "max_tokens" })], { status: "done", reason: "max_tokens" }],
    [
      "is in error, and keeps its text",
      [delta(1, "Hel"), error],
      { status: "error", reason: "reset by peer", text: "Hel" },
    ],
    ["is in error without a model", [delta(1, "Hel"), down], { status: "error", reason: "gone", model: "m1" }],
    ["has its first error", [delta(1, "Hel"), error, down], { status: "error", reason: "reset by peer" }],
    ["streams again by another model", [down, delta(4, "o", { model: "m2" })], { status: "streaming", model: "m2" }],
    ["is done by another model", [down, delta(4, "o"), ok], { status: "done", text: "ok" }],
    ["is done at once by another model", [down, ok], { status: "done", text: "ok", reason: "gone" }],
    ["is done as its worker exits", [exit], { status: "done", reason: "interrupted" }],
    ["stays in error as its worker exits", [error, exit], { status: "error", reason: "reset by peer" }],
    ["keeps its reason as its worker exits", [replies({ "stop-reason": "end_turn" }), exit], { reason: "end_turn" }],
    ["is in error without a model left", [empty], { status: "error", reason: "no model left in policy smart" }],
  ])("%s", (_, after, wanted) => session([start, ...after], wanted))

  test("has a system text once while it stays the same", () => {
    const request = (seq: number, system: string) => event(seq, "llm/request", { ...ids, "system-preview": system })
    const run = tell([start, request(1, "one"), request(2, "one"), request(3, "two"), request(4, "one")])
    expect(run.sessions[0]?.entries.tail.map(entry => entry.text[0])).toEqual(["one", "two", "one"])
  })

  test("that is over does not end once more with a late warning about it", () => {
    const of = (invokeid: string) => ({ invokeid, "session-id": invokeid })
    const begun = ["a", "b"].map((id, at) => event(at, "llm/start", of(id)))
    const ends = ["a", "b"].map((id, at) => event(at + 2, "llm/worker-exit", { ...of(id), reason: "done" }))
    const run = tell([...begun, ...ends, event(4, "llm/context-warning", { ...of("a"), "used-frac": 0.8 })])
    expect(run.facts.lastEnded).toBe(1)
  })

  test("has a limit that follows from a warning's own input, not from that of the reply before", () => {
    const reply = event(1, "llm/response", { invokeid: "a", model: "m", usage: { "input-tokens": 100 } })
    const warns = (data: object) => event(2, "llm/context-warning", { invokeid: "a", "used-frac": 0.5, ...data })
    const limitAfter = (data: object) => tell([start, reply, warns(data)]).models.contextLimits.get("m")?.tokens
    expect(limitAfter({ model: "m", "input-tokens": 400 })).toBe(800)
    expect(limitAfter({ model: "m" })).toBe(200)
  })

  test("has the limit of the model that a warning names, though its turn began with another", () => {
    const warning = event(1, "llm/context-warning", { invokeid: "a", model: "other", "context-window": 800 })
    const begun = event(0, "llm/start", { ...ids, model: "m" })
    expect([...tell([begun, warning]).models.contextLimits.keys()]).toEqual(["other"])
  })
})

describe("a turn", () => {
  const turn = (seq: number, text: string): Decoded[] => [
    event(seq, "llm/start", ids),
    delta(seq + 1, text),
    event(seq + 2, "llm/response", { ...ids, content: [{ type: "text", text }], usage: { "output-tokens": 5 } }),
  ]

  test("has no error, stop reason or figures of the turn before", () => {
    const erred = [...turn(0, "one"), event(3, "llm/error", { ...ids, message: "no" })]
    session([...erred, event(4, "llm/start", ids)], {
      status: "waiting",
      turns: 2,
      tokens: 0,
      deltas: 0,
      rate: null,
      ttftMs: null,
      text: "",
      reason: null,
    })
  })

  test("that broke off keeps its text in the transcript", () => {
    const run = tell([event(0, "llm/start", ids), delta(1, "half"), event(2, "llm/start", ids), delta(3, "new")])
    expect(run.sessions[0]?.entries.tail).toMatchObject([{ type: "text", text: ["half"], turn: 1 }])
    expect(report(run)).toMatchObject({ invocations: [{ sessions: [{ text: "new", turns: 2, tokens: 1 }] }] })
  })

  test("may be seen late: its first event makes the session", () => {
    session([delta(300, "mid")], { status: "streaming", turns: 0, text: "mid", ttftMs: null })
    session([event(300, "llm/response", { ...ids, content: [{ type: "text", text: "end" }] })], {
      status: "done",
      turns: 0,
      text: "end",
    })
    session([event(300, "llm/worker-exit", ids)], { status: "done", turns: 0 })
  })
})

describe("other events", () => {
  test("of type debug/awaiting-step and awaiting-quit pause the run and say what the debugger waits for, until it continues", () => {
    const step = event(0, "debug/awaiting-step", { "event-name": "llm.idle", "external?": true })
    const quit = event(0, "debug/awaiting-quit", { msg: "press q" })
    expect(tell([step]).awaiting).toBe("next: llm.idle (external)")
    expect(tell([quit]).awaiting).toBe("press q")
    expect(tell([step, event(1, "runner/event-processed")]).awaiting).toBe(null)
    expect(tell([step, line({ kind: "debug", paused: false, "step-budget": 0 })]).awaiting).toBe(null)
    expect(tell([step, line({ kind: "debug", paused: true, "step-budget": 0 })]).awaiting).toBe(
      "next: llm.idle (external)",
    )
  })

  test("is paused where the debugger waits, though its frame before tells no pause", () => {
    const going = line({ kind: "debug", paused: false, "step-budget": 0 })
    expect(report(tell([going, event(0, "debug/awaiting-step")]))).toMatchObject({ debug: { paused: true } })
    expect(report(tell([going]))).toMatchObject({ debug: { paused: false } })
  })

  test("of an unknown type, or of a row that could not be written, are rows that change nothing else", () => {
    const before = tell([started, event(1, "llm/start", ids)])
    const after = tell([event(2, "transcript/serialize-error", ids), event(3, "brand/new", ids)], before)
    expect(logOf(after).slice(-2)).toEqual(["transcript/serialize-error", "brand/new"])
    expect([after.log.warnings, after.log.errors, after.status]).toEqual([1, 0, "running"])
    expect(after.sessions).toBe(before.sessions)
    expect(after.turnBuffers).toBe(before.turnBuffers)
    expect(rowsOf(after).at(-1)?.session).toBeNull()
  })

  test("may have names such as constructor", () => {
    const lines = ["__proto__", "constructor", "toString"].flatMap((name, seq) => [
      event(seq * 2, "llm/start", { invokeid: name, "session-id": name }),
      delta(seq * 2 + 1, "x", { invokeid: name, "session-id": name }),
    ])
    expect(report(tell(lines))).toMatchObject({
      invocations: [
        { invokeid: "__proto__", sessions: [{ sessionId: "__proto__", text: "x" }] },
        { invokeid: "constructor", sessions: [{ sessionId: "constructor", text: "x" }] },
        { invokeid: "toString", sessions: [{ sessionId: "toString", text: "x" }] },
      ],
    })
  })
})
