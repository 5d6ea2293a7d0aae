// Tests tokens, rates and times (docs/contract.md section 4), and whose they are (docs/decisions.md 1.7).
import { describe, expect, test } from "bun:test"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import { fullnessOf, rateOf, reasonOf, sumOfRates, turnTextOf } from "../../../src/run/select/figures.ts"
import { report } from "../../../src/run/select/report.ts"
import { turnFacts } from "../../../src/run/select/turn-facts.ts"
import { delta, event, ids, line, tell } from "../lines.ts"

const start = event(0, "llm/start", ids, 1000)

const reply = (seq: number, text: string, more: object = {}) =>
  event(seq, "llm/response", { ...ids, content: [{ type: "text", text }], ...more })

test.each([
  ["end_turn", [reply(2, "a", { "stop-reason": "end_turn" })]],
  ["no", [reply(2, "a", { "stop-reason": "end_turn" }), event(3, "llm/error", { ...ids, message: "no" })]],
  [
    "max_tokens; no",
    [reply(2, "a", { "stop-reason": "max_tokens" }), event(3, "llm/error", { ...ids, message: "no" })],
  ],
  ["over", [event(2, "llm/worker-exit", { ...ids, reason: "over" })]],
])("a session stopped because of %s", (why, lines) => {
  const [session] = tell([start, ...lines]).sessions
  expect(session && reasonOf(session)).toBe(why)
})

test("the text of a turn is its own, from the first turn on, with what streams and thinking apart", () => {
  const lines = [start, reply(1, "one"), event(2, "llm/start", ids), reply(3, "two"), event(4, "llm/start", ids)]
  const texts = [2, 4, 5].map(count => {
    const streaming = count === 5 ? [delta(5, "thr"), delta(6, "hm", { type: "thinking-delta" })] : []
    const { sessions, turnBuffers } = tell([...lines.slice(0, count), ...streaming])
    return turnTextOf(sessions[0] ?? fail(), turnBuffers[0] ?? fail())
  })
  expect(texts).toEqual([
    { text: "one", thinking: "", missing: 0 },
    { text: "two", thinking: "", missing: 0 },
    { text: "thr", thinking: "hm", missing: 0 },
  ])
})

function fail(): never {
  throw new Error("expected a session")
}

describe("tokens of several turns", () => {
  const usage = (input: number, output: number) => ({ usage: { "input-tokens": input, "output-tokens": output } })
  const branch = { ...ids, "session-id": "s/branch-1" }
  const served = { ...branch, "replay/source": "captured" }
  const live = { ...branch, "replay/source": "live" }
  const run = tell([
    start,
    delta(1, "a"),
    event(2, "llm/response", { ...ids, ...usage(100, 236) }),
    // A turn that fails without a response has only what it streamed.
    event(3, "llm/start", { ...ids, model: "B" }),
    delta(4, "b", { coalesced: 7 }),
    event(5, "llm/error", { ...ids, message: "gone" }),
    event(6, "llm/start", ids),
    event(7, "llm/response", { ...ids, ...usage(300, 52) }),
    event(8, "llm/start", ids),
    delta(9, "c"),
    // The first turn of the branch is served from its capture, only the second is made.
    event(20, "llm/start", served),
    delta(21, "a", branch),
    event(22, "llm/response", { ...served, ...usage(100, 236) }),
    event(23, "llm/start", live),
    delta(24, "b", branch),
    event(25, "llm/tool-result", { ...served, tool: "read", "content-preview": "x" }),
    event(26, "llm/response", { ...live, ...usage(120, 12) }),
  ])
  const turns = (session: number, ...numbers: readonly number[]) =>
    numbers.map(turn => turnFacts(run, session, turn, 0))

  test("belong to the model of their turn, also where it failed", () => {
    expect(turns(0, 2)[0]?.model).toBe("B")
  })
})

test("the time of a turn leaves out a person's waiting", () => {
  const run = tell([
    event(0, "llm/start", ids, 1000),
    event(1, "llm/response", ids, 2500),
    event(2, "human-input/start", { ...ids, kind: "text", prompt: "Go?" }, 2500),
    event(3, "human-input/answer", { ...ids, answer: "yes" }, 9500),
    event(4, "llm/worker-exit", { ...ids, reason: "done" }, 9600),
  ])
  expect(turnFacts(run, 0, 1, 9600)?.ms).toBe(1500)
})

test("a turn without the time of its beginning has no time of its own", () => {
  const content = ["t", "u"].map(id => ({ type: "tool-use", id, name: "look" }))
  const run = tell([
    event(0, "llm/start", ids, null),
    event(1, "llm/response", { ...ids, content }, null),
    event(2, "llm/tool-result", { ...ids, tool: "look", "tool-use-id": "t" }, 1000),
    event(3, "llm/tool-result", { ...ids, tool: "look", "tool-use-id": "u" }, 1023),
    event(4, "llm/start", ids, 1023),
  ])
  expect(turnFacts(run, 0, 1, 1023)?.ms).toBeNull()
})

test("a turn under way has lasted as long as its agent says, also where our clock is behind", () => {
  expect(turnFacts(tell([start, delta(1, "a", { ts: 1500 }), delta(2, "b", { ts: 4800 })]), 0, 1, 900)?.ms).toBe(3800)
})

describe("a group of sessions", () => {
  const of = (sessionId: string) => ({ invokeid: "judge", "session-id": sessionId })
  const two = [
    event(0, "llm/start", of("1")),
    event(1, "llm/start", of("2")),
    delta(2, "a", { ...of("1"), ts: 1000 }),
    delta(3, "b", { ...of("1"), ts: 2000 }),
    delta(4, "c", { ...of("2"), ts: 1000 }),
    delta(5, "d", { ...of("2"), ts: 3000 }),
  ]

  test("has the status of its most active session: streaming, waiting, error, done", () => {
    const status = (...lines: Decoded[]) => report(tell(lines))
    const [first, second] = two
    if (first === undefined || second === undefined) throw new Error("two sessions are expected")
    const done = event(6, "llm/response", of("1"))
    const erred = event(7, "llm/error", { ...of("2"), message: "no" })
    expect(status(first, second)).toMatchObject({ invocations: [{ status: "waiting" }] })
    expect(status(...two, done)).toMatchObject({ invocations: [{ status: "streaming" }] })
    expect(status(first, second, done)).toMatchObject({ invocations: [{ status: "waiting" }] })
    expect(status(...two, done, erred)).toMatchObject({ invocations: [{ status: "error" }] })
    expect(status(first, done)).toMatchObject({ invocations: [{ status: "done" }] })
  })

  test("is left out of the header's rate, which sums only streaming sessions", () => {
    const run = tell([...two, event(6, "llm/response", of("1"))])
    expect(sumOfRates(run, run.tally.open, rateOf)).toBe(1)
    expect(run.tally).toEqual({
      counts: { waiting: 0, streaming: 1, tool: 0, done: 1, error: 0 },
      open: [1],
      failed: [],
    })
  })
})

describe("an event without session-id", () => {
  const named = (seq: number, name: string, id: string) => event(seq, name, { invokeid: "a", "session-id": id })
  const error = (seq: number) => event(seq, "llm/error", { invokeid: "a", message: "no" })
  const statuses = (lines: readonly Decoded[]) => report(tell(lines))

  test("belongs to the most recent open session of its invokeid", () => {
    const lines = [named(0, "llm/start", "1"), named(1, "llm/start", "2"), named(2, "llm/response", "2"), error(3)]
    expect(statuses(lines)).toMatchObject({
      invocations: [{ sessions: [{ sessionId: "1", status: "error" }, { status: "done" }] }],
    })
  })

  test("belongs to the most recent one if none is open", () => {
    const lines = [named(0, "llm/start", "1"), named(1, "llm/worker-exit", "1"), named(2, "llm/start", "2")]
    expect(statuses([...lines, named(3, "llm/worker-exit", "2"), error(4)])).toMatchObject({
      invocations: [{ sessions: [{ status: "done" }, { sessionId: "2", status: "error" }] }],
    })
  })

  test("is only a log row if its invokeid has no session", () => {
    expect(statuses([error(0)])).toMatchObject({ invocations: [], log: { entries: 1, errors: 1 } })
    expect(statuses([delta(0, "x", { "session-id": null })])).toMatchObject({
      frames: { event: 1 },
      invocations: [],
      log: { entries: 0 },
    })
  })

  test("belongs to the session of its invokeid if it is a delta", () => {
    expect(statuses([named(0, "llm/start", "1"), delta(1, "x", { "session-id": null })])).toMatchObject({
      invocations: [{ sessions: [{ sessionId: "1", text: "x" }] }],
    })
  })

  test("belongs to no session of an earlier epoch", () => {
    const lines = [named(1, "llm/start", "1"), event(1, "runner/started", {}, 9), error(2)]
    expect(statuses(lines)).toMatchObject({ run: { epochs: 2 }, invocations: [{ sessions: [{ status: "waiting" }] }] })
  })

  test("is never matched by another spelling of a session-id", () => {
    const lines = [":session/x", "session/x", "session-x"].map((id, seq) => named(seq, "llm/start", id))
    expect(statuses(lines)).toMatchObject({
      invocations: [
        { sessions: [{ sessionId: ":session/x" }, { sessionId: "session/x" }, { sessionId: "session-x" }] },
      ],
    })
  })
})

describe("progress", () => {
  const progress = (phase: string, keys: object) => line({ kind: "progress", phase, ...keys })

  test("keeps at most 256 bars", () => {
    const lines = Array.from({ length: 400 }, (_, i) => progress("start", { invokeid: `i${i}`, pct: 0 }))
    expect(tell(lines).facts.progress).toHaveLength(256)
  })
})

test("a context is as full as the agent has warned since the latest request, else as that request says", () => {
  const used = (seq: number, input: number) =>
    event(seq, "llm/response", { ...ids, "context-window": 1000, usage: { "input-tokens": input } })
  const asked = (seq: number) => event(seq, "llm/start", { ...ids, model: "m" })
  const warning = event(2, "llm/context-warning", { ...ids, "used-frac": 0.88 })
  const rows = [asked(0), used(1, 10), warning]
  expect(fullnessOf(tell(rows.slice(0, 2)), 0)).toMatchObject({ fraction: 0.01 })
  expect(fullnessOf(tell(rows), 0)).toEqual({ fraction: 0.88, isHigh: true })
  expect(fullnessOf(tell([...rows, asked(3), used(4, 900)]), 0)).toMatchObject({ fraction: 0.9 })
})
