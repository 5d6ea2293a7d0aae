// Tests what a run's events show to be wrong, where it is, and from which limit on.
import { describe, expect, test } from "bun:test"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import { excessesOf } from "../../../src/run/findings.ts"
import { fold } from "../../../src/run/fold.ts"
import { findingWords, usualLimits } from "../../../src/run/model/finding.ts"
import { initialRun } from "../../../src/run/model/run.ts"
import { runFindings } from "../../../src/run/select/run-findings.ts"
import { delta, event, line } from "../lines.ts"

const T = 1_000_000
let seq = 0
const at = (ms: number, name: string, data: object = {}) =>
  event(seq++, name, { invokeid: "a", "session-id": "s", ...data }, T + ms)
const start = (ms: number) => at(ms, "llm/start")
const reply = (ms: number, data: object = {}) =>
  at(ms, "llm/response", { content: [{ type: "text", text: "x" }], ...data })
const calls = (ms: number, input: object | string = { command: "ls" }) =>
  at(ms, "llm/response", { content: [{ type: "tool_use", name: "bash", input }] })

const word = (ms: number) => delta(seq++, "w", { ts: T + ms })
const turns = (...inputs: readonly number[]) =>
  inputs.flatMap((input, i) => [
    start(2 * i),
    reply(2 * i + 1, { usage: { "input-tokens": input, "output-tokens": 1 } }),
  ])

function run(lines: readonly Decoded[], limits = usualLimits) {
  return fold(initialRun({ limits }), lines)
}
const found = (lines: readonly Decoded[], limits = usualLimits, reach: readonly string[] = []) =>
  runFindings(run(lines, limits), { reach }).map(one => [one.kind, one.turn, findingWords(one), one.place.line + 1])

describe("a finding", () => {
  test.each<[what: string, lines: readonly Decoded[], limits: Partial<typeof usualLimits>, count: number]>([
    ["calls", [start(0), calls(1), calls(2)], { repeats: 2 }, 1],
    ["calls, usually", [start(0), calls(1), calls(2)], {}, 0],
    ["growth", turns(2000, 5000, 9000), { growth: 1.5 }, 1],
    ["growth, usually", turns(2000, 5000, 9000), {}, 0],
    ["silence", [start(0), word(31_000)], { silence: 30_000 }, 1],
    ["silence, usually", [start(0), word(31_000)], {}, 0],
    ["silence at the end", [start(0), at(60_001, "runner/tick")], {}, 1],
    ["silence at the end, to the ms", [start(0), at(60_000, "runner/tick")], {}, 0],
    ["no silence", [start(0), at(1, "human-input/start", { kind: "text" }), at(99_000, "runner/tick")], {}, 0],
  ])("of %s begins at its limit", (_, lines, limits, count) => {
    expect(found(lines, { ...usualLimits, ...limits })).toHaveLength(count)
  })

  test("is a run that takes too long, and a state that it never entered", () => {
    const states = [
      at(0, "runner/started", { "chart-id": "c" }),
      at(1, "runner/event-processed", { entered: ["plan"], "config-after": ["plan"] }),
      at(90_000, "runner/done", { status: "done" }),
    ]
    const within = (duration: number) => ({ ...usualLimits, duration })
    expect(found(states, within(60_000), ["plan", "review"])).toEqual([
      ["duration", null, "took over 60 s, 90 s in all", 3],
      ["unreached", null, "review was never entered", 3],
    ])
    expect(found(states, within(90_000), ["plan"])).toEqual([])
    const failed = [...states.slice(0, 2), at(90_000, "runner/done", { status: "error" })]
    expect(found(failed, within(60_000)).map(([kind]) => kind)).toEqual(["duration", "error"])
    const phases = ["plan", "next"].map(state => line({ kind: "phase", config: [state] }))
    expect(found([...phases, at(3, "runner/done", { status: "done" })], usualLimits, ["plan"])).toEqual([])
    const again = line({ kind: "sidecar", at: T, what: "start" })
    expect(found([...states, again, again], within(90_000), ["plan"])).toEqual([])
    const late = event(seq++, "runner/tick", {}, T + 199_600)
    expect(found([...states, late], within(60_000))).toEqual([["duration", null, "took over 60 s, 200 s in all", 3]])
    const [total] = runFindings(run([...states, late], within(60_000)), { reach: [] })
    expect(total?.worst?.place.line).toBe(3)
    const last = line({ kind: "phase", ts: T + 90_000, config: ["plan"] })
    expect(found([...states.slice(0, 2), last], within(60_000)).map(one => one.at(-1))).toEqual([3])
    const ends = [last, event(null, "app/note"), event(0, "app/note")]
    const places = ends.flatMap(one => runFindings(run([one]), { reach: ["x"] }).map(({ place }) => place))
    expect(places.map(({ epoch, seq, line }) => `${epoch} ${seq} ${line}`)).toEqual(["-1 null 0", "0 null 0", "0 0 0"])
  })

  test("is a cost, at the reply that passes the limit, with what the run cost in all", () => {
    const paid = (ms: number, dollars: number) => reply(ms, { usage: { "output-tokens": 1, "cost-usd": dollars } })
    const lines = [start(0), paid(1, 0.2), start(2), paid(3, 0.15), start(4), paid(5, 0.1)]
    expect(found(lines, { ...usualLimits, cost: 0.3 })).toEqual([["cost", null, "cost over $0.3, $0.4500 in all", 4]])
    expect(found(lines, { ...usualLimits, cost: 0.45 })).toEqual([])
    const { options, facts } = run(lines, { ...usualLimits, cost: 0.45, duration: 5 })
    const passed = (ms: number) => excessesOf({ options, firstTs: T, lastTs: T + ms }, facts.ledger.total)
    expect([passed(5), passed(6)]).toEqual([new Map(), new Map([["duration", "took over 0.005 s"]])])
  })
})
