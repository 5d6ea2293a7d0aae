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

describe("a row is printed for people", () => {
  const read = { type: "tool_use", name: "read", input: { path: "a" }, id: "t1" }
  const usage = { "input-tokens": 10, "output-tokens": 5 }
  const change = { "event-name": "llm.idle", "config-before": ["run", "a"], "config-after": ["run", "b"] }
  const whole = {
    content: [
      { type: "thinking", thinking: "first the list" },
      { type: "text", text: "I look." },
      { name: "read", input: { path: "a" } },
    ],
    ...{ usage, "elapsed-ms": 426, model: "gemma3:1b", "stop-reason": "tool_use" },
  }
  const WHOLE =
    'planner ┊ first the list\nplanner │ I look.\nplanner → read {"path":"a"} #planner/read\n' +
    "planner · gemma3:1b, 10 in, 5 out, 0.4 s, tool_use\n"
  const totals = { input: 150, output: 25, cached: 60, cost: 0.03 }
  test.each<[string, JsonObject, string]>([
    ["runner/started", { "session-id": "s1", model: "gemma3:1b" }, "run ▸ model gemma3:1b, session s1\n"],
    ["runner/start-config", { config: ["run", "planning"] }, "run · at run › planning\n"],
    [
      "llm/delta",
      { ...planner, type: "text-delta", text: "One.\n\n  Two.\n" },
      "planner │ One.\nplanner │\nplanner │   Two.\n",
    ],
    ["llm/delta", { ...planner, type: "thinking-delta", text: "Hm.\n" }, "planner ┊ Hm.\n"],
    [
      "llm/response",
      { ...planner, model: "m", content: [read], usage },
      'planner → read {"path":"a"} #t1\nplanner · m, 10 in, 5 out\n',
    ],
    [
      "llm/response",
      { ...planner, content: [{ type: "text", text: "Done." }] },
      "planner │ Done.\nplanner · a reply\n",
    ],
    [
      "llm/tool-result",
      { ...planner, tool: "read", "tool-use-id": "t1", "content-preview": "one\ntwo\n" },
      "planner ← read: one ⏎ two #t1\n",
    ],
    [
      "llm/tool-result",
      { ...planner, tool: "read", "tool-use-id": "t1", "is-error": true, "content-preview": "gone" },
      "planner ← read failed: gone #t1\n",
    ],
    ["llm/error", { ...planner, message: "overloaded" }, "planner ✗ overloaded\n"],
    ["llm/user-message", { text: "and this\nas well" }, "run » and this ⏎ as well\n"],
    [
      "runner/done",
      { status: "done", "adapter/totals": totals, "adapter/summary": "Snow." },
      "run ■ done: 150 in, 25 out, 60 cached, $0.03; Snow.\n",
    ],
    ["runner/aborted", { reason: "budget" }, "run ■ aborted (budget): no usage; budget\n"],
    ["runner/tick", {}, ""],
    ["checkpoint/written", { "session-id": "s" }, ""],
    ["llm/delta", { ...planner, type: "text-delta", text: "" }, ""],
    ["runner/started", { "session-id": ":session/1" }, "run ▸ model as the chart says, session :session/1\n"],
    ["llm/response", { ...planner, ...whole }, WHOLE],
    ["llm/tool-result", { ...planner, tool: "bash", "content-preview": "x" }, "planner ← bash: x #planner/bash\n"],
    ["runner/done", { status: "done", "final-config": ["run", "done"] }, "run ■ done: no usage; run › done\n"],
    ["llm/request", { "user-blocks": [{ type: "text", text: "Do it" }] }, "run » Do it\n"],
    ["human-input/start", { invokeid: "ask", prompt: "Ship it?" }, "ask · asks a person: Ship it?\n"],
    ["human-input/answer", { answer: ["a", "b"] }, "run » a, b\n"],
    ["human-input/answer", {}, "run · was answered\n"],
    ["runner/error", { message: "bad chart" }, "run ✗ bad chart\n"],
    ["runner/start-config", {}, ""],
    ["runner/event-processed", { "event-name": "stop", "config-after": [] }, "run · stop: no state\n"],
    ["human-input/validation-failed", { invokeid: "ask" }, "ask · answer rejected\n"],
    ["llm/model-down", { model: "m", message: "gone" }, "run ✗ m is down: gone\n"],
    ["llm/retry", { attempt: 1, "max-retries": 3, category: "network" }, "run · retry 1 of 3: network\n"],
    ["llm/context-warning", { "used-frac": 0.83 }, "run · context 83% full\n"],
    ["cli/config-loaded", { keys: ["a"] }, 'run · cli/config-loaded {"keys":["a"]}\n'],
    ["transcript/serialize-error", {}, "run ✗ a transcript row could not be written\n"],
    ["runner/event-processed", change, "run · llm.idle: run › b\n"],
    ["runner/event-processed", { ...change, "config-before": ["run", "b"] }, ""],
  ])("%s", (event, data, printed) => {
    expect(chunksOf(row(event, data)).join("")).toBe(printed)
  })
})

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
  test("of an end without a text or a figure", () => {
    const end = { kind: "result" as const, ts: "T", subtype: "done", isError: false, errors: [], text: "" }
    const nothing = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0 }
    expect(readBack(row("runner/done", { status: "done" }))).toEqual([{ ...end, ...nothing }])
    const figures = { ...nothing, inputTokens: 7, costUsd: 1e-7 }
    expect(parseStdoutLine("run ■ done: 7 in, $1e-7", "T")).toEqual([{ ...end, ...figures }])
  })
  test("of a line that goes on in the next row", () => {
    expect(said(delta("It costs "))).toBe("It costs ")
    expect(chunksOf(delta("It costs ")).join("")).toBe("planner │ It costs \\\n")
  })
})

describe("a chunk for the host's log", () => {
  test("is whole lines below 8 KiB, whatever the row was (property)", async () => {
    const data = fc.dictionary(
      fc.string(),
      fc.json().map((text): Json => JSON.parse(text)),
    )
    const events = fc.constantFrom(
      "llm/delta",
      "llm/response",
      "llm/tool-result",
      "runner/done",
      "llm/user-message",
      "x",
    )
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
  test("loses no text of a reply, however long", () => {
    const text = `${"é".repeat(30_000)}\n${"short line\n".repeat(3000)}`
    expect(said(row("llm/response", { ...planner, content: [{ type: "text", text }] }))).toBe(`${text}<system>`)
  })
  test("says how much of a long result is not shown, and keeps its call's id", () => {
    const [result] = readBack(
      row("llm/tool-result", { ...planner, tool: "read", "tool-use-id": "t1", "content-preview": "x".repeat(9000) }),
    )
    expect(result).toMatchObject({ toolUseId: "t1", content: `${"x".repeat(4000)} … [5000 more]` })
  })
  test("has what is no row as it is", () => {
    expect(chunksOf({ level: "info" })).toEqual(['{"level":"info"}\n'])
  })
})
