// Tests the parser of Paperclip's run view: the entries of each row, and damaged rows.
import { describe, expect, test } from "bun:test"
import { join } from "node:path"
import fc from "fast-check"
import { MARKS } from "../../src/paperclip/log-line.ts"
import { createStdoutParser, parseEscapementStdoutLine, parseStdoutLine } from "../../src/paperclip/ui-parser.ts"
import { haiku, root } from "../fixtures.ts"

const TS = "2026-11-22T02:00:00.000Z"

/** A transcript row as on disk. */
function row(event: string, data: object): string {
  return JSON.stringify({ event, seq: 7, ts: 1780798849139, data })
}

function parse(event: string, data: object) {
  return parseStdoutLine(row(event, data), TS)
}

test("parseStdoutLine has two names", () => expect(parseEscapementStdoutLine).toBe(parseStdoutLine))

describe("parseStdoutLine of one row", () => {
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

  test("reads the socket's envelope as the row in it", () => {
    const line = JSON.stringify({ kind: "event", seq: 1, ts: 2, event: "llm/delta", data: { text: "x" } })
    expect(parseStdoutLine(line, TS)).toEqual([{ kind: "assistant", ts: TS, text: "x", delta: true }])
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

describe("parseStdoutLine of other lines", () => {
  test("reads the contract's sample: named lines are system, the rest is stdout", async () => {
    const lines = (await Bun.file(join(root, "fixtures/paperclip/my-agent.log")).text()).trimEnd().split("\n")
    expect(lines.flatMap(line => parseStdoutLine(line, TS))).toEqual([
      { kind: "system", ts: TS, text: "[my-agent] Starting session abc123" },
      { kind: "stdout", ts: TS, text: "Thinking about the task..." },
      { kind: "stdout", ts: TS, text: "$ ls /home/user/project" },
      { kind: "system", ts: TS, text: "[done] $ ls — /src /README.md 0.3s" },
      { kind: "stdout", ts: TS, text: "I'll read the README now." },
      { kind: "stdout", ts: TS, text: "Error: file not found" },
    ])
  })
  test("shows another agent's log line by line", async () => {
    const lines = (await Bun.file(join(root, "fixtures/paperclip/hermes.log")).text()).trimEnd().split("\n")
    expect(lines.flatMap(line => parseStdoutLine(line, TS))).toEqual([
      { kind: "system", ts: TS, text: "[hermes] Session resumed: abc123" },
      ...lines.slice(1).map(text => ({ kind: "stdout" as const, ts: TS, text })),
    ])
  })
  test("reads the host's own lines, blanks and other JSON", () => {
    expect(parseStdoutLine("[paperclip] run started", TS)).toEqual([
      { kind: "system", ts: TS, text: "[paperclip] run started" },
    ])
    expect(parseStdoutLine("  ", TS)).toEqual([])
    expect(parseStdoutLine('{"level":"info"}', TS)).toEqual([{ kind: "stdout", ts: TS, text: '{"level":"info"}' }])
    expect(parseStdoutLine("null", TS)).toEqual([{ kind: "stdout", ts: TS, text: "null" }])
  })
})

describe("parseStdoutLine of rows that the host damaged", () => {
  const head = '{"event":"llm/user-message","seq":1,"ts":2,"data":{'
  test.each([
    ["a quote went with a secret", `${head}"text":"Bearer ***REDACTED***,"invokeid":"b"}}`, "Bearer ***REDACTED***"],
    [
      "the quotes of a redaction within a string",
      `${head}"text":"Authorization: "***REDACTED***"model":"m","invokeid":"b"}}`,
      "Authorization: ***REDACTED***",
    ],
    ["the last quote", `${head}"invokeid":"b","text":"key ***REDACTED***}}`, "key ***REDACTED***"],
    ["a backslash", `${head}"text":"?token=***REDACTED***" done","invokeid":"b"}}`, '?token=***REDACTED***" done'],
    ["the end", `${head}"text":"half a wo`, "half a wo"],
    ["the end within an escape", `${head}"text":"line\\nnext\\`, "line\nnext\\"],
  ])("%s", (_, line, text) => {
    expect(parseStdoutLine(line, TS)).toEqual([{ kind: "user", ts: TS, text }])
  })
  test("repairs a value without quotes, and blocks in a list", () => {
    const content =
      '[{"type":"text","text":"Use ***REDACTED***,"x":1},{"type":"tool_use","id":"t","name":"ls","input":{}}]'
    const line = `{"event":"llm/response","data":{"key":***REDACTED***,"content":${content},"usage":{"input-tokens":3}}}`
    expect(parseStdoutLine(line, TS)).toEqual([
      { kind: "assistant", ts: TS, text: "Use ***REDACTED***" },
      { kind: "tool_call", ts: TS, name: "ls", input: {}, toolUseId: "t" },
      { kind: "system", ts: TS, text: "a reply, 3 in" },
    ])
  })
})

describe("createStdoutParser", () => {
  test("matches a result by id, by the file that has it, and by tool if the call had no id", () => {
    const { parseLine } = createStdoutParser()
    const use = (id?: string) => ({ name: "read", input: {}, ...(id !== undefined && { id }) })
    const ref = "nodes/planning/0/turns/0/tool-results/tu_1.edn"
    const lines = [
      row("llm/response", { invokeid: "p", content: [use("tu_1"), use("tu_2"), use()] }),
      row("llm/tool-result", { tool: "read", "content-preview": "two", "tool-use-id": "tu_2" }),
      row("llm/tool-result", { tool: "read", "content-preview": "one", "io/ref": ref }),
      row("llm/tool-result", { tool: "read", "content-preview": "three", "tool-use-id": "tu_3" }),
      row("llm/tool-result", { tool: "read", "content-preview": "of a run before", "tool-use-id": "tu_0" }),
    ]
    const results = lines.flatMap(line => parseLine(line, TS)).filter(({ kind }) => kind === "tool_result")
    expect(results.map(entry => entry.kind === "tool_result" && [entry.toolUseId, entry.content])).toEqual([
      ["tu_2", "two"],
      ["tu_1", "one"],
      ["call-1", "three"],
      ["tu_0", "of a run before"],
    ])
  })

  test("shows streamed text once, matches results to calls, and totals the end", () => {
    const { parseLine, reset } = createStdoutParser()
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
    expect<unknown>(lines.flatMap(line => parseLine(line, TS))).toEqual(expected)
    reset()
    expect<unknown>(lines.flatMap(line => parseLine(line, TS))).toEqual(expected)
  })

  test("shows partly streamed text in full", () => {
    const { parseLine } = createStdoutParser()
    parseLine(row("llm/delta", { invokeid: "p", type: "text-delta", text: "Half" }), TS)
    expect(
      parseLine(row("llm/response", { invokeid: "p", content: [{ type: "text", text: "Half of it" }] }), TS),
    ).toEqual([
      { kind: "assistant", ts: TS, text: "Half of it" },
      { kind: "system", ts: TS, text: "p: a reply" },
    ])
  })
})

test("the real recording has no line as stdout, and both ends", async () => {
  const lines = (await Bun.file(haiku).text()).trimEnd().split("\n")
  const { parseLine } = createStdoutParser()
  const entries = lines.flatMap(line => parseLine(line, TS))
  expect(entries.filter(entry => entry.kind === "stdout")).toEqual([])
  const results = entries.flatMap(entry => (entry.kind === "result" ? [[entry.inputTokens, entry.outputTokens]] : []))
  expect(results).toEqual([
    [224, 29],
    [434, 46],
  ])
  const text = entries.slice(0, 40).flatMap(entry => (entry.kind === "assistant" ? [entry.text] : []))
  expect(text.join("")).toBe("Line 1: the word START\nLine 2: 2\nLine 3: 1\nLine 4: first snow")
})

describe("parseStdoutLine of any input", () => {
  const events = ["llm/response", "llm/delta", "llm/tool-result", "runner/done", "runner/started", "human-input/answer"]
  const rows = fc
    .record({ event: fc.constantFrom(...events), seq: fc.nat(), data: fc.dictionary(fc.string(), fc.jsonValue()) })
    .map(value => JSON.stringify(value))
  const broken = fc
    .tuple(rows, fc.nat(), fc.nat(), fc.constantFrom("", '"', "***REDACTED***", "\\", "}"))
    .map(([line, from, length, filler]) => {
      const start = from % (line.length + 1)
      return line.slice(0, start) + filler + line.slice(start + (length % 12))
    })
  const part = fc.constantFrom(
    "read",
    ":",
    " failed",
    " #",
    '{"a":',
    "(",
    ")",
    "; ",
    "1 in, 2 out, 3 cached, $",
    ".",
    "9",
    "\\",
    "⏎",
  )
  const logged = fc
    .tuple(fc.constantFrom(...Object.values(MARKS)), fc.array(part))
    .map(([mark, parts]) => `planner ${mark} ${parts.join("")}`)
  const lines = fc.oneof(fc.string({ unit: "binary" }), fc.json(), rows, broken, logged)
  const parsers = () => [parseStdoutLine, createStdoutParser().parseLine]

  test("never throws, is deterministic, and returns known entries", () => {
    fc.assert(
      fc.property(fc.array(lines, { maxLength: 8 }), all => {
        for (const parser of parsers()) for (const line of all) for (const entry of parser(line, TS)) wellFormed(entry)
        const [one, other] = [createStdoutParser(), createStdoutParser()]
        for (const line of all) {
          expect(parseStdoutLine(line, TS)).toEqual(parseStdoutLine(line, TS))
          expect(one.parseLine(line, TS)).toEqual(other.parseLine(line, TS))
        }
      }),
      { numRuns: 300 },
    )
  })

  test("survives very deep and very long lines", () => {
    const deep = `{"event":"x","data":${'{"a":['.repeat(50_000)}`
    expect(parseStdoutLine(deep, TS)).toHaveLength(1)
    const long = `{"event":"llm/user-message","data":{"text":"${'\\"a" '.repeat(100_000)}`
    expect(parseStdoutLine(long, TS)).toHaveLength(1)
    expect(parseStdoutLine(`planner → read ${'{"a":['.repeat(50_000)}`, TS)).toHaveLength(1)
    expect(parseStdoutLine(`planner ← read: ${" #".repeat(200_000)}`, TS)).toHaveLength(1)
  })
})

/** The contract's kinds, each with its fields. */
function wellFormed(entry: object): void {
  expect(entry).toMatchObject({ ts: TS })
  if (!("kind" in entry)) throw new Error("an entry without kind")
  switch (entry.kind) {
    case "tool_call":
      expect(entry).toMatchObject({ name: expect.any(String), toolUseId: expect.any(String), input: expect.anything() })
      break
    case "tool_result": {
      const shape = { toolUseId: expect.any(String), content: expect.any(String), isError: expect.any(Boolean) }
      expect(entry).toMatchObject(shape)
      break
    }
    case "init":
      expect(entry).toMatchObject({ model: expect.any(String), sessionId: expect.any(String) })
      break
    case "result":
      expect(entry).toMatchObject({
        text: expect.any(String),
        inputTokens: expect.any(Number),
        errors: expect.any(Array),
      })
      break
    default:
      expect(["assistant", "thinking", "user", "system", "stderr", "stdout"]).toContain(String(entry.kind))
      expect(entry).toMatchObject({ text: expect.any(String) })
  }
}
