// Tests what a run's events show to be wrong, where it is, and from which limit on.
import { describe, expect, test } from "bun:test"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { fold } from "../../src/run/fold.ts"
import { findingWords, usualLimits } from "../../src/run/model/finding.ts"
import { initialRun } from "../../src/run/model/run.ts"
import { runFindings } from "../../src/run/select/run-findings.ts"
import { delta, event, line } from "./lines.ts"

const T = 1_000_000
let seq = 0
const at = (ms: number, name: string, data: object = {}) =>
  event(seq++, name, { invokeid: "a", "session-id": "s", ...data }, T + ms)
const start = (ms: number) => at(ms, "llm/start")
const reply = (ms: number, data: object = {}) =>
  at(ms, "llm/response", { content: [{ type: "text", text: "x" }], ...data })
const calls = (ms: number, input: object | string = { command: "ls" }) =>
  at(ms, "llm/response", { content: [{ type: "tool_use", name: "bash", input }] })
const result = (ms: number, isError: boolean) =>
  at(ms, "llm/tool-result", { tool: "bash", "is-error": isError, "content-preview": "no such file" })

function run(lines: readonly Decoded[], limits = usualLimits) {
  return fold(initialRun({ limits }), lines)
}
const found = (lines: readonly Decoded[], limits = usualLimits, reach: readonly string[] = []) =>
  runFindings(run(lines, limits), { reach }).map(one => [one.kind, one.turn, findingWords(one), one.place.line + 1])

describe("a finding", () => {
  test("is an error of a session, with its turn and line, and one of the run without", () => {
    expect(found([start(0), reply(1), start(2), at(3, "llm/error", { message: "over\n  loaded" })])).toEqual([
      ["error", 2, "over loaded", 4],
    ])
    expect(found([start(0), at(1, "runner/error", { message: "no chart" })])).toEqual([["error", null, "no chart", 2]])
    const twice = [start(0), at(1, "llm/error", { message: "reset" }), at(2, "llm/error", { message: "gave up" })]
    expect(found(twice)).toEqual([["error", 1, "reset, then gave up", 2]])
    const ofRun = [at(1, "runner/error", { message: "no chart" }), at(2, "runner/aborted", { reason: "quit" })]
    expect(found(ofRun)).toEqual([
      ["error", null, "no chart", 1],
      ["error", null, "aborted: quit", 2],
    ])
    expect(found([at(1, "runner/aborted", { reason: "quit" })])).toEqual([["error", null, "aborted: quit", 1]])
    expect(found([start(0), at(1, "llm/model-down", { model: "m", category: "network" })])).toEqual([
      ["error", 1, "m is unavailable: network", 2],
    ])
    expect(found([at(1, "runner/done", { status: "failed" })])).toEqual([["error", null, "the run ended as error", 1]])
    expect(found([start(0), reply(1), at(2, "runner/done", { status: "done" })])).toEqual([])
  })

  test("is a worker that failed, unless its turn has said why already", () => {
    const exit = (ms: number) => at(ms, "llm/worker-exit", { reason: "error", "is-error": true })
    expect(found([start(0), exit(1)])).toEqual([["error", 1, "error", 2]])
    expect(found([start(0), at(1, "llm/error", { message: "overloaded" }), exit(2)])).toEqual([
      ["error", 1, "overloaded", 2],
    ])
    expect(found([start(0), reply(1, { "stop-reason": "refusal" }), exit(2)])).toEqual([
      ["refused", 1, "the model refused to answer", 2],
    ])
    expect(found([start(0), at(1, "llm/worker-exit", { reason: "done" })])).toEqual([])
  })

  test("is a failed tool after which nothing was called, at its result", () => {
    const failed = [start(0), calls(1), result(2, true), start(3)]
    expect(found(failed)).toEqual([])
    expect(found([...failed, reply(4)])).toEqual([
      ["failed-tool", 1, "bash failed and was not retried: no such file", 3],
    ])
    expect(found([...failed, calls(4, { command: "pwd" }), result(5, false), start(6), reply(7)])).toEqual([])
    expect(found([start(0), calls(1), result(2, false), start(3), reply(4)])).toEqual([])
    // The turn after it may break off, and the one after that say nothing of it.
    const brokenOff = [...failed, at(4, "llm/error", { message: "reset" }), start(5), reply(6), start(7), reply(8)]
    expect(found(brokenOff).map(([kind, turn, , place]) => [kind, turn, place])).toEqual([
      ["failed-tool", 1, 3],
      ["error", 2, 5],
    ])
  })

  test("is a reply that was cut or refused", () => {
    expect(found([start(0), reply(1, { "stop-reason": "max_tokens" })])).toEqual([
      ["truncated", 1, "the reply ended at the token limit", 2],
    ])
    expect(found([start(0), reply(1, { "stop-reason": "end_turn" })])).toEqual([])
  })

  test("is the same call from the third time on, once for the row of calls, with its count", () => {
    const twice = [start(0), calls(1), calls(2)]
    expect(found(twice)).toEqual([])
    const four = [...twice, calls(3), calls(4)]
    const words = 'the same call 3 times in a row, up to 4 times: bash {"command":"ls"}'
    expect(found(four)).toEqual([["repeat", 1, words, 4]])
    const again = [...four, calls(5, { command: "pwd" }), calls(6), calls(7), calls(8)]
    expect(found(again).map(([, , why, place]) => [why, place])).toEqual([
      [words, 4],
      ['the same call 3 times in a row: bash {"command":"ls"}', 9],
    ])
    expect(found(twice, { ...usualLimits, repeats: 2 })).toHaveLength(1)
  })

  test("is the same call with its arguments in another order, or as a text with other white space", () => {
    const first = { path: "a", range: { to: 2, from: 1 } }
    const second = { range: { from: 1, to: 2 }, path: "a" }
    expect(found([start(0), calls(1, first), calls(2, second), calls(3, first)])).toHaveLength(1)
    const third = { range: { from: 1, to: 3 }, path: "a" }
    expect(found([start(0), calls(1, first), calls(2, second), calls(3, third)])).toEqual([])
    const texts = ['{"path":"a","n":1}', '{ "path": "a", "n": 1 }', '{"n":1,\n"path":"a"}']
    expect(found([start(0), ...texts.map((text, i) => calls(i + 1, text))])).toHaveLength(1)
    expect(found([start(0), ...["a b", "a  b", "ab"].map((text, i) => calls(i + 1, text))])).toEqual([])
    const large = ["12345678901234567890", "12345678901234567891", "12345678901234567892"]
    expect(found([start(0), ...large.map((n, i) => calls(i + 1, `{"id":${n}}`))])).toEqual([])
  })

  test("is a turn's third retry and all after it, as one", () => {
    const retry = (ms: number, attempt: number) =>
      at(ms, "llm/retry", { attempt, "max-retries": 5, category: "overloaded" })
    expect(found([start(0), retry(1, 1), retry(2, 2)])).toEqual([])
    expect(found([start(0), retry(1, 1), retry(2, 2), retry(3, 3), retry(4, 4)])).toEqual([
      ["retries", 1, "retry 3 of 5, up to retry 4: overloaded", 4],
    ])
  })

  test("is a context of which 80% or more are used, where it was first so, with the worst after it", () => {
    const warned = (ms: number, used: number) => at(ms, "llm/context-warning", { "used-frac": used })
    expect(found([start(0), warned(1, 0.79)])).toEqual([])
    expect(found([start(0), warned(1, 0.8), reply(2), start(3), warned(4, 0.92)])).toEqual([
      ["context", 1, "context 80% full, up to 92% in turn 2", 2],
    ])
    const {
      facts: { findings },
    } = run([start(0), warned(1, 0.85), warned(2, 0.92), warned(3, 0.81), start(4), warned(5, 0.9)])
    expect(findings.list.map(one => [findingWords(one), one.worst?.place.line])).toEqual([
      ["context 85% full, up to 92%", 2],
    ])
  })

  test("is an input three times that of the turn before, and 4,000 tokens more", () => {
    const used = (ms: number, input: number) => reply(ms, { usage: { "input-tokens": input, "output-tokens": 1 } })
    const turns = (...inputs: readonly number[]) => inputs.flatMap((input, i) => [start(2 * i), used(2 * i + 1, input)])
    expect(found(turns(2000, 6000))).toEqual([["growth", 2, "the input grew from 2,000 to 6,000 tokens", 4]])
    expect(found(turns(2000, 5999))).toEqual([])
    expect(found(turns(1000, 4999))).toEqual([])
    expect(found(turns(2000, 5000, 9000), { ...usualLimits, growth: 1.5 })).toHaveLength(1)
    // No request of a turn with several has their sum, or a mean of it.
    const several = [start(0), used(1, 4000), used(2, 9000), start(3), used(4, 30_000)]
    expect(found(several)).toEqual([["growth", 2, "the input grew from 9,000 to 30,000 tokens", 5]])
    const apart = [start(0), used(1, 4000), used(2, 5000), used(3, 5000), start(4), used(5, 17_000)]
    expect(found(apart)).toEqual([["growth", 2, "the input grew from 5,000 to 17,000 tokens", 6]])
    expect(found([start(0), used(1, 4000), used(2, 17_000)])).toHaveLength(1)
    expect(found([start(0), used(1, 5000), start(2), start(3), used(4, 17_000)])).toHaveLength(1)
  })

  test("is silence of a model, before its first token, in a reply and at the end, and of nobody else", () => {
    const word = (ms: number) => delta(seq++, "w", { ts: T + ms })
    expect(found([start(0), word(60_000)])).toEqual([])
    expect(found([start(0), word(61_000)])).toEqual([["silence", 1, "silent for 61 s before the first token", 2]])
    expect(found([start(0), word(1), word(90_001)])).toEqual([
      ["silence", 1, "silent for 90 s in the middle of a reply", 3],
    ])
    expect(found([start(0), reply(61_000)])).toEqual([["silence", 1, "silent for 61 s before the first token", 2]])
    expect(found([start(0), word(1), at(70_000, "runner/tick", { "session-id": null })])).toEqual([
      ["silence", 1, "silent for 70 s in the middle of a reply, to the end", 3],
    ])
    // A tool, a person and a debugger may take their time.
    expect(found([start(0), calls(1), result(90_000, false), start(90_001), reply(90_002)])).toEqual([])
    const asks = line({ kind: "prompt", "prompt-id": "p", invokeid: "a", type: "text", opts: { prompt: "?" } })
    expect(
      found([start(0), at(1, "human-input/start", { kind: "text" }), asks, at(90_000, "human-input/answer")]),
    ).toEqual([])
    const held = line({ kind: "debug", paused: true, "step-budget": 0 })
    expect(found([start(0), held, word(90_000)])).toEqual([])
    expect(found([start(0), word(31_000)], { ...usualLimits, silence: 30_000 })).toHaveLength(1)
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
    const again = line({ kind: "sidecar", at: T, what: "start" })
    expect(found([...states, again], within(90_000), ["plan"])).toEqual([])
    const late = event(seq++, "runner/tick", {}, T + 200_000)
    expect(found([...states, late], within(60_000))).toEqual([["duration", null, "took over 60 s, 200 s in all", 3]])
    const [total] = runFindings(run([...states, late], within(60_000)), { reach: [] })
    expect(total?.worst?.place.line).toBe(3)
  })

  test("is a cost, at the reply that passes the limit, with what the run cost in all", () => {
    const paid = (ms: number, dollars: number) => reply(ms, { usage: { "output-tokens": 1, "cost-usd": dollars } })
    const lines = [start(0), paid(1, 0.2), start(2), paid(3, 0.15), start(4), paid(5, 0.1)]
    expect(found(lines, { ...usualLimits, cost: 0.3 })).toEqual([["cost", null, "cost over $0.3, $0.4500 in all", 4]])
    expect(found(lines, { ...usualLimits, cost: 0.45 })).toEqual([])
  })

  test("quotes the beginning of a long text, up to a whole word", () => {
    const message = `${"a ".repeat(195)}sk-0123456789abcdefgh`
    const [error] = run([start(0), at(1, "llm/error", { message })]).facts.findings.list
    expect(error?.why).toBe(`${"a ".repeat(195)}…`)
  })

  test("of which there are ever more is kept a thousand times, and then counted", () => {
    const all = run([start(0), ...Array.from({ length: 1500 }, (_, i) => [start(i), at(i, "llm/error")]).flat()])
    expect([all.facts.findings.list.length, all.facts.findings.more]).toEqual([1000, 500])
  })

  test("belongs to its own run: another epoch's session of the same name has none", () => {
    const lines = [start(0), at(1, "llm/error", { message: "x" }), event(0, "runner/started", {}, T + 100)]
    expect(run(lines).facts.findings.list.map(({ place }) => place.epoch)).toEqual([0])
  })
})
