// Tests the lines of a run in the host's log: that people can read them, that our parser can, and that none is too long.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { forAll } from "../../../../test/for-all.ts"
import { decodeEvent } from "../../../wire/src/decode.ts"
import type { Json, JsonObject } from "../../../wire/src/json.ts"
import { entriesOf } from "../../src/entries.ts"
import { chunksOf, shortenText } from "../../src/server/print-lines.ts"
import { parseStdoutLine } from "../../src/ui-parser.ts"

const planner = { invokeid: "planner", "session-id": "s" }
const row = (event: string, data: JsonObject): JsonObject => ({ event, seq: 1, ts: 2, data })
const delta = (text: string): JsonObject => row("llm/delta", { ...planner, type: "text-delta", text })

/** The entries that our parser makes of a row's lines, as the host splits and trims them. */
function readBack(of: JsonObject) {
  const lines = chunksOf(of).join("").split("\n")
  return lines.flatMap(line => parseStdoutLine(line.trim(), "T"))
}

function said(of: JsonObject): string {
  return readBack(of)
    .map(entry => (entry.kind === "assistant" ? entry.text : `<${entry.kind}>`))
    .join("")
}

describe("our parser reads the lines as it reads the row", () => {
  const id = fc.stringMatching(/^[\w-]{1,20}$/)
  // The host trims lines, and a line end is printed as its picture.
  const line = fc.string({ unit: "grapheme" }).map(text => text.replaceAll("⏎", "").replace(/\s+/g, " ").trim())
  const text = fc
    .array(
      line.filter(one => one !== ""),
      { minLength: 1, maxLength: 3 },
    )
    .map(lines => lines.join("\n"))
  const count = fc.nat()
  const rows = fc.oneof(
    fc
      .record({ tool: id, "tool-use-id": id, "is-error": fc.boolean(), "content-preview": text })
      .map(data => row("llm/tool-result", { ...planner, ...data })),
    fc
      .record({ name: id, id, input: fc.dictionary(id, fc.oneof(text, count, fc.boolean())) })
      .map(use => row("llm/response", { ...planner, content: [{ type: "tool_use", ...use }] })),
    text.map(message => row("llm/error", { ...planner, message })),
    text.map(one => row("llm/user-message", { text: one })),
    fc
      .record({ input: count, output: count, cached: count, cost: fc.double({ min: 0, max: 9, noNaN: true }) })
      .chain(totals =>
        fc.record({ status: fc.constantFrom("done", "failed"), summary: text }).map(({ status, summary }) =>
          row("runner/done", {
            status,
            "final-config": ["a", "b"],
            "adapter/totals": totals,
            "adapter/summary": summary,
          }),
        ),
      ),
  )
  test("of one line (property)", () =>
    forAll([rows], 100, one => expect(readBack(one)).toEqual(entriesOf(decodeEvent(String(one.event), one), "T"))))
  test("of a reply, whatever stands at a line's end (property)", async () => {
    const part = fc.constantFrom("a", " b", "\\", "\n", "│ c", "#d", "é".repeat(1500))
    await forAll([fc.array(part)], 100, parts => {
      const whole = parts.join("").replace(/\s+\n/g, "\n").replace(/^\n+/, "")
      expect(said(delta(whole))).toBe(whole)
    })
  })
})

test("a chunk for the host's log is whole lines below 8 KiB, whatever the row was (property)", async () => {
  const value = fc.json().map((text): Json => JSON.parse(text))
  const data = fc.dictionary(fc.string(), value)
  const names = ["llm/delta", "llm/response", "llm/tool-result", "runner/done", "llm/user-message", "x"]
  const events = fc.constantFrom(...names)
  const times = fc.integer({ min: 1, max: 3000 })
  await forAll([events, data, fc.string(), times], 100, (event, more, text, repeated) => {
    const big = text.repeat(repeated)
    const many = Array<string>(repeated).fill(text)
    const content: Json = [
      { type: "text", text: big },
      { name: "t", input: { big, many, more } },
    ]
    for (const chunk of chunksOf(row(event, { ...more, text: big, "content-preview": big, content }))) {
      expect(Buffer.byteLength(chunk)).toBeLessThan(8191)
      expect(chunk).toEndWith("\n")
    }
    expect(Buffer.byteLength(shortenText(big))).toBeLessThan(8191)
  })
})
