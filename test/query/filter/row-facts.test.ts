// Tests what a filter reads of log rows beside what stands in them; matches.test.ts has each key and operator.
import { describe, expect, test } from "bun:test"
import { compile } from "../../../src/query/filter/predicate.ts"
import { initialRun } from "../../../src/run/model/run.ts"
import { event, ids, line, rowsOf, tell } from "../../run/lines.ts"
import { read } from "./parsed.ts"

test("a phase is found by the states that it says are active, not by those on its path", () => {
  const phase = line({ kind: "phase", config: ["a"], breadcrumb: ["run", "a"] })
  const finds = (text: string) => phase.kind === "phase" && compile(read(text)).frame(tell([]), phase)
  expect(["state=a", "state=run"].map(finds)).toEqual([true, false])
})

describe("a filter of rows", () => {
  const long = `${"long ".repeat(300)}tail`
  const call = { type: "tool_use", name: "t", input: { a: long, b: 1 } }
  const moved = { entered: ["brief"], "config-after": ["rest"] }
  test.each<[what: string, filter: string, event: string, data: object]>([
    ["its whole text, which the log shows cut", "text~tail$", "llm/request", { "user-blocks": [{ text: long }] }],
    ["all that a tool is called with", 'text~"tail\\",\\"b\\":1"', "llm/response", { content: [call] }],
    ["the whole name of the tool", "text~^t$", "llm/response", { content: [call] }],
    ["why a model went down", "reason=network", "llm/model-down", { message: "no", category: "network" }],
    ["all mistakes of an answer", "reason~two", "human-input/validation-failed", { errors: ["one", "two"] }],
    ["a state that was left at once", "state=brief", "runner/event-processed", moved],
    [
      "its visit and turn, by where it is captured",
      "visit=7 turn=3",
      "llm/request",
      { "io/ref": "nodes/a/7/turns/2/a.edn" },
    ],
  ])("finds a row by %s", (_, filter, name, data) => {
    const run = tell([event(1, name, { ...ids, ...data })])
    expect(rowsOf(run).map(one => compile(read(filter)).row(run, one))).toEqual([true])
  })

  test("believes the place that a row on disk has before the one where it is captured", () => {
    const data = { ...ids, "io/ref": "nodes/a/7/turns/2/a.edn" }
    const place = { "transcript/node-id": "a", "transcript/visit": 4, "transcript/turn": 5 }
    const run = tell([line({ event: "llm/request", seq: 1, ts: 1, ...place, data })])
    expect(rowsOf(run).map(one => compile(read("visit=4 turn=6")).row(run, one))).toEqual([true])
  })

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
})

/** Runs by the times of their events, the offset of the zone in hours, and filters. */
const TIMES: { readonly [what: string]: readonly [times: readonly (string | number | null)[], zone: number, string] } =
  {
    "by whole ms, as they are shown": [[1000.9, 1500.9], 0, "ts=1500, ts=+0.5s, ts>1500"],
    "in the person's time zone": [["2023-11-14T22:13:25"], 1, "ts=23:13:25, ts=22:13:25"],
    "in a zone where it is tomorrow": [["2023-11-14T22:13:25"], 2, "ts=00:13:25, ts=22:13:25"],
    "in a zone behind": [["2023-11-14T22:13:25"], -5, "ts=17:13:25, ts=22:13:25"],
    "in the minute of the start, and before it": [
      ["2024-01-01T23:51:00", "2024-01-02T23:50:20", "2024-01-02T23:51:10"],
      ...([0, "ts=23:51, ts=23:50"] as const),
    ],
    "in the minute of a start late in it": [
      ["2024-01-01T23:51:59.999", "2024-01-02T23:50:20", "2024-01-02T23:51:10"],
      ...([0, "ts=23:51, ts=23:50"] as const),
    ],
    "after midnight": [
      ["2024-01-01T23:50:00", "2024-01-02T00:05:00", "2024-01-02T00:10:00"],
      ...([0, "ts=00:05, ts>00:05, ts>=23:50, ts>=23:00"] as const),
    ],
    "of a row without any": [[null], 0, "ts>0, ts<+1s, ts=00:00, seq>=0, seq<=9, ts!=0, ts!=+1s, seq!=1"],
  }

test.each(Object.entries(TIMES))("a filter tells times %s", (_, [times, hours, filters]) => {
  const lines = times.map((ts, i) =>
    event(ts === null ? null : i + 1, "x", {}, typeof ts === "string" ? Date.parse(`${ts}Z`) : ts),
  )
  const run = tell(lines)
  const told = filters.split(", ").map(text => {
    const of = rowsOf(run).flatMap((row, i) => (compile(read(text), hours * 3_600_000).row(run, row) ? [i + 1] : []))
    return `${text}: ${of.join(" ") || "none"}`
  })
  expect(told.join("; ")).toMatchSnapshot()
})
