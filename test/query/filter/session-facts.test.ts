// Tests filters of sessions and of the run, and that they read no more than needed.
import { describe, expect, test } from "bun:test"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import type { Filter } from "../../../src/query/filter/filter.ts"
import { compile } from "../../../src/query/filter/predicate.ts"
import type { Run } from "../../../src/run/model/run.ts"
import { delta, event, line, rowsOf, tell } from "../../run/lines.ts"
import { read } from "./parsed.ts"

/** Each filter with its result for session 0, or for the run. */
function says(of: (filter: Filter) => boolean, wanted: Readonly<Record<string, boolean>>): void {
  const answers = Object.keys(wanted).map(text => [text, of(read(text))])
  expect(Object.fromEntries(answers)).toEqual(wanted)
}

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

describe("a filter of a session", () => {
  const of = (run: Run) => (filter: Filter) => compile(filter).session(run, 0)

  test("that streams matches its latest turn so far, and the state of the run", () => {
    says(of(tell(streaming)), {
      "invokeid=judge*": true,
      "invokeid=judge": false,
      "session=s1 model=gpt-5": true,
      "model=gpt-4": false,
      "state=review": true,
      "state!=draft": true,
      'text~"i cannot"': true,
      'text~"first turn"': false,
      "text~why": true,
      "turn=2": true,
      "turn>=3": false,
      "tokens=3": true,
      "rate=6": true,
      "rate>6": false,
      "ts=2500 seq=7": true,
      // The run began at 1001 ms, so this is +1.499s, which +1.4s stands for.
      "ts=+1.4s": true,
      "ts>+1.4s": false,
      error: false,
      warning: false,
      prompt: false,
      "reason~.": false,
      "kind=*": false,
      "event=*": false,
      "visit>=0": false,
      "not (kind=* or event=* or visit>=0)": true,
    })
  })

  test("that was counted and charged matches what its latest turn used, and one that was not has no such value", () => {
    const usage = { "input-tokens": 5000, "cached-tokens": 4000, "output-tokens": 7, "cost-usd": 0.25 }
    const used = tell([
      ...streaming,
      judge(8, "llm/response", { usage, content: [{ type: "tool_use", id: "t", name: "bash", input: {} }] }, 3000),
      judge(9, "llm/tool-result", { "tool-use-id": "t", tool: "bash", "is-error": true, "elapsed-ms": 500 }, 3500),
    ])
    says(of(used), {
      "input=5000 cached=4000": true,
      "input>5k": false,
      "cost=0.25": true,
      "cost>0.3": false,
      "failed=1": true,
      "duration>1 duration<4": true,
      "duration>4": false,
    })
    says(of(tell(streaming)), { "input>=0": false, "cost>=0": false, "failed=0": true })
  })

  test("that called a tool, was truncated or failed matches that", () => {
    const content = [{ type: "tool_use", name: "run_bash", input: {} }]
    const cut = tell([...streaming, judge(8, "llm/response", { content, "stop-reason": "max_tokens" })])
    says(of(cut), {
      "tool=run_bash": true,
      "reason=max_tokens": true,
      warning: true,
      error: false,
      "text~cannot": false,
    })
    const next = tell([judge(9, "llm/start")], cut)
    says(of(next), { "tool=run_bash": false, warning: false, "turn=3": true })
    const failed = tell([judge(10, "llm/error", { message: "no credit" })], next)
    says(of(failed), { error: true, warning: true, "reason~credit": true })
    const retries = tell([judge(11, "llm/start"), judge(12, "llm/retry", { category: "busy" })], failed)
    says(of(retries), { error: false, warning: true })
    says(of(tell([...streaming, judge(8, "llm/context-warning", { "used-frac": 0.9 })])), { warning: true })
  })

  test("that waits for a person matches an open prompt of its invokeid", () => {
    const ask = (invokeid: string | null) => line({ kind: "prompt", "prompt-id": "p#1", invokeid, type: "text" })
    says(of(tell([...streaming, ask("judge-1")])), { prompt: true })
    says(of(tell([...streaming, ask("judge-2")])), { prompt: false })
    says(of(tell([...streaming, ask(null)])), { prompt: false })
    const answered = line({ kind: "answer", "prompt-id": "p#1", value: "x" })
    says(of(tell([...streaming, ask("judge-1"), answered])), { prompt: false })
  })

  test("that does not exist matches nothing", () => {
    const run = tell(streaming)
    for (const text of ["", "not error", "model!=x"]) expect(compile(read(text)).session(run, 1)).toBe(false)
  })
})

describe("a filter of the run", () => {
  const of = (run: Run) => (filter: Filter) => compile(filter).run(run)

  test("that is empty matches nothing that needs a session", () => {
    says(of(tell([])), {
      "": true,
      error: false,
      "not error": true,
      "state=*": false,
      "seq>=0": false,
      "ts>0": false,
      "tokens>=0": false,
      "not tokens>=0": false,
    })
  })

  test("reads the run's own facts if it can", () => {
    const run = tell([...streaming, judge(8, "llm/retry"), event(9, "runner/aborted", { reason: "stopped" })])
    says(of(run), {
      "state=review": true,
      "state=draft": false,
      error: true,
      "not error": false,
      warning: true,
      prompt: false,
      "reason=stopped": true,
      "seq=9": true,
      "ts>=2500": true,
      "state=review error": true,
      "state=review or tokens>4k": true,
      "state=draft tokens>0": false,
    })
    says(of(tell([...streaming, judge(8, "llm/retry")])), { warning: true, error: false })
    says(of(tell([line({ kind: "prompt", "prompt-id": "p", invokeid: null, type: "text" })])), { prompt: true })
  })

  test("reads a session's facts from one session at a time", () => {
    const other = (seq: number, name: string, data: object = {}) =>
      event(seq, name, { invokeid: "poet", "session-id": "s2", ...data })
    const run = tell([...streaming, other(8, "llm/start"), other(9, "llm/error", { message: "gone" })])
    says(of(run), {
      "invokeid=judge* turn>=2": true,
      "invokeid=judge* turn>=3": false,
      "invokeid=poet turn=2": false,
      "invokeid=poet error": true,
      "invokeid=judge-1 error": false,
      "reason=gone": true,
      "not invokeid=*": false,
      "invokeid!=poet": true,
      "tokens>2": true,
      "tokens>3": false,
      "text~cannot": true,
    })
  })

  test("ignores an earlier epoch", () => {
    const before = tell([...streaming, judge(8, "llm/error", { message: "gone" })])
    says(of(before), { "turn=2": true, "reason=gone": true })
    says(of(tell([event(1, "runner/started")], before)), { "turn=2": false, "reason=gone": false, "seq=1": true })
  })
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
