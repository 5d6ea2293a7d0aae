// Tests which entries the rows of a transcript become, and what each takes from the rows before it.
import { describe, expect, test } from "bun:test"
import { haiku } from "../../../test/fixtures.ts"
import { decodeEvent } from "../../wire/src/decode-event.ts"
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

function parse(event: string, data: JsonObject) {
  return read(row(event, data))
}

/** The entries of each next row of one run. */
function reader(): (one: JsonObject) => ReturnType<typeof read> {
  const totals = new RunTotals()
  return one => read(totals.annotate(one))
}

describe("the entries of one row", () => {
  test("marks deltas, so that the host joins them", () => {
    const from = { invokeid: "planner", "session-id": "s" }
    expect(parse("llm/delta", { type: "text-delta", text: "Line", ...from })).toEqual([
      { kind: "assistant", ts: TS, text: "Line", delta: true },
    ])
    expect(parse("llm/delta", { type: "thinking-delta", text: "hm", ...from })).toEqual([
      { kind: "thinking", ts: TS, text: "hm", delta: true },
    ])
    expect(parse("llm/delta", { type: "text-delta", text: "", ...from })).toEqual([])
  })

  test("names the session at the start", () => {
    expect(parse("runner/started", { "session-id": ":session/1", "chart-id": ":c" })).toEqual([
      { kind: "init", ts: TS, model: "as the chart says", sessionId: ":session/1" },
    ])
    expect(parse("runner/started", { "session-id": "s", model: "gemma3:1b" })).toEqual([
      { kind: "init", ts: TS, model: "gemma3:1b", sessionId: "s" },
    ])
  })

  test("splits a reply into thinking, text, calls and cost", () => {
    const content = [
      { type: "thinking", thinking: "first the list" },
      { type: "text", text: "I look." },
      { type: "tool_use", id: "tu_1", name: "bash", input: { command: "ls" } },
      { name: "read", input: { path: "a" } },
    ]
    const usage = { "input-tokens": 224, "output-tokens": 29 }
    const data = { invokeid: "p", content, usage, "elapsed-ms": 426, model: "gemma3:1b", "stop-reason": "tool_use" }
    expect(parse("llm/response", data)).toEqual([
      { kind: "thinking", ts: TS, text: "first the list" },
      { kind: "assistant", ts: TS, text: "I look." },
      { kind: "tool_call", ts: TS, name: "bash", input: { command: "ls" }, toolUseId: "tu_1" },
      { kind: "tool_call", ts: TS, name: "read", input: { path: "a" }, toolUseId: "p/read" },
      { kind: "system", ts: TS, text: "p: gemma3:1b, 224 in, 29 out, 0.4 s, tool_use" },
    ])
  })

  test("matches a result to its call by id, else by invocation and tool", () => {
    const failed = { tool: "bash", "is-error": true, "content-preview": "no such file", invokeid: "p" }
    const entry = { kind: "tool_result" as const, ts: TS, toolName: "bash", content: "no such file", isError: true }
    expect(parse("llm/tool-result", { ...failed, "tool-use-id": "tu_1" })).toEqual([{ ...entry, toolUseId: "tu_1" }])
    expect(parse("llm/tool-result", failed)).toEqual([{ ...entry, toolUseId: "p/bash" }])
  })

  test("reads the totals that the adapter wrote into the last row", () => {
    const totals = { input: 224, output: 29, cached: 200, cost: 0.02 }
    const data = {
      status: "done",
      "final-config": ["run", "done"],
      "adapter/totals": totals,
      "adapter/summary": "Snow.",
    }
    const tokens = { inputTokens: 224, outputTokens: 29, cachedTokens: 200, costUsd: 0.02 }
    expect(parse("runner/done", data)).toEqual([
      { kind: "result", ts: TS, text: "Snow.", ...tokens, subtype: "done", isError: false, errors: [] },
    ])
    const nothing = { inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0 }
    expect(parse("runner/done", { status: "done", "final-config": ["run", "done"] })).toEqual([
      { kind: "result", ts: TS, text: "run › done", ...nothing, subtype: "done", isError: false, errors: [] },
    ])
    expect(parse("runner/aborted", { reason: "quit" })).toEqual([
      { kind: "result", ts: TS, text: "quit", ...nothing, subtype: "aborted", isError: true, errors: ["quit"] },
    ])
  })

  test("shows questions and answers", () => {
    expect(parse("llm/request", { "user-blocks": [{ type: "text", text: "Do it" }] })).toEqual([
      { kind: "user", ts: TS, text: "Do it" },
    ])
    expect(parse("llm/user-message", { text: "and this" })).toEqual([{ kind: "user", ts: TS, text: "and this" }])
    expect(parse("human-input/start", { invokeid: "ask", kind: "confirm", prompt: "Ship it?" })).toEqual([
      { kind: "system", ts: TS, text: "ask: asks a person: Ship it?" },
    ])
    expect(parse("human-input/answer", { answer: ["a", "b"] })).toEqual([{ kind: "user", ts: TS, text: "a, b" }])
    expect(parse("human-input/answer", {})).toEqual([{ kind: "system", ts: TS, text: "was answered" }])
  })

  test.each([
    ["llm/error", { message: "reset", invokeid: "p" }, "stderr", "p: reset"],
    ["runner/error", { message: "bad chart" }, "stderr", "bad chart"],
    ["llm/model-down", { model: "m", message: "gone" }, "stderr", "m is down: gone"],
    ["llm/retry", { attempt: 1, "max-retries": 3, category: "network" }, "system", "retry 1 of 3: network"],
    ["llm/context-warning", { "used-frac": 0.83 }, "system", "context 83% full"],
    ["runner/start-config", { config: ["run", "planning"] }, "system", "at run › planning"],
    ["cli/config-loaded", { keys: ["a"] }, "system", 'cli/config-loaded {"keys":["a"]}'],
    ["transcript/serialize-error", {}, "stderr", "a transcript row could not be written"],
  ])("%s", (event, data, kind, text) => {
    expect<unknown>(parse(event, data)).toEqual([{ kind, ts: TS, text }])
  })

  test("shows a state change once, and no ticks or checkpoints", () => {
    const change = { "event-name": "llm.idle", "config-before": ["run", "a"], "config-after": ["run", "b"] }
    expect(parse("runner/event-processed", change)).toEqual([{ kind: "system", ts: TS, text: "llm.idle: run › b" }])
    expect(parse("runner/event-processed", { ...change, "config-before": ["run", "b"] })).toEqual([])
    expect(parse("runner/tick", {})).toEqual([])
    expect(parse("checkpoint/written", { "session-id": "s" })).toEqual([])
  })
})

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
