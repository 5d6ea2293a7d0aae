// Tests the middleware in the AI SDK itself, over its mock model: calls run, thinking is reasoning, text stays text.
import { expect, test } from "bun:test"
import {
  generateText,
  isStepCount,
  jsonSchema,
  parsePartialJson,
  readUIMessageStream,
  streamText,
  tool,
  wrapLanguageModel,
} from "ai"
import { convertArrayToReadableStream, MockLanguageModelV4 } from "ai/test"
import { type SegmentMiddlewareOptions, segmentMiddleware } from "../../../src/streaming/ai/index.ts"
import { TAG_PROFILES } from "../../../src/streaming/index.ts"
import { cut } from "../parsing.ts"

type StreamResult = Awaited<ReturnType<MockLanguageModelV4["doStream"]>>
type Part = StreamResult["stream"] extends ReadableStream<infer Each> ? Each : never

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
}
const STOP = { unified: "stop", raw: "stop" } as const

const TAGS = { ...TAG_PROFILES.think, ...TAG_PROFILES.hermes }
const CALL = '<tool_call>\n{"name": "weather", "arguments": {"city": "Paris"}}\n</tool_call>'

/** What the model sends for a text, cut small, as its stream's parts. */
function partsOf(text: string, finishReason: typeof STOP | { unified: "length"; raw: string } = STOP): Part[] {
  return [
    { type: "stream-start", warnings: [] },
    { type: "text-start", id: "1", providerMetadata: { mock: { item: "a" } } },
    ...cut(text, 5).map(delta => ({ type: "text-delta", id: "1", delta }) as const),
    { type: "text-end", id: "1", providerMetadata: { mock: { item: "b" } } },
    { type: "finish", finishReason, usage },
  ]
}

function streaming(answers: readonly (readonly Part[])[], options: SegmentMiddlewareOptions = { tags: TAGS }) {
  const results = answers.map(parts => ({ stream: convertArrayToReadableStream([...parts]) }))
  const model = new MockLanguageModelV4({ doStream: results })
  return wrapLanguageModel({ model, middleware: segmentMiddleware(options) })
}

function generating(text: string, options: SegmentMiddlewareOptions = { tags: TAGS }) {
  const result = { content: [{ type: "text", text } as const], finishReason: STOP, usage, warnings: [] }
  const model = new MockLanguageModelV4({ doGenerate: result })
  return wrapLanguageModel({ model, middleware: segmentMiddleware(options) })
}

/** The parts that the middleware gives for a stream's parts. */
async function read(parts: readonly Part[], options?: SegmentMiddlewareOptions): Promise<Part[]> {
  const { stream } = await streaming([parts], options).doStream({ prompt: [] })
  return Array.fromAsync(stream as ReadableStream<Part> & AsyncIterable<Part>)
}

const weather = tool({
  inputSchema: jsonSchema<{ city: string; days?: number }>({
    type: "object",
    properties: { city: { type: "string" }, days: { type: "integer" } },
    required: ["city"],
  }),
  execute: ({ city, days }) => `sun in ${city} for ${days ?? 1} of ${typeof days}`,
})

test("a call in the text runs its tool, and the model is asked again", async () => {
  const model = streaming([partsOf(`<think>Which city?</think>Let me look.\n${CALL}`), partsOf("It is sunny.")])
  const result = streamText({ model, prompt: "Paris?", tools: { weather }, stopWhen: isStepCount(3) })
  const steps = await result.steps
  expect(steps.map(({ text, reasoningText, finishReason }) => [reasoningText, text, finishReason])).toEqual([
    ["Which city?", "Let me look.\n", "tool-calls"],
    [undefined, "It is sunny.", "stop"],
  ])
  expect(steps[0]?.toolResults.map(({ output }) => output)).toEqual(["sun in Paris for 1 of undefined"])
})

test("generateText sees the same", async () => {
  const model = generating(`<think>Which city?</think>Let me look.\n${CALL}`)
  const { reasoningText, text, toolCalls, finishReason } = await generateText({
    model,
    prompt: "?",
    tools: { weather },
  })
  expect([reasoningText, text, finishReason]).toEqual(["Which city?", "Let me look.\n", "tool-calls"])
  expect(toolCalls.map(({ toolName, input }) => [toolName, input])).toEqual([["weather", { city: "Paris" }]])
})

test("an argument in a tag has the type that the tool's schema asks for", async () => {
  const call =
    '<invoke name="weather"><parameter name="city">1</parameter><parameter name="days">3</parameter></invoke>'
  const model = streaming([partsOf(call)], { tags: TAG_PROFILES.claude })
  const [result] = await streamText({ model, prompt: "?", tools: { weather } }).toolResults
  expect(result?.output).toBe("sun in 1 for 3 of number")
})

/** The inputs of a text's calls: what an SDK's user sees of each after every delta, and what its tool gets. */
async function inputsOf(text: string, options?: SegmentMiddlewareOptions) {
  const texts = new Map<string, string>()
  const seen: unknown[] = []
  const inputs: unknown[] = []
  for await (const part of streamText({ model: streaming([partsOf(text)], options), prompt: "?", tools: { weather } })
    .fullStream) {
    if (part.type === "tool-input-start") texts.set(part.id, "")
    if (part.type === "tool-input-delta") {
      const soFar = texts.get(part.id) + part.delta
      texts.set(part.id, soFar)
      seen.push((await parsePartialJson(soFar)).value)
    }
    if (part.type === "tool-call") {
      inputs.push(part.input)
      expect<unknown>(JSON.parse(texts.get(part.toolCallId) ?? "")).toEqual(part.input)
    }
  }
  return { seen, inputs }
}

const CITY = 'Saint-"Denis" 😀'

test.each([
  ["JSON", `<tool_call>{"name": "weather", "arguments": {"city": ${JSON.stringify(CITY)}, "days": 12}}</tool_call>`],
  [
    "JSON in a text",
    `<tool_call>{"name": "weather", "arguments": ${JSON.stringify(JSON.stringify({ city: CITY, days: 12 }))}}</tool_call>`,
  ],
  [
    "tags",
    `<invoke name="weather"><parameter name="city">${CITY}</parameter><parameter name="days">12</parameter></invoke>`,
  ],
] as const)("a call's arguments in %s stream as the model writes them", async (_, call) => {
  const { seen, inputs } = await inputsOf(call, { tags: { ...TAGS, ...TAG_PROFILES.claude } })
  expect(inputs).toEqual([{ city: CITY, days: 12 }])
  const cities = seen.map(input => (input as { city?: string } | undefined)?.city ?? "")
  expect(cities.length).toBeGreaterThan(3)
  expect(cities.filter(city => !CITY.startsWith(city))).toEqual([])
  expect(cities.toSorted((a, b) => a.length - b.length)).toEqual(cities)
  expect(seen.at(-1)).toEqual({ city: CITY, days: 12 })
})

test("each call of a list has an input of its own, and arguments before the name come with the call", async () => {
  const calls = ["Rome", "Oslo"].map(city => ({ name: "weather", arguments: { city } }))
  expect((await inputsOf(`<tool_call>${JSON.stringify(calls)}</tool_call>`)).inputs).toEqual([
    { city: "Rome" },
    { city: "Oslo" },
  ])
  const late = '<tool_call>{"arguments": {"city": "Rome"}, "name": "weather"}</tool_call>'
  expect(await inputsOf(late)).toEqual({ seen: [{ city: "Rome" }], inputs: [{ city: "Rome" }] })
  const empty = '<tool_call>{"name": "weather", "arguments": {"city": ""}}</tool_call>'
  expect((await inputsOf(empty)).inputs).toEqual([{ city: "" }])
})

test("an input that the stream cut off ends without a call, and its text is shown", async () => {
  const text = 'So.<tool_call>{"name": "weather", "arguments": {"city": "Par'
  expect((await read(partsOf(text))).map(({ type }) => type).filter(type => !type.endsWith("-delta"))).toEqual([
    ...["stream-start", "text-start", "text-end", "tool-input-start", "tool-input-end"],
    ...["text-start", "text-end", "finish"],
  ] as Part["type"][])
  const result = streamText({ model: streaming([partsOf(text)]), prompt: "?", tools: { weather } })
  const messages = await Array.fromAsync(readUIMessageStream({ stream: result.toUIMessageStream() }))
  const shown = messages.at(-1)?.parts.flatMap(part => (part.type === "text" ? part.text : [])) ?? []
  expect([shown.join("|"), await result.toolCalls]).toEqual([text.replace("<tool_call>", "|"), []])
})

test("text without calls passes as it came", async () => {
  const parts = partsOf("Hello, [a] & {b} and more.")
  expect(await read(parts)).toEqual(parts)
  const empty = partsOf("")
  expect(await read(empty)).toEqual(empty)
})

test("blanks between two calls are no text of their own, and a blank text passes as it came", async () => {
  const call = '<tool_call>{"name":"weather","arguments":{"city":"Paris"}}</tool_call>'
  const types = async (text: string) => (await read(partsOf(text))).map(({ type }) => type)
  expect((await types(`${call}\n${call}\n`)).filter(type => type.startsWith("text"))).toEqual([])
  expect(await types("\n")).toEqual(partsOf("\n").map(({ type }) => type))
})

test("text before and after a call are parts of their own, and the last has the end's metadata", async () => {
  const parts = await read(partsOf(`One.${CALL}Two.`))
  const texts = parts.filter(part => part.type === "text-start" || part.type === "text-end")
  expect<unknown>(texts).toEqual([
    { type: "text-start", id: "1", providerMetadata: { mock: { item: "a" } } },
    { type: "text-end", id: "1" },
    { type: "text-start", id: expect.stringMatching(/^1:call_[0-9a-f]{32}_seg_3$/) },
    { type: "text-end", id: expect.any(String), providerMetadata: { mock: { item: "b" } } },
  ])
  expect(parts.at(-1)).toMatchObject({ type: "finish", finishReason: { unified: "tool-calls", raw: "stop" } })
})

test("calls of two answers have different ids", async () => {
  const ids = (await Promise.all([CALL, CALL].map(text => read(partsOf(text))))).flatMap(parts =>
    parts.flatMap(part => (part.type === "tool-call" ? [part.toolCallId] : [])),
  )
  expect(new Set(ids).size).toBe(2)
})

test("an example in a code fence is no call, unless told otherwise", async () => {
  const text = `Write:\n\`\`\`xml\n${CALL}\n\`\`\`\n`
  const callsWith = async (options: SegmentMiddlewareOptions) =>
    (await read(partsOf(text), options)).filter(({ type }) => type === "tool-call").length
  expect([await callsWith({ tags: TAGS }), await callsWith({ tags: TAGS, safe: false })]).toEqual([0, 1])
})

test("what the stream cut off is no call", async () => {
  const length = { unified: "length", raw: "max_tokens" } as const
  for (const tags of [TAGS, TAG_PROFILES.claude]) {
    const text = tags === TAGS ? CALL.slice(0, -14) : '<invoke name="weather"><parameter name="city">Pa'
    const parts = await read(partsOf(text, length), { tags })
    expect(parts.filter(({ type }) => type === "tool-call")).toEqual([])
    expect(parts.at(-1)).toMatchObject({ type: "finish", finishReason: length })
  }
})

test("what is no call after all is shown as text, in its place", async () => {
  const parts = await read(partsOf("One.<tool_call>{bad}</tool_call>Two.<tool_call>{cut"))
  const shown = parts.map(part => (part.type === "text-delta" ? part.delta : part.type === "text-end" ? "|" : ""))
  expect(shown.join("")).toBe("One.|{bad}|Two.|{cut|")
})

test("a text that the provider never ends is closed before the finish", async () => {
  const parts = partsOf("<think>Hm, so").filter(({ type }) => type !== "text-end")
  expect((await read(parts)).map(({ type }) => type).slice(-3)).toEqual(["reasoning-delta", "reasoning-end", "finish"])
})

test("native calls and reasoning pass beside the text", async () => {
  const native = [
    { type: "reasoning-start", id: "r" },
    { type: "reasoning-end", id: "r" },
    { type: "tool-call", toolCallId: "n", toolName: "weather", input: '{"city":"Rome"}' },
  ] as const
  const [start, ...rest] = partsOf("Hi.")
  const parts = [...(start === undefined ? [] : [start]), ...native, ...rest]
  expect(await read(parts)).toEqual(parts)
})

test("the input of what turns out to be no call ends once, whatever text comes after it", async () => {
  const broken = CALL.replace('"Paris"', '"Paris", oops')
  const given = await read(partsOf(`${broken}\nand then more of the text, in many chunks`))
  const count = (type: Part["type"]) => given.filter(one => one.type === type).length
  expect([count("tool-input-start"), count("tool-input-end"), count("tool-call")]).toEqual([1, 1, 0])
})

test("what comes with a stream besides it, such as the request, is passed on", async () => {
  const request = { body: "asked" }
  const doStream = async () => ({ stream: convertArrayToReadableStream<Part>([]), request })
  const model = wrapLanguageModel({
    model: new MockLanguageModelV4({ doStream }),
    middleware: segmentMiddleware({ tags: TAGS }),
  })
  expect((await model.doStream({ prompt: [] })).request).toEqual(request)
})
