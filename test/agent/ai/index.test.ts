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
import { isObject } from "../../../packages/wire/src/json.ts"
import { agentMiddleware, agentTelemetry, questionTool } from "../../../src/agent/ai/index.ts"
import { requestOf } from "../../../src/agent/ai/wire-words.ts"
import { type Agent, createAgent } from "../../../src/agent/index.ts"
import { fileScratch } from "../../scratch.ts"
import { opened } from "../../screen/open-screens.ts"
import { Ui } from "../ui.ts"

const usage = {
  inputTokens: { total: 9, noCache: 5, cacheRead: 4, cacheWrite: undefined },
  outputTokens: { total: 3, text: 3, reasoning: undefined },
}
type Unified = "stop" | "tool-calls" | "error" | "length" | "content-filter"
/** What was read of a cache is only told where something was. */
const uncached = { ...usage, inputTokens: { total: 9, noCache: 8, cacheRead: undefined, cacheWrite: 1 } }
const finish = (unified: Unified) => ({
  ...{ type: "finish" as const, finishReason: { unified, raw: undefined } },
  usage: unified === "length" ? uncached : usage,
})
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

/** What was told of models and tools, an event on each line, without the times; `ended` sessions are waited for. */
async function told(ui: Ui, ended = 1): Promise<string> {
  await ui.until(() => ui.events().filter(({ event }) => event === "llm/worker-exit").length === ended)
  const events = ui.events().filter(({ event }) => /^(llm|debug)\//.test(String(event)))
  return events
    .map(({ event, data }) => `${event} ${JSON.stringify(data).replaceAll(/"([a-z-]*ms)":\d+/g, '"$1":0')}`)
    .join("\n")
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
  expect(await told(ui)).toMatchSnapshot()
})

test("a tool that throws is an error result, and the run goes on; a reply may be cut or refused", async () => {
  const { ui, telemetry } = await start()
  const model = modelOf(
    [call("weather", { city: "Atlantis" }), finish("tool-calls")],
    [...text("Nobody knows."), finish("stop")],
  )
  await streamText({ model, telemetry, tools: { weather }, stopWhen: isStepCount(3), prompt: "?" }).text
  for (const unified of ["length", "content-filter"] as const)
    await streamText({ model: modelOf([...text("Half"), finish(unified)]), telemetry, prompt: "?" }).text
  expect(await told(ui, 3)).toMatchSnapshot()
})

test("a model that fails, at once, while it streams or when it is stopped, is one error of its session", async () => {
  const { ui, telemetry } = await start()
  const broken = new MockLanguageModelV4({ doGenerate: () => Promise.reject(new Error("out of ink")) })
  await expect(generateText({ model: broken, telemetry, prompt: "?", maxRetries: 0 })).rejects.toThrow("out of ink")
  const midway = modelOf([...text("I was "), { type: "error", error: new Error("cut off") }, finish("error")])
  await streamText({ model: midway, telemetry, prompt: "?", onError: () => undefined }).consumeStream()
  const stop = new AbortController()
  const stream = new ReadableStream<ReturnType<typeof text>[number]>({
    start(controller) {
      for (const part of text("I am ").slice(0, 2)) controller.enqueue(part)
    },
  })
  const endless = wrapLanguageModel({
    model: new MockLanguageModelV4({ doStream: { stream } }),
    middleware: agentMiddleware,
  })
  const options = { model: endless, telemetry, prompt: "?", abortSignal: stop.signal }
  for await (const _ of streamText(options).textStream) stop.abort()
  expect(await told(ui, 3)).toMatchSnapshot()
})

/** A provider that is busy for a moment. */
const busy = (statusCode: number) =>
  new APICallError({
    ...{ message: "slow down", url: "http://127.0.0.1", requestBodyValues: {} },
    ...{ statusCode, responseHeaders: { "retry-after-ms": "1" } },
  })

test.each(["streamText", "generateText"] as const)("a call that %s repeats is one turn with retries", async kind => {
  const { agent, ui, telemetry } = await start()
  let calls = 0
  const once = <T>(value: T): T => {
    calls += 1
    if (calls < 3) throw busy([429, 503][calls - 1] ?? 0)
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
  expect(await told(ui)).toMatchSnapshot()
})

test("generations that stream at the same time keep their texts apart", async () => {
  const { ui, telemetry } = await start()
  const words = (word: string) => Array.from({ length: 20 }, () => word)
  const generate = (word: string) =>
    streamText({ model: modelOf([...text(...words(word)), finish("stop")]), telemetry, prompt: word }).text
  await Promise.all([generate("a"), generate("b")])
  await ui.until(() => ui.events().filter(({ event }) => event === "llm/worker-exit").length === 2)
  const texts = ["planner.1", "planner.2"].map(id =>
    ui
      .events()
      .flatMap(({ event, data }) =>
        event === "llm/delta" && isObject(data) && data["session-id"] === id ? [data.text] : [],
      )
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
  expect(ui.events().some(({ event }) => event === "llm/start")).toBe(false)
  ui.send({ kind: "control", op: "continue" })
  await ui.untilFrame(frame => frame.kind === "prompt")
  expect(ui.frames().find(frame => frame.kind === "prompt")).toMatchObject({
    invokeid: "planner",
    type: "select",
    opts: { prompt: "Walk?", options: ["yes", "no"] },
  })
  ui.send({ kind: "answer", "prompt-id": "planner#1", cancelled: true })
  expect(await result).toBe("Then not.")
  const open = tools.ask.execute?.({ question: "How far?" }, {} as never)
  await ui.untilFrame(frame => frame.kind === "prompt" && frame.type === "text")
  ui.send({ kind: "answer", "prompt-id": "question-2#2", value: "A mile." })
  expect(await open).toBe("A mile.")
  expect(await told(ui)).toMatchSnapshot()
})

test("what a call asks is told in the wire's words, each part of a message as a block", () => {
  const parts = [
    ...[{ type: "text", text: "a" }, { type: "text", text: "b" }, { type: "reasoning", text: "why" }, { type: "file" }],
    ...[{ type: "tool-call", toolCallId: "c", toolName: "t", input: undefined }],
    ...[{ value: [1] }, { value: 0 }, null, undefined].map(output => ({
      type: "tool-result",
      toolCallId: "c",
      output,
    })),
    { type: "tool-error", toolCallId: "c", error: new Error("no") },
  ]
  const call = (more: object) => requestOf({ modelId: "m", provider: "p", messages: [], ...more } as never)
  const asked = [
    call({}),
    call({ instructions: "Be brief.", messages: [{ role: "user", content: "Go?" }] }),
    call({ instructions: ["One.", { role: "system", content: "Two." }], messages: [{ role: "user", content: parts }] }),
    call({
      messages: [
        { role: "user", content: "Go?" },
        { role: "assistant", content: [{ type: "text", text: "Yes." }] },
      ],
    }),
  ]
  expect(asked.map(one => JSON.stringify(one)).join("\n")).toMatchSnapshot()
})
