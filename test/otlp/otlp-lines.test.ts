// Tests the spans of whole recordings against trees written by hand, in both encodings, as a receiver gets them.
import { expect, test } from "bun:test"
import { join } from "node:path"
import { otlpLines } from "../../src/otlp/otlp-lines.ts"
import { SpanFold } from "../../src/otlp/span-fold.ts"
import type { TraceSpan } from "../../src/otlp/trace-span.ts"
import { fold } from "../../src/run/fold.ts"
import { decodePrices, noPrices } from "../../src/run/model/prices.ts"
import { emptyRun, initialRun } from "../../src/run/model/run.ts"
import { newRows } from "../../src/run/select/new-rows.ts"
import { usageReport } from "../../src/run/select/usage.ts"
import { root } from "../fixtures.ts"
import { event, ids } from "../run/lines.ts"
import { treeOf } from "./decode-request.ts"
import { clean, framesOf, received, spansOf, spansOfEvents, spansOfFrames } from "./spans.ts"

const RECORDINGS = [
  ["fixtures/frames/demo.jsonl", "demo"],
  ["fixtures/recordings/haiku-tournament.jsonl", "haiku-tournament"],
] as const

test.each(RECORDINGS)("%s has the spans that a person finds in it, in both encodings", async (path, name) => {
  const tree = await Bun.file(join(root, `fixtures/traces/${name}.txt`)).text()
  for (const size of [100_000, 1, 7]) {
    const spans = await spansOf(path, size)
    for (const encoding of ["json", "protobuf"] as const) expect(treeOf(await received(spans, encoding))).toBe(tree)
  }
})

test("both encodings say the same, with the names of OpenTelemetry", async () => {
  const spans = await spansOf("fixtures/frames/demo.jsonl", 100)
  const [json, protobuf] = await Promise.all([received(spans, "json"), received(spans, "protobuf")])
  expect(protobuf).toEqual(json)
  const call = json.find(
    ({ name, attributes }) => name === "chat qwen3:8b" && "gen_ai.usage.input_tokens" in attributes,
  )
  expect(call).toMatchObject({ kind: 3, dropped: 0, traceId: expect.stringMatching(/^[0-9a-f]{32}$/) })
  expect(call?.attributes).toEqual({
    "gen_ai.operation.name": "chat",
    "gen_ai.agent.name": "drafter",
    "gen_ai.conversation.id": "multiplex.drafter.2",
    "gen_ai.request.model": "qwen3:8b",
    "gen_ai.response.model": "qwen3:8b",
    "gen_ai.response.finish_reasons": ["tool_use"],
    "gen_ai.usage.cost": 0.0000287,
    "gen_ai.usage.input_tokens": 19,
    "gen_ai.usage.output_tokens": 185,
  })
})

test("the same run has the same ids each time, and another has others", async () => {
  const ids = (spans: readonly TraceSpan[]) => spans.map(({ traceId, spanId }) => `${traceId} ${spanId}`).sort()
  const [demo, again] = await Promise.all([3, 500].map(size => spansOf("fixtures/frames/demo.jsonl", size)))
  const other = await spansOf("fixtures/recordings/haiku-tournament.jsonl", 5)
  expect(ids(again ?? [])).toEqual(ids(demo ?? []))
  expect(new Set(ids(demo ?? [])).size).toBe(36)
  expect(new Set([...(demo ?? []), ...other].map(({ traceId }) => traceId)).size).toBe(2)
})

test("what is open when the run is left is cut there", async () => {
  const frames = (await framesOf("fixtures/recordings/haiku-tournament.jsonl")).slice(0, 20)
  const tree = treeOf(await received(spansOfFrames(frames), "json"))
  expect(tree).toBe(`invoke_workflow :escapement.runner/chart 0-327 cut
  state run 3-327 cut
    state planning 3-327 cut
      invoke_agent planner 2-327 cut
        chat gemma3:1b 2-327 ?>15 cut
`)
})

test("contents are told only if they are asked for, without secrets", async () => {
  const path = "fixtures/frames/demo.jsonl"
  const words = "pier of nil"
  expect(JSON.stringify(await spansOf(path, 100))).not.toContain(words)
  const told = await spansOf(path, 100, true)
  expect(JSON.stringify(told)).toContain(words)
  const call = told.find(({ name, attributes }) => name === "execute_tool read_log" && attributes)
  expect(call?.attributes["gen_ai.tool.call.result"]).toContain('06:41:07 sailing 931 "Selkie" pier=nil state=dry-dock')
  const output = told.find(({ name }) => name === "chat qwen3:8b")?.attributes["gen_ai.output.messages"]
  expect(JSON.parse(String(output))).toMatchObject([
    {
      role: "assistant",
      parts: [{ type: "reasoning" }, { type: "tool_call", name: "read_log" }],
      finish_reason: "tool_use",
    },
  ])
  const frames = (await framesOf(path)).map(frame => ({ frame }))
  const hidden = await Array.fromAsync(
    otlpLines([frames], { content: true, prices: noPrices, clean: text => text.replaceAll(words, "–") }),
  )
  expect(hidden.join("")).not.toContain(words)
})

test("a retry is an event of the call that it repeats, else of the invocation", async () => {
  const spans = spansOfEvents([
    ["llm/retry", { model: "m", category: "rate-limit", attempt: 1, "max-retries": 3 }],
    ["llm/start", { model: "m" }],
    ["llm/retry", { attempt: 2 }],
    ["llm/response", { model: "m" }],
    ["llm/worker-exit", { reason: "done" }],
  ])
  for (const encoding of ["json", "protobuf"] as const) {
    const events = (await received(spans, encoding)).map(({ name, events }) => [name, events] as const)
    expect(Object.fromEntries(events)).toEqual({
      "chat m": [
        {
          name: "opentui_sidecar.retry",
          time: 1_002_000_000n,
          attributes: { "error.type": "_OTHER", "opentui_sidecar.retry.attempt": 2 },
        },
      ],
      "invoke_agent a": [
        {
          name: "opentui_sidecar.retry",
          time: 1_000_000_000n,
          attributes: {
            "error.type": "rate-limit",
            "gen_ai.request.model": "m",
            "opentui_sidecar.retry.attempt": 1,
            "opentui_sidecar.retry.limit": 3,
          },
        },
      ],
      invoke_workflow: [],
    })
  }
})

test("spans have what replies cost as far as it is known, and sums say how many replies they lack", async () => {
  const prices = decodePrices('{"m": {"input_cost_per_token": 0.001, "output_cost_per_token": 0.01}}') ?? noPrices
  const usage = { "input-tokens": 10, "output-tokens": 4 }
  const events: Parameters<typeof spansOfEvents>[0] = [
    ["llm/start", { model: "m" }],
    ["llm/response", { model: "m", usage }],
    ["llm/start", { model: "other" }],
    ["llm/response", { model: "other", usage, "cost-usd": 0.5 }],
    ["llm/start", { model: "other" }],
    ["llm/response", { model: "other", usage }],
    ["llm/start", { model: "m", "replay/source": "captured" }],
    ["llm/response", { model: "m", usage, "cost-usd": 9 }],
  ]
  const spans = await received(spansOfEvents(events, { prices }), "protobuf")
  const calls = spans.filter(({ name }) => name.startsWith("chat"))
  expect(calls.map(({ attributes }) => attributes["gen_ai.usage.cost"])).toEqual([0.05, 0.5, undefined, undefined])
  for (const { attributes } of spans.filter(({ name }) => name.startsWith("invoke"))) {
    expect(attributes).toMatchObject({ "opentui_sidecar.cost_usd": 0.55, "opentui_sidecar.unpriced_replies": 1 })
  }
  const unknown = await received(spansOfEvents(events.slice(4, 6)), "json")
  expect(unknown.flatMap(({ attributes }) => Object.keys(attributes))).not.toContain("opentui_sidecar.cost_usd")
})

test("a call whose model went down has failed, with the category and the tokens that came, without an error before it", () => {
  const word = ["llm/delta", { type: "text-delta", text: "a" }] as const
  const events: Parameters<typeof spansOfEvents>[0] = [
    ["llm/start", { model: "mystery-9b" }],
    ...[word, word, word],
    ["llm/model-down", { model: "mystery-9b", category: "network", message: "connection refused" }],
    ["llm/start", { model: "spare-3b" }],
    ["llm/response", { usage: { "output-tokens": 7 } }],
    ["llm/worker-exit", { reason: "done" }],
  ]
  const spans = spansOfEvents(events)
  const [down, spare] = ["chat mystery-9b", "chat spare-3b"].map(name => spans.find(one => one.name === name))
  expect(down).toMatchObject({ start: 1000, end: 1004, error: "connection refused" })
  expect(down?.attributes).toMatchObject({ "error.type": "network", "gen_ai.usage.output_tokens": 3 })
  expect(down?.attributes["opentui_sidecar.cut"]).toBeUndefined()
  expect(spare).toMatchObject({ error: null, attributes: { "gen_ai.usage.output_tokens": 7 } })
  // The invocation went on with another model.
  expect(spans.find(({ name }) => name === "invoke_agent a")?.error).toBeNull()
  const failed = spansOfEvents(events.slice(0, 5)).find(({ name }) => name === "invoke_agent a")
  expect(failed?.error).toBe("connection refused")
})

test.each(["fixtures/frames/demo.jsonl", "fixtures/failing-run/transcript.jsonl"])(
  "the output tokens of the calls of %s add up to its ledger's, however it comes",
  async path => {
    const { total } = fold(emptyRun, await framesOf(path)).facts.ledger
    for (const size of [100_000, 1, 7]) {
      const tokens = (await spansOf(path, size)).map(({ attributes }) => attributes["gen_ai.usage.output_tokens"])
      expect(tokens.reduce<number>((sum, one) => sum + Number(one ?? 0), 0)).toBe(total.output)
    }
  },
)

test("the cost of a recording is the one in its ledger", async () => {
  const price = (input: number, output: number) => ({ input_cost_per_token: input, output_cost_per_token: output })
  const listed = { "gemma3:12b": price(1e-6, 3e-6), "qwen3:8b": price(2e-7, 7e-7) }
  const prices = decodePrices(JSON.stringify(listed)) ?? noPrices
  const all = await framesOf("fixtures/frames/demo.jsonl")
  // A trace has what replies tell, not what a session says at its end.
  const frames = all.filter(frame => frame.kind !== "event" || frame.name !== "llm/usage")
  const run = fold(initialRun({ prices }), frames)
  const total = spansOfFrames(frames, { prices }).find(({ parentId }) => parentId === null)?.attributes[
    "opentui_sidecar.cost_usd"
  ]
  expect(usageReport(run.facts.ledger.total).costUsd).toBeGreaterThan(0)
  expect(total).toBe(Number(usageReport(run.facts.ledger.total).costUsd))
})

test.each([
  [{ model: "claude-haiku-4-5" }, "anthropic"],
  [{ model: "us.anthropic.claude-haiku-4-5-v1:0" }, "aws.bedrock"],
  [{ model: "claude-haiku-4-5@20251001" }, undefined],
  [{ model: "gpt-5.1" }, "openai"],
  [{ model: "o3" }, "openai"],
  [{ model: "gpt-oss:20b" }, undefined],
  [{ model: "gemini-2.5-pro" }, "gcp.gen_ai"],
  [{ model: "grok-4" }, "x_ai"],
  [{ model: "grok-2-1212" }, undefined],
  [{ model: "gpt-2" }, undefined],
  [{ model: "gpt-j-6b" }, undefined],
  [{ model: "claude-x/y" }, undefined],
  [{ model: "gemma3:12b" }, undefined],
  [{ model: "openai/gpt-5.1" }, undefined],
  [{ model: "claude-haiku-4-5", provider: "bedrock" }, "aws.bedrock"],
  [{ model: "gemma3:12b", provider: "ollama" }, "ollama"],
  [{ model: "gpt-5.1", provider: "openai.responses" }, "openai"],
  [{ model: "claude-haiku-4-5", provider: "anthropic.messages" }, "anthropic"],
  [{ model: "gemini-2.5-pro", provider: "google.generative-ai" }, "gcp.gemini"],
  [{ model: "x", provider: "aws.bedrock" }, "aws.bedrock"],
  [{}, undefined],
])("the provider of %j is %p", (data, provider) => {
  const spans = spansOfEvents([
    ["llm/start", data],
    ["llm/response", data],
  ])
  const told = spans.map(({ name, attributes }) => [name.split(" ")[0], attributes["gen_ai.provider.name"]])
  expect(told).toEqual([
    ["chat", provider],
    ["invoke_agent", provider],
    ["invoke_workflow", undefined],
  ])
})

test("of an agent CLI that tells its cost at the end no reply lacks a price, and an invocation of a run that ended is whole", () => {
  const spans = spansOfEvents([
    ["llm/start", { model: "claude-haiku-4-5" }],
    ["llm/response", { content: [{ type: "text", text: "I look." }] }],
    ["llm/response", { requests: 0, usage: { "input-tokens": 9, "output-tokens": 2, "cost-usd": 0.5 } }],
    ["runner/done", {}],
  ])
  const invocation = spans.find(({ name }) => name.startsWith("invoke_agent"))
  expect(invocation?.attributes["opentui_sidecar.cost_usd"]).toBe(0.5)
  expect(invocation?.attributes["opentui_sidecar.unpriced_replies"]).toBeUndefined()
  expect(invocation?.attributes["opentui_sidecar.cut"]).toBeUndefined()
})

test("a reply that comes in parts is one call, which has what each part tells", () => {
  const call = (id: string) => ({ type: "tool_use", id, name: id, input: { path: id } })
  const events: Parameters<typeof spansOfEvents>[0] = [
    ["llm/start", { model: "m" }],
    ["llm/request", { "user-blocks": [{ type: "text", text: "Look." }] }],
    ["llm/response", { requests: 1, content: [{ type: "text", text: "I look." }, call("one")] }],
    ["llm/tool-result", { "tool-use-id": "one", "content-preview": "x" }],
    ["llm/response", { requests: 0, content: [call("two")], "stop-reason": "tool_use" }],
    ["llm/tool-result", { "tool-use-id": "two", "content-preview": "y" }],
    ["llm/response", { requests: 0, usage: { "input-tokens": 9, "output-tokens": 2, "cost-usd": 0.5 } }],
    ["llm/start", { model: "m" }],
    ["llm/response", { requests: 1, content: [{ type: "text", text: "Done." }], "stop-reason": "end_turn" }],
    ["llm/error", { message: "no credit" }],
    ["runner/error", { message: "no credit" }],
  ]
  const spans = spansOfEvents(events, { content: true })
  const calls = spans.filter(({ name }) => name.startsWith("chat"))
  expect(calls.map(({ start, end, error }) => [start, end, error])).toEqual([
    [1000, 1006, null],
    [1007, 1008, null],
  ])
  expect(calls[0]?.attributes["gen_ai.input.messages"]).toContain("Look.")
  expect(calls[0]?.attributes).toMatchObject({
    "gen_ai.response.finish_reasons": ["tool_use"],
    "gen_ai.usage.input_tokens": 9,
    "gen_ai.usage.cost": 0.5,
  })
  const [message] = JSON.parse(String(calls[0]?.attributes["gen_ai.output.messages"]))
  expect(message.parts.map(({ type, content, id }: Record<string, string>) => content ?? `${type} ${id}`)).toEqual([
    "I look.",
    "tool_call one",
    "tool_call two",
  ])
  expect(spans.filter(({ name }) => name.startsWith("execute_tool")).map(({ name }) => name)).toEqual([
    "execute_tool one",
    "execute_tool two",
  ])
  const invocation = spans.find(({ name }) => name === "invoke_agent a")
  expect(invocation?.error).toBe("no credit")
  // The second reply told nothing of what it cost.
  expect(invocation?.attributes).toMatchObject({
    "opentui_sidecar.cost_usd": 0.5,
    "opentui_sidecar.unpriced_replies": 1,
  })
})

test("what a session and the whole run say that they used is counted once, in their sums, and begins no invocation", () => {
  const usage = { "input-tokens": 10, "output-tokens": 4 }
  const spans = spansOfEvents([
    ["llm/start", { model: "m" }],
    ["llm/response", { model: "m", usage }],
    ["llm/usage", { usage: { "input-tokens": 30, "output-tokens": 9 }, "cost-usd": 0.25 }],
    ["llm/usage", { invokeid: null, "session-id": null, usage: { "input-tokens": 35 }, "cost-usd": 0.5 }],
    ["llm/worker-exit", {}],
    ["runner/done", {}],
  ])
  const keys = ["input_tokens", "output_tokens", "cost_usd"]
  const sums = spans.map(one => [one.name, ...keys.map(key => one.attributes[`opentui_sidecar.${key}`])])
  expect(sums.filter(([name]) => String(name).startsWith("invoke"))).toEqual([
    ["invoke_agent a", 30, 9, 0.25],
    ["invoke_workflow", 35, 9, 0.5],
  ])
})

test.each([
  ["an error after words", "llm/error", 1],
  ["the end of its worker after words", "llm/worker-exit", 1],
  ["another turn after words", "llm/start", 1],
  ["an error before any word", "llm/error", undefined],
] as const)("a reply that is cut by %s has an unknown cost as it says", (title, end, unpriced) => {
  const [start, paid] = [["llm/start", { model: "m" }] as const, ["llm/response", { "cost-usd": 0.5 }] as const]
  const delta = ["llm/delta", { type: "text-delta", text: "a" }] as const
  const cut = title.includes("before") ? [] : [delta]
  const events = [start, paid, start, ...cut, [end, {}] as const, ...(end === "llm/start" ? [paid] : [])]
  const spans = spansOfEvents([...events, ["runner/done", {}]])
  const invocation = spans.find(({ name }) => name.startsWith("invoke_agent"))
  expect(invocation?.attributes["opentui_sidecar.unpriced_replies"]).toBe(unpriced)
})

test.each<[string, Parameters<typeof spansOfEvents>[0], string | null]>([
  ["the reason of its end", [["llm/worker-exit", { reason: "refusal", "is-error": true }]], "refusal"],
  ["no model that is left", [["llm/model-policy-empty", { policy: "cheap" }]], "no model left in policy cheap"],
  [
    "nothing, after another start",
    [
      ["llm/model-policy-empty", {}],
      ["llm/start", {}],
      ["llm/worker-exit", {}],
    ],
    null,
  ],
])("a session that failed tells %s", (_, events, error) => {
  const spans = spansOfEvents([["llm/start", { model: "m" }], ...events, ["runner/done", {}]])
  expect(spans.find(({ name }) => name.startsWith("invoke_agent"))?.error).toBe(error)
})

test("a session that is started again after its end has a second invocation, with its own time, tokens and end", async () => {
  const turn = (tokens: number, isError: boolean) =>
    [
      ["llm/start", { model: "m" }],
      ["llm/response", { model: "m", usage: { "input-tokens": tokens } }],
      ["llm/worker-exit", { reason: "over", "is-error": isError }],
    ] as const
  const spans = spansOfEvents([...turn(10, false), ...turn(20, true), ["runner/done", {}]])
  expect(treeOf(await received(spans, "json"))).toBe(`invoke_workflow 0-6
  invoke_agent a 0-2
    chat m 0-1
  invoke_agent a 3-5 !_OTHER
    chat m 3-4
`)
  const invoked = spans.filter(({ name }) => name === "invoke_agent a")
  const told = ["gen_ai.operation.name", "opentui_sidecar.input_tokens"]
  expect(invoked.map(({ attributes }) => told.map(key => attributes[key]))).toEqual([
    ["invoke_agent", 10],
    ["invoke_agent", 20],
  ])
})

test("what comes before the first time of a run begins at that time, and not in 1970", () => {
  const frames = [
    event(1, "llm/start", ids, null),
    event(2, "llm/response", ids, 5000),
    event(3, "runner/done", {}, null),
    event(1, "runner/started", {}, null),
    event(2, "runner/done", {}, 9000),
  ]
  const times = spansOfFrames(frames).map(({ name, start, end }) => [name, start, end])
  expect(times).toEqual([
    ["chat", 5000, 5000],
    ["invoke_agent a", 5000, 5000],
    ["invoke_workflow", 5000, 5000],
    ["invoke_workflow", 5000, 9000],
  ])
})

test("a run that begins anew is another trace, and each has what was used in it", () => {
  const used = (tokens: number) => ["llm/response", { usage: { "input-tokens": tokens } }] as const
  const lines = [["runner/started", {}], used(10), ["runner/aborted", {}]] as const
  const again = lines.map(([name, data], i) => event(i + 1, name, { ...ids, ...data }, 5000 + i))
  const frames = [
    ...lines,
    ["llm/usage", { usage: { "input-tokens": 15 }, invokeid: null, "session-id": null }] as const,
  ]
  const first = frames.map(([name, data], i) => event(i + 1, name, { ...ids, ...data }, 1000 + i))
  const runs = spansOfFrames([...first, ...again]).filter(({ parentId }) => parentId === null)
  expect(runs.map(({ attributes }) => attributes["opentui_sidecar.input_tokens"])).toEqual([15, 10])
})

test.each([
  ["a call", [], "invoke_agent a 0-1 cut\n    chat m 0-1 cut"],
  [
    "a tool",
    [{ type: "tool_use", name: "t", input: {} }],
    "invoke_agent a 0-2 cut\n    chat m 0-1\n    execute_tool t 1-2 cut",
  ],
  ["nothing", [{ type: "text", text: "." }], "invoke_agent a 0-2\n    chat m 0-1"],
])("an invocation in which %s is open is cut or whole where the run ends", async (_, content, tree) => {
  const replied = content.length === 0 ? [] : [["llm/response", { content }] as const]
  const spans = spansOfEvents([["llm/start", { model: "m" }], ...replied, ["runner/done", {}]])
  expect(treeOf(await received(spans, "json"))).toEndWith(`\n  ${tree}\n`)
})

test("a reply that tells no tokens has none of those that the one before it in its turn told", () => {
  const reply = (usage: object) => ["llm/response", { usage }] as const
  const spans = spansOfEvents([["llm/start", {}], reply({ "output-tokens": 2 }), reply({})])
  const calls = spans.filter(({ name }) => name.startsWith("chat"))
  expect(calls.map(({ attributes }) => attributes["gen_ai.usage.output_tokens"])).toEqual([2, undefined])
})

test("a state that is entered again, though it was not left, has two spans", async () => {
  const entered = { entered: ["plan"], "config-after": ["plan"] }
  const spans = spansOfEvents([
    ["runner/event-processed", entered],
    ["runner/event-processed", entered],
  ])
  expect(treeOf(await received(spans, "json"))).toContain("\n  state plan 0-1\n  state plan 1-1 cut\n")
})

test("a run has one trace, whether its session id is spelled with a colon or without", () => {
  const traces = [":s", "s"].map(id => spansOfEvents([["runner/started", { "session-id": id }]])[0]?.traceId)
  expect(new Set(traces).size).toBe(1)
})

test("an aborted run ends where it was aborted, whatever still comes", async () => {
  const spans = spansOfEvents([
    ["llm/start", { model: "m" }],
    ["llm/response", { model: "m" }],
    ["runner/aborted", { reason: "killed" }],
    ["llm/user-message", { text: "late" }],
    ["llm/user-message", { text: "later" }],
  ])
  expect(treeOf(await received(spans, "json"))).toStartWith("invoke_workflow 0-2 !aborted\n")
})

test.each([
  ["human-input/answer", { answer: "yes" }, ""],
  ["human-input/cancelled", {}, ""],
  ["human-input/interrupted", {}, ""],
  ["human-input/error", { message: "no" }, " !_OTHER"],
])("a question ends with %s, however long the run goes on", async (event, data, error) => {
  const spans = spansOfEvents([
    ["human-input/start", { kind: "text", prompt: "Who?" }],
    [event, data],
    ["runner/done", {}],
  ])
  expect(treeOf(await received(spans, "json"))).toBe(`invoke_workflow 0-2\n  ask a 0-1${error}\n`)
})

test("spans are over once the run is, and not before, and nothing is said of what comes after their end", () => {
  const spans = new SpanFold({ content: false, clean })
  let run = emptyRun
  const overAfter = ["runner/started", "runner/done"].map((name, i) => {
    const next = fold(run, [event(i + 1, name)])
    spans.add(next, newRows(run, next))
    run = next
    return spans.isOver
  })
  expect(overAfter).toEqual([false, true])
  expect(spans.close()).toHaveLength(1)
  const late = fold(run, [event(3, "runner/error")])
  expect([...spans.add(late, newRows(run, late)), ...spans.close()]).toEqual([])
})
