// Tests what every event of docs/contract.md section 9 does to a run.
import { describe, expect, test } from "bun:test"
import { report } from "../../src/run/select/report.ts"
import { delta, event, ids, logOf, rowsOf, tell } from "./lines.ts"

const started = event(0, "runner/started", { "session-id": ":session/x", "chart-id": ":chart", "resume?": false })

test("the runner's chart and session are known", () => {
  expect(tell([started]).chart).toMatchObject({ chartId: ":chart", sessionId: ":session/x" })
})

describe("a session", () => {
  const start = event(0, "llm/start", { ...ids, model: "m1" }, 1000)

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

test("a turn that broke off keeps its text in the transcript", () => {
  const run = tell([event(0, "llm/start", ids), delta(1, "half"), event(2, "llm/start", ids), delta(3, "new")])
  expect(run.sessions[0]?.entries.tail).toMatchObject([{ type: "text", text: ["half"], turn: 1 }])
  expect(report(run)).toMatchObject({ invocations: [{ sessions: [{ text: "new", turns: 2, tokens: 1 }] }] })
})

test("other events of an unknown type, or of a row that could not be written, are rows that change nothing else", () => {
  const before = tell([started, event(1, "llm/start", ids)])
  const after = tell([event(2, "transcript/serialize-error", ids), event(3, "brand/new", ids)], before)
  expect(logOf(after).slice(-2)).toEqual(["transcript/serialize-error", "brand/new"])
  expect([after.log.warnings, after.log.errors, after.status]).toEqual([1, 0, "running"])
  expect(after.sessions).toBe(before.sessions)
  expect(after.turnBuffers).toBe(before.turnBuffers)
  expect(rowsOf(after).at(-1)?.session).toBeNull()
})
