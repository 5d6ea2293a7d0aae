// Tests filters of sessions and of the run, and that they read no more than needed.
import { describe, expect, test } from "bun:test"
import type { Decoded } from "../../../packages/wire/src/frame.ts"
import type { Filter } from "../../../src/query/filter/filter.ts"
import { compile } from "../../../src/query/filter/predicate.ts"
import type { Run } from "../../../src/run/model/run.ts"
import { delta, event, line, rowsOf, tell } from "../../run/lines.ts"
import { read } from "./parsed.ts"

/** Filters, `|` between them, that are true and that are false of session 0, or of the run. */
function says(of: (filter: Filter) => boolean, ...wanted: readonly string[]): void {
  const texts = wanted.map(one => (one === "" ? [] : one.split("|").map(text => text.trim())))
  const answers = texts.map((all, i) => all.filter(text => of(read(text)) === (i === 0)))
  expect(answers).toEqual(texts)
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
    // The run began at 1001 ms, so this is +1.499s, which +1.4s stands for.
    says(
      of(tell(streaming)),
      `invokeid=judge* | session=s1 model=gpt-5 | state=review | state!=draft | text~"i cannot" | text~why |
        turn=2 | tokens=3 | rate=6 | ts=2500 seq=7 | ts=+1.4s | not (kind=* or event=* or visit>=0)`,
      `invokeid=judge | model=gpt-4 | text~"first turn" | turn>=3 | rate>6 | ts>+1.4s | error | warning |
        prompt | reason~. | kind=* | event=* | visit>=0`,
    )
  })

  test("that was counted and charged matches what its latest turn used, and one that was not has no such value", () => {
    const usage = { "input-tokens": 5000, "cached-tokens": 4000, "output-tokens": 7, "cost-usd": 0.25 }
    const used = tell([
      ...streaming,
      judge(8, "llm/response", { usage, content: [{ type: "tool_use", id: "t", name: "bash", input: {} }] }, 3000),
      judge(9, "llm/tool-result", { "tool-use-id": "t", tool: "bash", "is-error": true, "elapsed-ms": 500 }, 3500),
    ])
    says(
      of(used),
      "input=5000 cached=4000 | cost=0.25 | failed=1 | duration>1 duration<4",
      "input>5k | cost>0.3 | duration>4",
    )
    says(of(tell(streaming)), "failed=0", "input>=0 | cost>=0")
  })

  test("that called a tool, was truncated or failed matches that", () => {
    const content = [{ type: "tool_use", name: "run_bash", input: {} }]
    const cut = tell([...streaming, judge(8, "llm/response", { content, "stop-reason": "max_tokens" })])
    says(of(cut), "tool=run_bash | reason=max_tokens | warning", "error | text~cannot")
    const next = tell([judge(9, "llm/start")], cut)
    says(of(next), "turn=3", "tool=run_bash | warning")
    const failed = tell([judge(10, "llm/error", { message: "no credit" })], next)
    says(of(failed), "error | warning | reason~credit")
    const retries = tell([judge(11, "llm/start"), judge(12, "llm/retry", { category: "busy" })], failed)
    says(of(retries), "warning", "error")
    says(of(tell([...streaming, judge(8, "llm/context-warning", { "used-frac": 0.9 })])), "warning")
  })

  test("that waits for a person matches an open prompt of its invokeid", () => {
    const ask = (invokeid: string | null) => line({ kind: "prompt", "prompt-id": "p#1", invokeid, type: "text" })
    says(of(tell([...streaming, ask("judge-1")])), "prompt")
    says(of(tell([...streaming, ask("judge-2")])), "", "prompt")
    says(of(tell([...streaming, ask(null)])), "", "prompt")
    const answered = line({ kind: "answer", "prompt-id": "p#1", value: "x" })
    says(of(tell([...streaming, ask("judge-1"), answered])), "", "prompt")
  })

  test("that does not exist matches nothing", () => {
    const run = tell(streaming)
    for (const text of ["", "not error", "model!=x"]) expect(compile(read(text)).session(run, 1)).toBe(false)
  })
})

describe("a filter of the run", () => {
  const of = (run: Run) => (filter: Filter) => compile(filter).run(run)

  test("that is empty matches nothing that needs a session", () => {
    says(of(tell([])), "| not error", "error | state=* | seq>=0 | ts>0 | tokens>=0 | not tokens>=0")
  })

  test("reads the run's own facts if it can", () => {
    const run = tell([...streaming, judge(8, "llm/retry"), event(9, "runner/aborted", { reason: "stopped" })])
    says(
      of(run),
      `state=review | error | warning | reason=stopped | seq=9 | ts>=2500 | state=review error | state=review
        or tokens>4k`,
      "state=draft | not error | prompt | state=draft tokens>0",
    )
    says(of(tell([...streaming, judge(8, "llm/retry")])), "warning", "error")
    says(of(tell([line({ kind: "prompt", "prompt-id": "p", invokeid: null, type: "text" })])), "prompt")
  })

  test("reads a session's facts from one session at a time", () => {
    const other = (seq: number, name: string, data: object = {}) =>
      event(seq, name, { invokeid: "poet", "session-id": "s2", ...data })
    const run = tell([...streaming, other(8, "llm/start"), other(9, "llm/error", { message: "gone" })])
    says(
      of(run),
      `invokeid=judge* turn>=2 | invokeid=poet error | reason=gone | invokeid!=poet | tokens>2 | text~cannot`,
      "invokeid=judge* turn>=3 | invokeid=poet turn=2 | invokeid=judge-1 error | not invokeid=* | tokens>3",
    )
  })

  test("ignores an earlier epoch", () => {
    const before = tell([...streaming, judge(8, "llm/error", { message: "gone" })])
    says(of(before), "turn=2 | reason=gone")
    says(of(tell([event(1, "runner/started")], before)), "seq=1", "turn=2 | reason=gone")
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
