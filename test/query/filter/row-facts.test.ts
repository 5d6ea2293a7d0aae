// Tests what a filter reads of log rows beside what stands in them; matches.test.ts has each key and operator.
import { describe, expect, test } from "bun:test"
import { compile } from "../../../src/query/filter/predicate.ts"
import { initialRun, type Run } from "../../../src/run/model/run.ts"
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

  test("tells times by whole ms, as they are shown", () => {
    const run = tell([event(1, "one", {}, 1000.9), event(2, "two", {}, 1500.9)])
    const at = (text: string) => rowsOf(run).map(one => compile(read(text)).row(run, one))
    expect([at("ts=1500"), at("ts=+0.5s"), at("ts>1500")]).toEqual([
      [false, true],
      [false, true],
      [false, false],
    ])
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

  test("a filter by clock time uses the person's time zone", () => {
    const run = tell([event(1, "one", {}, Date.UTC(2023, 10, 14, 22, 13, 25))])
    const [one] = rowsOf(run)
    const matching = (text: string, hours: number) => one && compile(read(text), hours * 3_600_000).row(run, one)
    expect(["ts=23:13:25", "ts=22:13:25"].map(text => matching(text, 1))).toEqual([true, false])
    expect([matching("ts=00:13:25", 2), matching("ts=17:13:25", -5)]).toEqual([true, true])
  })

  test("a filter by a clock time before the run's start means the next day", () => {
    const at = (text: string, run: Run) =>
      rowsOf(run).flatMap(one => (compile(read(text)).row(run, one) === true ? [one.seq] : []))
    const [day, late] = [0, 59.999].map(second =>
      tell([
        event(1, "one", {}, Date.UTC(2024, 0, 1, 23, 51) + 1000 * second),
        event(2, "two", {}, Date.UTC(2024, 0, 2, 23, 50, 20)),
        event(3, "three", {}, Date.UTC(2024, 0, 2, 23, 51, 10)),
      ]),
    )
    // The minute of the start is not over then; the one before it is.
    const told = [day, late].map((run = tell([])) => [at("ts=23:51", run), at("ts=23:50", run)])
    expect(told).toEqual([1, 1].map(() => [[1], [2]]))
    const night = tell([
      event(1, "one", {}, Date.UTC(2024, 0, 1, 23, 50)),
      event(2, "two", {}, Date.UTC(2024, 0, 2, 0, 5)),
      event(3, "three", {}, Date.UTC(2024, 0, 2, 0, 10)),
    ])
    expect(at("ts=00:05", night)).toEqual([2])
    expect(at("ts>00:05", night)).toEqual([3])
    expect(at("ts>=23:50", night)).toEqual([1, 2, 3])
    expect(at("ts>=23:00", night)).toEqual([1, 2, 3])
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
