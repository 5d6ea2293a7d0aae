// Tests how streamed text is merged into rows of whole lines for the host's log.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { forAll } from "../../../../test/for-all.ts"
import type { JsonObject } from "../../../wire/src/json.ts"
import { DeltaBuffer } from "../../src/server/delta-buffer.ts"

const delta = (text: string, session = "s", type = "text-delta"): JsonObject => ({
  ...{ event: "llm/delta", seq: 1, ts: 1, data: { invokeid: "planner", "session-id": session, type, text } },
})
const response = (session = "s"): JsonObject => ({
  event: "llm/response",
  data: { invokeid: "planner", "session-id": session },
})

/** What a row says: its text, or its event. */
function said({ event, data }: JsonObject): string {
  const { text = null } = Object(data)
  return typeof text === "string" ? text : String(event)
}

/** What is logged if each of these comes at its time, in ms, and the buffer is asked every 100 ms. */
function logged(rows: readonly (readonly [at: number, row: JsonObject])[], until: number): string[] {
  const buffer = new DeltaBuffer()
  const out: string[] = []
  for (let now = 1000; now <= 1000 + until; now += 100) {
    for (const [at, row] of rows)
      if (1000 + at > now - 100 && 1000 + at <= now) out.push(...buffer.push(row, now).map(said))
    out.push(...buffer.due(now).map(said))
  }
  return out
}

describe("streamed text", () => {
  test("is logged by whole lines, several in a row", () => {
    const rows = ["Use Bearer abc", "def123\n", "and go", " on\nthen", "?"].map(text => [0, delta(text)] as const)
    expect(logged(rows, 100)).toEqual(["Use Bearer abcdef123\nand go on\n"])
  })
  test("has the number and the time of the last piece in its row", () => {
    const buffer = new DeltaBuffer()
    expect(buffer.push(delta("Use "), 1000)).toEqual([])
    const logged = buffer.push({ ...delta("Bearer\n"), seq: 2, ts: 9 }, 1100)
    expect([...logged, ...buffer.due(3000)]).toMatchObject([{ seq: 2, ts: 9 }])
  })
  test("is logged at most every 200 ms, for each session by itself", () => {
    const rows = [0, 100, 200, 300, 400].flatMap(at =>
      ["a", "b"].map(session => [at, delta(`${at}\n`, session)] as const),
    )
    expect(logged(rows, 400).filter(text => !text.includes("llm"))).toEqual([
      ...["0\n", "0\n", "100\n200\n", "100\n200\n", "300\n400\n", "300\n400\n"],
    ])
  })
  test("is logged as it is after 2 s without a line end", () => {
    expect(logged([[0, delta("half a line")]], 1900)).toEqual([])
    expect(logged([[0, delta("half a line")]], 2000)).toEqual(["half a line"])
  })
  test("ends its last line with the row that follows, though it was logged unfinished", () => {
    expect(
      logged(
        [
          [0, delta("half")],
          [2500, response()],
        ],
        2500,
      ),
    ).toEqual(["half", "\n", "llm/response"])
  })
  test("stands before the row that follows it in its session, and after it in no other", () => {
    const rows = [delta("one"), delta("other", "t"), response(), delta("two"), response("t"), { event: "runner/done" }]
    expect(
      logged(
        rows.map(row => [0, row] as const),
        0,
      ),
    ).toEqual([...["one\n", "llm/response", "other\n", "llm/response", "two\n", "runner/done"]])
  })
  test("is not mixed with thinking", () => {
    const rows = [delta("Hm", "s", "thinking-delta"), delta("Yes"), response()]
    expect(
      logged(
        rows.map(row => [0, row] as const),
        0,
      ),
    ).toEqual(["Hm\n", "Yes\n", "llm/response"])
  })
  test("of a line longer than 4 KB goes out in pieces", () => {
    const rows = [delta("short\n"), delta("x".repeat(5000)), response()].map(row => [0, row] as const)
    const pieces = logged(rows, 0)
    expect(pieces[0]).toBe("short\n")
    expect(pieces.slice(1, -1).join("")).toBe(`${"x".repeat(5000)}\n`)
    expect(pieces.every(text => text.length <= 4096)).toBe(true)
  })
  test("is never lost or reordered, and no row is longer than 4 KB (property)", async () => {
    const text = fc.string({
      unit: fc.constantFrom("a", "\n", "é", "😀", "\u001b", '"', "x".repeat(900)),
      maxLength: 12,
    })
    await forAll([fc.array(fc.tuple(text, fc.nat(900)))], 100, parts => {
      const buffer = new DeltaBuffer()
      let now = 0
      const rows = parts.flatMap(([one, later]) => {
        now += later
        return [...buffer.push(delta(one), now), ...buffer.due(now)]
      })
      rows.push(...buffer.rest(now))
      const whole = parts.map(([one]) => one).join("")
      expect(rows.map(said).join("")).toBe(whole === "" || whole.endsWith("\n") ? whole : `${whole}\n`)
      for (const row of rows) expect(Buffer.byteLength(JSON.stringify(said(row)))).toBeLessThanOrEqual(4096)
    })
  })
})
