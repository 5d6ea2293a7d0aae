// Tests the order and the figures of the list of invocations.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { Run } from "../../src/run/model/run.ts"
import { fullnessOf, sessionTime, usageOf } from "../../src/run/select/figures.ts"
import { ORDERS, rowOf, sessionAt, sortSessions } from "../../src/view/inspector.ts"
import { delta, event, idAt, tell } from "../run/lines.ts"

function reply(seq: number, who: object, input: number, output: number, cached?: number) {
  const usage = { "input-tokens": input, "output-tokens": output, "cached-tokens": cached }
  return event(seq, "llm/response", { ...who, content: [], "stop-reason": "end_turn", usage })
}

const [a, b, c] = ["a", "b", "c"].map(id => ({ invokeid: id, "session-id": `s-${id}` }))
const start = (seq: number, who: object | undefined) => event(seq, "llm/start", who)

/** a takes 5 s and puts out 10, b takes 2 s and puts out 30, c fails at once. */
function three(): Run {
  return tell([
    event(0, "llm/start", a, 1000),
    event(1, "llm/start", b, 2000),
    event(2, "llm/start", c, 3000),
    event(3, "llm/error", { ...c, message: "no" }, 3000),
    event(4, "llm/response", { ...b, usage: { "input-tokens": 7, "output-tokens": 30 } }, 4000),
    event(5, "llm/response", { ...a, usage: { "input-tokens": 900, "output-tokens": 10 } }, 6000),
  ])
}

describe("the figures of a session", () => {
  test("sum tokens over its turns, and leave out what a provider does not report", () => {
    const run = tell([start(0, a), reply(1, a ?? {}, 100, 10), start(2, a), reply(3, a ?? {}, 140, 5, 90)])
    const [session, stream] = [run.sessions[0], run.turnBuffers[0]]
    if (session === undefined || stream === undefined) throw new Error("no session")
    expect(usageOf(session, stream)).toEqual({ input: 240, output: 15, cached: 90 })
    expect(fullnessOf(run, 0)).toEqual({ tokens: 140 })
    const silent = tell([start(0, a), event(1, "llm/response", { ...a, content: [] })])
    expect(silent.sessions[0]?.totalUsage).toEqual({ input: null, output: null, cached: null })
  })

  test("count output while it streams, a coalesced delta as many times as it says", () => {
    const run = tell([start(0, a), reply(1, a ?? {}, 100, 10), start(2, a), delta(9, "xy", { ...a, coalesced: 7 })])
    const [session, stream] = [run.sessions[0], run.turnBuffers[0]]
    if (session === undefined || stream === undefined) throw new Error("no session")
    expect(usageOf(session, stream).output).toBe(17)
  })

  test("count time from its first event to its last, or to now while it is open", () => {
    const run = tell([event(0, "llm/start", a, 1000), delta(1, "x", { ...a, ts: 4000 })])
    const [session, stream] = [run.sessions[0], run.turnBuffers[0]]
    if (session === undefined || stream === undefined) throw new Error("no session")
    expect(sessionTime(session, stream, null)).toBe(3000)
    expect(sessionTime(session, stream, 9000)).toBe(8000)
    const untimed = tell([event(0, "llm/start", a, Number.NaN)])
    expect(untimed.sessions[0]?.beganTs).toBeNull()
  })

  test("prefer a context warning to the tokens of a turn", () => {
    const run = tell([
      start(0, a),
      reply(1, a ?? {}, 100, 10),
      event(2, "llm/context-warning", { ...a, "used-frac": 0.8 }),
    ])
    expect(fullnessOf(run, 0)).toEqual({ fraction: 0.8, isHigh: true })
  })
})

describe("the order of sessions", () => {
  test("is newest first, by name, by status, longest first, most tokens first", () => {
    const run = three()
    const listed = (order: (typeof ORDERS)[number]) => {
      const sorted = sortSessions(run, order, 6000)
      return run.sessions.map((_, row) => run.sessions[sessionAt(run, sorted, row) ?? -1]?.sessionId)
    }
    expect(listed("newest")).toEqual(["s-c", "s-b", "s-a"])
    expect(listed("name")).toEqual(["s-a", "s-b", "s-c"])
    expect(listed("status")).toEqual(["s-c", "s-b", "s-a"])
    expect(listed("time")).toEqual(["s-a", "s-b", "s-c"])
    expect(listed("in")).toEqual(["s-a", "s-b", "s-c"])
    expect(listed("out")).toEqual(["s-b", "s-a", "s-c"])
  })

  test("keeps its rows while figures change, and puts new sessions above them", () => {
    const before = three()
    const sorted = sortSessions(before, "out", 6000)
    const after = tell([reply(6, a ?? {}, 1, 500), start(7, { invokeid: "d", "session-id": "s-d" })], before)
    const ids = after.sessions.map((_, row) => after.sessions[sessionAt(after, sorted, row) ?? -1]?.sessionId)
    expect(ids).toEqual(["s-d", "s-b", "s-a", "s-c"])
  })

  test("has every session once, in the row where it is looked up", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 12 }),
        fc.integer({ min: 0, max: 12 }),
        fc.constantFrom(...ORDERS),
        (outputs, early, order) => {
          const lines = outputs.map((output, i) =>
            reply(i, { invokeid: `i${i % 3}`, "session-id": `s${i}` }, 1, output),
          )
          const sorted = sortSessions(tell(lines.slice(0, early)), order, 0)
          const run = tell(lines)
          const rows = run.sessions.map((_, row) => sessionAt(run, sorted, row))
          expect(rows.toSorted()).toEqual(run.sessions.map((_, index) => index).toSorted())
          expect(rows.map(session => rowOf(run, sorted, idAt(run, session ?? -1)))).toEqual(rows.map((_, row) => row))
        },
      ),
    )
  })
})
