// Tests each key and operator of a filter on log rows.
import { describe, expect, test } from "bun:test"
import { compile } from "../../../src/query/filter/predicate.ts"
import { initialRun } from "../../../src/run/model/run.ts"
import { event, ids, line, rowsOf, tell } from "../../run/lines.ts"
import { read } from "./parsed.ts"

describe("a filter of rows", () => {
  const row = (seq: number, name: string, data: object, keys: object = {}, ts = 1_700_000_000_000 + seq * 1000) =>
    line({ kind: "event", seq, ts, event: name, data, ...keys })
  const disk = { "transcript/node-id": "n", "transcript/visit": 2, "transcript/turn": 3 }
  const run = tell([
    row(1, "runner/started", { "chart-id": ":poets" }),
    row(2, "runner/start-config", { config: ["run", "draft"] }),
    row(3, "llm/start", { ...ids, model: "gpt-4" }),
    row(4, "llm/request", {
      ...ids,
      model: "gpt-4",
      "io/ref": "nodes/a/0/turns/1/request.edn",
      "user-blocks": [{ type: "text", text: `${"long ".repeat(300)}tail` }],
      "system-preview": "You are a judge",
    }),
    row(5, "llm/response", {
      ...ids,
      model: "claude",
      "stop-reason": "max_tokens",
      "output-tps": 40.5,
      usage: { "input-tokens": 9, "output-tokens": 250 },
      content: [
        { type: "thinking", thinking: "Hmm, rhymes" },
        { type: "tool_use", name: "run_bash", input: { command: "ls -la" } },
      ],
    }),
    row(6, "llm/tool-result", { ...ids, tool: "write_file", "is-error": true, "content-preview": "No space" }, disk),
    row(7, "llm/error", { invokeid: "b", "session-id": "t", message: "Rate limited" }),
    row(8, "runner/event-processed", { entered: ["review"], "config-after": ["run", "review"], exited: ["draft"] }),
    row(9, "human-input/start", { kind: "text", prompt: "Which one?", invokeid: "b" }),
    row(13, "brand/new", { deep: { word: "Zebra" } }),
    row(14, "llm/worker-exit", { ...ids, reason: "done" }),
    // Without a session-id it belongs to the one session of its invokeid.
    row(15, "llm/retry", { invokeid: "a", category: "overloaded", attempt: 1 }),
    line({ kind: "sidecar", at: 1_700_000_020_000, what: "refused", op: "step", why: "no debugger" }),
  ])
  /** The `seq` of each row that matches; the gap's is the first number missing, and the refused op has none. */
  const matching = (text: string, zone = 0) => {
    const { row: matches } = compile(read(text), zone)
    return rowsOf(run).flatMap(one => (matches(run, one) ? [one.seq] : []))
  }
  const every = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 13, 14, 15, null]
  const but = (...seqs: readonly (number | null)[]) => every.filter(seq => !seqs.includes(seq))

  const cases: readonly (readonly [filter: string, seqs: readonly (number | null)[]])[] = [
    ["", every],
    ["kind=event", but(10, null)],
    ["kind=gap or kind~fus", [10, null]],
    ["kind!=event", [10, null]],
    ["event=llm/*", [3, 4, 5, 6, 7, 14, 15]],
    ["event=llm", []],
    ["event~error", [7]],
    ["event~/^r/", [1, 2, 8]],
    ['event~"START"', [1, 2, 3, 9]],
    ["event!=*/*", [10, null]],
    ["invokeid=b", [7, 9]],
    ["invokeid!=b", but(7, 9)],
    ["invokeid=?", [3, 4, 5, 6, 7, 9, 14, 15]],
    ["session=s", [3, 4, 5, 6, 14, 15]],
    ["session~t", [7]],
    ["model=gpt-4", [3, 4]],
    ["model=claude", [5, 6, 14, 15]],
    ["state=draft", [2]],
    ["state=review", [8]],
    ["state=run", [2, 8]],
    ["state!=run", but(2, 8)],
    ["text~tail$", [4]],
    ['text~"you are a JUDGE"', [4]],
    ["text~/^Hmm/", [5]],
    ['text~"ls -la"', [5]],
    ["text~run_bash", [5]],
    ['text~"no space"', [6]],
    ["text~limited", [7]],
    ['text~"from draft"', [8]],
    ['text~"which one"', [9]],
    ['text~"3 rows missing"', [10]],
    ["text~debugger", [null]],
    ["text~zebra", [13]],
    ['text="session ended"', [14]],
    ["tool=run_bash", [5]],
    ["tool=write*", [6]],
    ["tool~.", [5, 6]],
    ["reason=max_tokens", [5]],
    ["reason~/rate/i", [7]],
    ["reason~/rate/ or reason~/r.te/", []],
    ["reason=done or reason=overloaded", [14, 15]],
    ['reason="no debugger"', [null]],
    ["turn=2", [4]],
    ["turn>=2", [4, 6]],
    ["turn>2 visit=2", [6]],
    ["visit<2", [4]],
    ["turn!=2", but(4)],
    ["tokens>249", [5]],
    ["tokens>250", []],
    ["tokens<=0.25k", [5]],
    ["tokens!=250", but(5)],
    ["rate>40 rate<41", [5]],
    ["input=9", [5]],
    ["input>9 or cached>0 or cost>0 or duration>0", []],
    ["failed=1", [6]],
    ["failed=0", []],
    ["seq>=14", [14, 15]],
    ["seq<3", [1, 2]],
    ["seq=10", [10]],
    ["ts=1700000003000", [3]],
    ["ts>+12s", [14, 15, null]],
    ["ts<=+1s", [1, 2]],
    ["ts=+3s", [4]],
    // 1,700,000,000 is 2023-11-14 22:13:20 UTC.
    ["ts=22:13:25", [5]],
    ["ts<22:13:22", [1]],
    ["ts<=22:13:22", [1, 2]],
    ["ts>22:13:34", [15, null]],
    ["ts>22:13", []],
    ["ts=22:13", every],
    ["error", [6, 7]],
    ["warning", [5, 6, 7, 10, 15, null]],
    ["prompt", [9]],
    ["not error invokeid=a event!=llm/start", [4, 5, 14, 15]],
    ["error or prompt", [6, 7, 9]],
    ["not (error or prompt)", but(6, 7, 9)],
  ]
  for (const [filter, seqs] of cases) test(filter, () => expect(matching(filter)).toEqual([...seqs]))

  test("a row's model is the one at the row, whatever the session uses later", () => {
    const start = (seq: number, model?: string) => event(seq, "llm/start", { ...ids, model })
    const failed = (seq: number) => event(seq, "llm/error", { ...ids, message: `failure ${seq}` })
    const lines = [start(1, "A"), failed(2), start(3, "B"), failed(4), start(5), failed(6), start(8, "C"), failed(7)]
    const told = tell(lines)
    const at = (text: string) => rowsOf(told).flatMap(one => (compile(read(text), 0).row(told, one) ? [one.seq] : []))
    expect(at("error model=A")).toEqual([2])
    expect(at("error model=B")).toEqual([4, 6, 7])
    expect(at("model=C")).toEqual([8])
    const packed = tell(lines.slice(0, 2), initialRun({ rowWindow: 0 }))
    expect(rowsOf(packed).map(one => one.model)).toEqual(["A", "A"])
  })

  test("a filter by clock time uses the person's time zone", () => {
    expect(matching("ts=23:13:25", 3_600_000)).toEqual([5])
    expect(matching("ts=22:13:25", 3_600_000)).toEqual([])
    expect(matching("ts=00:13:25", 2 * 3_600_000)).toEqual([5])
    expect(matching("ts=17:13:25", -5 * 3_600_000)).toEqual([5])
  })

  test("a filter by a clock time before the run's start means the next day", () => {
    const night = tell([
      event(1, "one", {}, Date.UTC(2024, 0, 1, 23, 50)),
      event(2, "two", {}, Date.UTC(2024, 0, 2, 0, 5)),
      event(3, "three", {}, Date.UTC(2024, 0, 2, 0, 10)),
    ])
    const at = (text: string) =>
      rowsOf(night)
        .filter(one => compile(read(text)).row(night, one) === true)
        .map(one => one.seq)
    expect(at("ts=00:05")).toEqual([2])
    expect(at("ts>00:05")).toEqual([3])
    expect(at("ts>=23:50")).toEqual([1, 2, 3])
    expect(at("ts>=23:00")).toEqual([1, 2, 3])
  })

  test("a row without ts or seq matches only != of one", () => {
    const bare = tell([line({ kind: "event", event: "x", data: {} })])
    const [one] = rowsOf(bare)
    if (one === undefined) throw new Error("no row")
    for (const text of ["ts>0", "ts<+1s", "ts=00:00", "seq>=0", "seq<=9"])
      expect([text, compile(read(text)).row(bare, one) === true]).toEqual([text, false])
    for (const text of ["ts!=0", "ts!=+1s", "seq!=1"])
      expect([text, compile(read(text)).row(bare, one) === true]).toEqual([text, true])
  })
})
