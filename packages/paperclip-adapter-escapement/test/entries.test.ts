// Tests what the entries of a row take from the rows before it.
import { describe, expect, test } from "bun:test"
import { haiku } from "../../../test/fixtures.ts"
import { decodeEvent } from "../../wire/src/decode.ts"
import type { JsonObject } from "../../wire/src/json.ts"
import { entriesOf } from "../src/entries.ts"
import { RunTotals } from "../src/run-totals.ts"

const TS = "2026-11-22T02:00:00.000Z"

/** A transcript row as on disk. */
function row(event: string, data: JsonObject): JsonObject {
  return { event, seq: 7, ts: 1780798849139, data }
}

function read(one: JsonObject) {
  return entriesOf(decodeEvent(String(one.event), one), TS)
}

/** The entries of each next row of one run. */
function reader(): (one: JsonObject) => ReturnType<typeof read> {
  const totals = new RunTotals()
  return one => read(totals.annotate(one))
}

describe("the entries of a run's rows", () => {
  test("matches a result by id, by the file that has it, and by tool if the call had no id", () => {
    const parseLine = reader()
    const use = (id?: string) => ({ name: "read", input: {}, ...(id !== undefined && { id }) })
    const ref = "nodes/planning/0/turns/0/tool-results/tu_1.edn"
    const lines = [
      row("llm/response", { invokeid: "p", content: [use("tu_1"), use("tu_2"), use()] }),
      row("llm/tool-result", { tool: "read", "content-preview": "two", "tool-use-id": "tu_2" }),
      row("llm/tool-result", { tool: "read", "content-preview": "one", "io/ref": ref }),
      row("llm/tool-result", { tool: "read", "content-preview": "three", "tool-use-id": "tu_3" }),
      row("llm/tool-result", { tool: "read", "content-preview": "of a run before", "tool-use-id": "tu_0" }),
    ]
    const results = lines.flatMap(line => parseLine(line)).filter(({ kind }) => kind === "tool_result")
    expect(results.map(entry => entry.kind === "tool_result" && [entry.toolUseId, entry.content])).toEqual([
      ["tu_2", "two"],
      ["tu_1", "one"],
      ["call-1", "three"],
      ["tu_0", "of a run before"],
    ])
  })

  test("shows streamed text once, matches results to calls, and totals the end", () => {
    const parseLine = reader()
    const from = { invokeid: "p", "session-id": "s" }
    const call = { name: "read", input: { path: "a" } }
    const lines = [
      row("llm/delta", { ...from, type: "text-delta", text: "I " }),
      row("llm/delta", { ...from, type: "text-delta", text: "look." }),
      row("llm/response", {
        ...from,
        content: [{ type: "text", text: "I look." }, call, call],
        usage: { "input-tokens": 10, "output-tokens": 5, "cached-tokens": 4 },
        "cost-usd": 0.5,
      }),
      row("llm/tool-result", { tool: "read", "content-preview": "one", invokeid: "p" }),
      row("llm/tool-result", { tool: "read", "content-preview": "two", invokeid: "p" }),
      row("llm/response", { ...from, content: [{ type: "text", text: "Two files." }], usage: { "output-tokens": 2 } }),
      row("runner/done", { status: "done" }),
    ]
    const expected = [
      { kind: "assistant", ts: TS, text: "I ", delta: true },
      { kind: "assistant", ts: TS, text: "look.", delta: true },
      { kind: "tool_call", ts: TS, ...call, toolUseId: "call-1" },
      { kind: "tool_call", ts: TS, ...call, toolUseId: "call-2" },
      { kind: "system", ts: TS, text: "p: a reply, 10 in, 5 out" },
      { kind: "tool_result", ts: TS, toolUseId: "call-1", toolName: "read", content: "one", isError: false },
      { kind: "tool_result", ts: TS, toolUseId: "call-2", toolName: "read", content: "two", isError: false },
      { kind: "assistant", ts: TS, text: "Two files." },
      { kind: "system", ts: TS, text: "p: a reply, 2 out" },
      {
        ...{ kind: "result", ts: TS, text: "Two files.", inputTokens: 10, outputTokens: 7, cachedTokens: 4 },
        ...{ costUsd: 0.5, subtype: "done", isError: false, errors: [] },
      },
    ]
    expect<unknown>(lines.flatMap(line => parseLine(line))).toEqual(expected)
  })

  test("shows partly streamed text in full", () => {
    const parseLine = reader()
    parseLine(row("llm/delta", { invokeid: "p", type: "text-delta", text: "Half" }))
    expect(parseLine(row("llm/response", { invokeid: "p", content: [{ type: "text", text: "Half of it" }] }))).toEqual([
      { kind: "assistant", ts: TS, text: "Half of it" },
      { kind: "system", ts: TS, text: "p: a reply" },
    ])
  })
})

test("the real recording has no line as stdout, and both ends", async () => {
  const lines = (await Bun.file(haiku).text()).trimEnd().split("\n")
  const parseLine = reader()
  const entries = lines.flatMap(line => parseLine(JSON.parse(line)))
  expect(entries.filter(entry => entry.kind === "stdout")).toEqual([])
  const results = entries.flatMap(entry => (entry.kind === "result" ? [[entry.inputTokens, entry.outputTokens]] : []))
  expect(results).toEqual([
    [224, 29],
    [434, 46],
  ])
  const text = entries.slice(0, 40).flatMap(entry => (entry.kind === "assistant" ? [entry.text] : []))
  expect(text.join("")).toBe("Line 1: the word START\nLine 2: 2\nLine 3: 1\nLine 4: first snow")
})
