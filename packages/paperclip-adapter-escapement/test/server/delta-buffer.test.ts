// Tests how streamed text is merged into rows of whole lines for the host's log.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { forAll } from "../../../../test/for-all.ts"
import type { JsonObject } from "../../../wire/src/json.ts"
import { DeltaBuffer } from "../../src/server/delta-buffer.ts"

const delta = (text: string, session = "s", type = "text-delta"): JsonObject => ({
  ...{ event: "llm/delta", seq: 1, ts: 1, data: { invokeid: "planner", "session-id": session, type, text } },
})
/** What a row says: its text, or its event. */
function said({ event, data }: JsonObject): string {
  const { text = null } = Object(data)
  return typeof text === "string" ? text : String(event)
}

describe("streamed text", () => {
  test("has the number and the time of the last piece in its row", () => {
    const buffer = new DeltaBuffer()
    expect(buffer.push(delta("Use "), 1000)).toEqual([])
    const logged = buffer.push({ ...delta("Bearer\n"), seq: 2, ts: 9 }, 1100)
    expect([...logged, ...buffer.due(3000)]).toMatchObject([{ seq: 2, ts: 9 }])
    expect(buffer.push({ rows: "without an event" }, 3000)).toEqual([{ rows: "without an event" }])
  })
  test("is never lost or reordered, and no row is longer than 4 KB (property)", async () => {
    const text = fc.string({
      unit: fc.constantFrom("a", "\n", "é", "😀", "\u001b", '"', "x".repeat(900), "x".repeat(4094)),
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
