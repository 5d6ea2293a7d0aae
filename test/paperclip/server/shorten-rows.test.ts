// Tests that rows are short enough for the host's log.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { shortenRow, shortenText } from "../../../src/paperclip/server/shorten-rows.ts"

describe("a line for the host's log", () => {
  test("is a row below 8 KiB, whatever it was", () => {
    const row = fc.record({ event: fc.string(), data: fc.dictionary(fc.string(), fc.jsonValue()), big: fc.string() })
    fc.assert(
      fc.property(row, fc.integer({ min: 1, max: 3000 }), ({ event, data, big }, times) => {
        const line = shortenRow({ event, data: { ...data, big: big.repeat(times), many: Array(times).fill(big) } })
        expect(Buffer.byteLength(line)).toBeLessThan(8191)
        expect(JSON.parse(line)).toHaveProperty("event")
        expect(Buffer.byteLength(shortenText(big.repeat(times)))).toBeLessThan(8191)
      }),
    )
  })
  test("keeps a text whole that is exactly as long as the limit of the others", () => {
    const [exact, longer] = ["y".repeat(1000), "z".repeat(3000)]
    const row = { event: "x", data: { exact, many: Array.from({ length: 5 }, () => longer) } }
    expect(JSON.parse(shortenRow(row)).data).toEqual({
      exact,
      many: Array.from({ length: 5 }, () => `${"z".repeat(1000)} … [2000 more]`),
    })
  })
  test("is unchanged if it is small", () => {
    expect(shortenRow({ event: "x", data: { a: [1, "é"] } })).toBe('{"event":"x","data":{"a":[1,"é"]}}')
  })
})

test("a row begins with what a reader looks for, wherever it is shown as it is", () => {
  const data = { "session-id": "session/1", type: "text-delta", text: "I look.", invokeid: "planner" }
  expect(shortenRow({ seq: 3, ts: 1, event: "llm/delta", data })).toBe(
    '{"event":"llm/delta","data":{"invokeid":"planner","text":"I look.","type":"text-delta","session-id":"session/1"},"seq":3,"ts":1}',
  )
})
