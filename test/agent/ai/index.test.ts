// Tests what people see of the AI SDK's work, with the real package and its mock model.
import { expect, test } from "bun:test"
import { join } from "node:path"
import {
  APICallError,
  generateText,
  isStepCount,
  jsonSchema,
  simulateReadableStream,
  streamText,
  tool,
  wrapLanguageModel,
} from "ai"
import { MockLanguageModelV4 } from "ai/test"
import { isObject, type JsonObject } from "../../../packages/wire/src/json.ts"
import { agentMiddleware, agentTelemetry, questionTool } from "../../../src/agent/ai/index.ts"
import { type Agent, createAgent } from "../../../src/agent/index.ts"
import { fileScratch } from "../../scratch.ts"
import { opened } from "../../screen/open-screens.ts"
import { Ui } from "../ui.ts"

const usage = {
  inputTokens: { total: 9, noCache: 5, cacheRead: 4, cacheWrite: undefined },
  outputTokens: { total: 3, text: 3, reasoning: undefined },
}
type Unified = "stop" | "tool-calls" | "error" | "length" | "content-filter"
const finish = (unified: Unified) => ({ type: "finish" as const, finishReason: { unified, raw: undefined }, usage })
const call = (toolName: string, input: object) => ({
  type: "tool-call" as const,
  toolCallId: "call_1",
  toolName,
  input: JSON.stringify(input),
})
const text = (...deltas: string[]) => [
  { type: "text-start" as const, id: "t" },
  ...deltas.map(delta => ({ type: "text-delta" as const, id: "t", delta })),
  { type: "text-end" as const, id: "t" },
]
const reasoning = (delta: string) => [
  { type: "reasoning-start" as const, id: "r" },
  { type: "reasoning-delta" as const, id: "r", delta },
  { type: "reasoning-end" as const, id: "r" },
]
type Parts = readonly (
  | ReturnType<typeof text | typeof reasoning>[number]
  | ReturnType<typeof call | typeof finish>
  | ErrorPart
)[]
interface ErrorPart {
  readonly type: "error"
  readonly error: unknown
}

/** A model that streams these replies one after the other. */
function modelOf(...replies: Parts[]) {
  const doStream = replies.map(parts => ({
    stream: simulateReadableStream({ chunks: [...parts], chunkDelayInMs: null }),
  }))
  return wrapLanguageModel({ model: new MockLanguageModelV4({ doStream }), middleware: agentMiddleware })
}

async function start(): Promise<{ agent: Agent; ui: Ui; telemetry: { functionId: string; integrations: object } }> {
  const agent = await createAgent({ chart: "ai", sessionDir: join(fileScratch(), "run") })
  opened(() => agent.close())
  const telemetry = { functionId: "planner", integrations: agentTelemetry(agent) }
  return { agent, ui: await Ui.attach(agent.url, agent.token), telemetry }
}

/** The names of the events that are about a model, without the deltas. */
function names(ui: Ui): unknown[] {
  return ui.events().flatMap(({ event }) => (/^llm\/(?!delta)/.test(String(event)) ? [event] : []))
}

function dataOf(ui: Ui, name: string): JsonObject[] {
  return ui.events().flatMap(({ event, data }) => (event === name && isObject(data) ? [data] : []))
}

const weather = tool({
  inputSchema: jsonSchema<{ city: string }>({ type: "object", properties: { city: { type: "string" } } }),
  execute: ({ city }) => {
    if (city === "Atlantis") throw new Error("no such city")
    return { city, sky: "clear" }
  },
})

test("each step is a turn: request, text as it streams, reply with usage and calls, tool result", async () => {
  const { agent, ui, telemetry } = await start()
  const model = modelOf(
    [...text("Let me ", "see."), call("weather", { city: "Lisbon" }), finish("tool-calls")],
    [...reasoning("Blue."), ...text("Clear."), finish("stop")],
  )
  const { text: answer } = streamText({
    ...{ model, telemetry, tools: { weather }, stopWhen: isStepCount(3) },
    ...{ instructions: "Be brief.", prompt: "Weather in Lisbon?" },
  })
  expect(await answer).toBe("Clear.")
  await agent.finish()
  await ui.untilClosed()
  expect(names(ui)).toEqual([
    ...["llm/start", "llm/request", "llm/response", "llm/tool-result"],
    ...["llm/start", "llm/request", "llm/response", "llm/worker-exit"],
  ])
  expect(dataOf(ui, "llm/delta").map(({ type, text }) => [type, text])).toEqual([
    ["text-delta", "Let me "],
    ["text-delta", "see."],
    ["thinking-delta", "Blue."],
    ["text-delta", "Clear."],
  ])
  expect(dataOf(ui, "llm/request")[0]).toMatchObject({
    invokeid: "planner",
    "system-preview": "Be brief.",
    "user-blocks": [{ type: "text", text: "Weather in Lisbon?" }],
  })
  for (const name of ["llm/start", "llm/request", "llm/response"])
    expect(dataOf(ui, name).map(({ provider }) => provider)).toEqual([model.provider, model.provider])
  expect(dataOf(ui, "llm/response")[0]).toMatchObject({
    usage: { "input-tokens": 9, "output-tokens": 3, "cached-tokens": 4 },
    "stop-reason": "tool-calls",
    content: [
      { type: "text", text: "Let me see." },
      { type: "tool_use", id: "call_1", name: "weather", input: { city: "Lisbon" } },
    ],
  })
  expect(dataOf(ui, "llm/tool-result")[0]).toMatchObject({
    tool: "weather",
    "tool-use-id": "call_1",
    "is-error": false,
    "content-preview": '{"city":"Lisbon","sky":"clear"}',
  })
})

test("a tool that throws is an error result, and the run goes on", async () => {
  const { ui, telemetry } = await start()
  const model = modelOf(
    [call("weather", { city: "Atlantis" }), finish("tool-calls")],
    [...text("Nobody knows."), finish("stop")],
  )
  await streamText({ model, telemetry, tools: { weather }, stopWhen: isStepCount(3), prompt: "?" }).text
  await ui.untilFrame(frame => frame.event === "llm/worker-exit")
  expect(dataOf(ui, "llm/tool-result")).toMatchObject([{ "is-error": true, "content-preview": "no such city" }])
})

test("a model that fails, at once or while it streams, is one error of its session", async () => {
  const { ui, telemetry } = await start()
  const broken = new MockLanguageModelV4({ doGenerate: () => Promise.reject(new Error("out of ink")) })
  await expect(generateText({ model: broken, telemetry, prompt: "?", maxRetries: 0 })).rejects.toThrow("out of ink")
  await ui.untilFrame(frame => frame.event === "llm/worker-exit")
  expect(dataOf(ui, "llm/error")).toMatchObject([{ invokeid: "planner", message: "out of ink" }])

  const midway = modelOf([...text("I was "), { type: "error", error: new Error("cut off") }, finish("error")])
  await streamText({ model: midway, telemetry, prompt: "?", onError: () => undefined }).consumeStream()
  await ui.until(() => dataOf(ui, "llm/worker-exit").length === 2)
  expect(dataOf(ui, "llm/error").map(data => data.message)).toEqual(["out of ink", "cut off"])
})

/** A provider that is busy for a moment. */
const busy = new APICallError({
  ...{ message: "slow down", url: "http://127.0.0.1", requestBodyValues: {} },
  ...{ statusCode: 429, responseHeaders: { "retry-after-ms": "1" } },
})

test.each(["streamText", "generateText"] as const)("a call that %s repeats is one turn with a retry", async kind => {
  const { agent, ui, telemetry } = await start()
  let calls = 0
  const once = <T>(value: T): T => {
    calls += 1
    if (calls === 1) throw busy
    return value
  }
  const chunks = [...text("Now."), finish("stop")]
  const finishReason = { unified: "stop" as const, raw: undefined }
  const content = [{ type: "text" as const, text: "Now." }]
  const model = new MockLanguageModelV4({
    doStream: async () => once({ stream: simulateReadableStream({ chunks, chunkDelayInMs: null }) }),
    doGenerate: async () => once({ content, finishReason, usage, warnings: [] }),
  })
  const options = { model, telemetry, prompt: "?" }
  expect(await (kind === "streamText" ? streamText(options).text : (await generateText(options)).text)).toBe("Now.")
  await agent.finish()
  await ui.untilClosed()
  expect(names(ui)).toEqual(["llm/start", "llm/request", "llm/retry", "llm/response", "llm/worker-exit"])
  expect(dataOf(ui, "llm/retry")).toMatchObject([{ model: "mock-model-id", attempt: 1, category: "429" }])
})

test("what is generated in one piece appears with its usage", async () => {
  const { ui, telemetry } = await start()
  const content = [{ type: "text" as const, text: "Whole." }]
  const model = new MockLanguageModelV4({
    doGenerate: { content, finishReason: { unified: "stop", raw: undefined }, usage, warnings: [] },
  })
  await generateText({ model, telemetry, prompt: "?" })
  await ui.untilFrame(frame => frame.event === "llm/worker-exit")
  expect(dataOf(ui, "llm/response")).toMatchObject([
    { content: [{ type: "text", text: "Whole." }], usage: { "output-tokens": 3 } },
  ])
})

test("generations that stream at the same time keep their texts apart", async () => {
  const { ui, telemetry } = await start()
  const words = (word: string) => Array.from({ length: 20 }, () => word)
  const generate = (word: string) =>
    streamText({ model: modelOf([...text(...words(word)), finish("stop")]), telemetry, prompt: word }).text
  await Promise.all([generate("a"), generate("b")])
  await ui.until(() => dataOf(ui, "llm/worker-exit").length === 2)
  const of = (id: string) => dataOf(ui, "llm/delta").filter(data => data["session-id"] === id)
  const texts = ["planner.1", "planner.2"].map(id =>
    of(id)
      .map(data => data.text)
      .join(""),
  )
  expect(texts.sort()).toEqual(["a".repeat(20), "b".repeat(20)])
})

test("a paused agent begins no step, and its question belongs to the session; a cancelled one fails the call", async () => {
  const { agent, ui, telemetry } = await start()
  await agent.gate()
  const model = modelOf(
    [call("ask", { question: "Walk?", options: ["yes", "no"] }), finish("tool-calls")],
    [...text("Then not."), finish("stop")],
  )
  ui.send({ kind: "control", op: "arm" })
  await ui.until(() => ui.frames().filter(frame => frame.kind === "debug").length === 2)
  const tools = { ask: questionTool(agent) }
  const result = streamText({ model, telemetry, tools, stopWhen: isStepCount(3), prompt: "?" }).text
  await ui.untilFrame(frame => frame.event === "debug/awaiting-step")
  expect(dataOf(ui, "debug/awaiting-step")).toMatchObject([{ "event-name": "step 1" }])
  expect(names(ui)).toEqual([])
  ui.send({ kind: "control", op: "continue" })
  await ui.untilFrame(frame => frame.kind === "prompt")
  expect(ui.frames().find(frame => frame.kind === "prompt")).toMatchObject({
    invokeid: "planner",
    type: "select",
    opts: { prompt: "Walk?", options: ["yes", "no"] },
  })
  ui.send({ kind: "answer", "prompt-id": "planner#1", cancelled: true })
  expect(await result).toBe("Then not.")
  await ui.untilFrame(frame => frame.event === "llm/worker-exit")
  expect(dataOf(ui, "llm/tool-result")).toMatchObject([{ "is-error": true, "content-preview": "cancelled: Walk?" }])
})

test.each([
  ["length", "max_tokens"],
  ["content-filter", "refusal"],
] as const)("a reply that ends with %p is reported as %p, which is what the wire calls it", async (unified, reason) => {
  const { ui, telemetry } = await start()
  await streamText({ model: modelOf([...text("Half"), finish(unified)]), telemetry, prompt: "?" }).text
  await ui.until(() => dataOf(ui, "llm/response").length > 0)
  expect(dataOf(ui, "llm/response")).toMatchObject([{ "stop-reason": reason }])
})
