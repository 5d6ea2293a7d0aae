// Tests what a filter reads of log rows beside what stands in them; matches.test.ts has each key and operator.
import { describe, expect, test } from "bun:test"
import { compile } from "../../../src/query/filter/predicate.ts"
import { initialRun } from "../../../src/run/model/run.ts"
import { event, ids, line, rowsOf, tell } from "../../run/lines.ts"
import { read } from "./parsed.ts"

describe("a filter of rows", () => {
  test("looks at a row's whole text, which the log shows cut", () => {
    const long = `${"long ".repeat(300)}tail`
    const asked = tell([event(1, "llm/request", { ...ids, "user-blocks": [{ type: "text", text: long }] })])
    const [one] = rowsOf(asked)
    expect(one && compile(read("text~tail$")).row(asked, one)).toBe(true)
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
