// Tests filters of sessions and of the run, and that they read no more than needed.
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import type { Filter } from "../../../src/query/filter/filter.ts"
import { compile } from "../../../src/query/filter/predicate.ts"
import { root } from "../../fixtures.ts"
import { delta, event, line, rowsOf, tell } from "../../run/lines.ts"
import { read } from "./parsed.ts"

const judge = (seq: number, name: string, data: object = {}, ts?: number) =>
  event(seq, name, { invokeid: "judge-1", "session-id": "s1", ...data }, ts)
const streaming: readonly Decoded[] = [
  event(1, "runner/start-config", { config: ["run", "review"] }),
  judge(2, "llm/start", { model: "gpt-4" }),
  judge(3, "llm/response", {
    content: [{ type: "text", text: "the first turn" }],
    "stop-reason": "end_turn",
    usage: { "output-tokens": 9 },
  }),
  judge(4, "llm/start", { model: "gpt-5" }),
  delta(5, "I can", { invokeid: "judge-1", "session-id": "s1", ts: 2000 }),
  delta(6, "not", { invokeid: "judge-1", "session-id": "s1", ts: 2100 }),
  delta(7, "why?", { invokeid: "judge-1", "session-id": "s1", ts: 2500, type: "thinking-delta" }),
]

const ask = (invokeid: string | null) => line({ kind: "prompt", "prompt-id": "p#1", invokeid, type: "text" })
const calls = { content: [{ type: "tool_use", id: "t", name: "bash", input: {} }] }
const used = { "input-tokens": 5000, "cached-tokens": 4000, "output-tokens": 7, "cost-usd": 0.25 }
const poet = (seq: number, name: string, data: object = {}) =>
  event(seq, name, { invokeid: "poet", "session-id": "s2", ...data })
const gone = [judge(8, "llm/error", { message: "gone" })]

/** What follows the streaming turn, by what it is; the first is nothing. */
const LATER: { readonly [what: string]: readonly Decoded[] } = {
  "a turn that streams": [],
  "a turn that was counted, charged, and whose tool failed": [
    judge(8, "llm/response", { usage: used, ...calls }, 3000),
    judge(9, "llm/tool-result", { "tool-use-id": "t", tool: "bash", "is-error": true, "elapsed-ms": 500 }, 3500),
  ],
  "a truncated turn that calls a tool": [judge(8, "llm/response", { ...calls, "stop-reason": "max_tokens" })],
  "the turn after it": [judge(8, "llm/response", { ...calls, "stop-reason": "max_tokens" }), judge(9, "llm/start")],
  "a turn that failed": gone,
  "a turn that repeats after one that failed": [
    ...gone,
    judge(9, "llm/start"),
    judge(10, "llm/retry", { category: "busy" }),
  ],
  "a context nearly full": [judge(8, "llm/context-warning", { "used-frac": 0.9 })],
  "a question of its own": [ask("judge-1")],
  "a question of another": [ask("judge-2")],
  "a question of nobody": [ask(null)],
  "a question that was answered": [ask("judge-1"), line({ kind: "answer", "prompt-id": "p#1", value: "x" })],
  "a retry in a run that was aborted": [judge(8, "llm/retry"), event(9, "runner/aborted", { reason: "stopped" })],
  "a worker that failed, and says no more": [judge(8, "llm/worker-exit", { "is-error": true })],
  "another session that failed": [poet(8, "llm/start"), poet(9, "llm/error", { message: "gone" })],
  "another start of the run": [...gone, event(1, "runner/started")],
  "a start of which nothing came yet": [line({ kind: "sidecar", at: 9000, what: "start" })],
}

const FILTERS = (await Bun.file(join(root, "fixtures/scripts/session-filters.txt")).text()).trimEnd().split("\n")

test("what is true of a session, and of the run, in each state", () => {
  const trueOf = (of: (filter: Filter) => boolean) => FILTERS.filter(text => of(read(text))).join(" | ")
  const told = Object.entries({ "nothing yet": null, ...LATER }).map(([what, later]) => {
    const run = tell(later === null ? [] : [...streaming, ...later])
    const sessions = [0, 1].map(index => trueOf(filter => compile(filter).session(run, index)))
    return [
      what,
      ...sessions.map((one, i) => `  session ${i}: ${one}`),
      `  run: ${trueOf(filter => compile(filter).run(run))}`,
    ]
  })
  expect(`\n${told.map(one => one.join("\n")).join("\n")}\n`).toMatchSnapshot()
})

describe("a compiled filter", () => {
  test("reads a field only if the terms before it do not decide", () => {
    const run = tell(streaming)
    const [row] = rowsOf(run)
    if (row === undefined) throw new Error("no row")
    const asked: string[] = []
    const spy = new Proxy(row, {
      get(target, key) {
        asked.push(String(key))
        return Reflect.get(target, key)
      },
    })
    expect(compile(read("error seq=1 text~x")).row(run, spy)).toBe(false)
    expect(asked).toEqual(["level"])
    asked.length = 0
    expect(compile(read("seq=1 or text~x")).row(run, spy)).toBe(true)
    expect(asked).toEqual(["seq"])
  })

  test("built from an invalid pattern finds nothing", () => {
    const filter: Filter = { type: "pattern", key: "text", source: "(", flags: "" }
    expect(compile(filter).session(tell(streaming), 0)).toBe(false)
  })
})
