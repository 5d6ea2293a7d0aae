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
  const late = '<tool_call>{"arguments": {"city": "Rome", "days": 2}, "name": "weather"}</tool_call>'
  const rome = { city: "Rome", days: 2 }
  expect(await inputsOf(late)).toEqual({ seen: [rome], inputs: [rome] })
  const empty = '<tool_call>{"name": "weather", "arguments": {"city": ""}}</tool_call>'
  expect((await inputsOf(empty)).inputs).toEqual([{ city: "" }])
  const [none, twice] = ["", '"city": "Rome", "city": "Oslo"'].map(
    args => `<tool_call>{"name": "weather", "arguments": {${args}}}</tool_call>`,
  )
  expect((await inputsOf(`${none}${twice}`)).inputs).toEqual([{}, { city: "Oslo" }])
})

test("an input that the stream cut off is no call of the SDK, and its text is shown", async () => {
  const text = 'So.<tool_call>{"name": "weather", "arguments": {"city": "Par'
  const result = streamText({ model: streaming([partsOf(text)]), prompt: "?", tools: { weather } })
  const messages = await Array.fromAsync(readUIMessageStream({ stream: result.toUIMessageStream() }))
  const shown = messages.at(-1)?.parts.flatMap(part => (part.type === "text" ? part.text : [])) ?? []
  expect([shown.join("|"), await result.toolCalls]).toEqual([text.replace("<tool_call>", "|"), []])
})

/** Each part on a line, those of one kind and id that follow each other joined, and new ids by a number. */
function drawn(parts: readonly Part[]): string {
  const lines: string[][] = []
  for (const part of parts) {
    const { type, ...rest } = part
    const { delta, usage: _, ...named } = { delta: "", usage, ...rest }
    const head = `${type} ${JSON.stringify(named)}`.replace(" {}", "")
    if (type.endsWith("-delta") && lines.at(-1)?.[0] === head) lines.at(-1)?.push(`${delta}`)
    else lines.push([head, ...(type.endsWith("-delta") ? [`${delta}`] : [])])
  }
  const text = lines.map(([head, ...deltas]) => [head, ...deltas.map(one => JSON.stringify(one))].join(" ")).join("\n")
  const ids = [...new Set(text.match(/[0-9a-f]{32}/g))]
  return text.replace(/[0-9a-f]{32}/g, id => `id${ids.indexOf(id)}`)
}

const LENGTH = { unified: "length", raw: "max_tokens" } as const
const FENCED = `Write:\n\`\`\`xml\n${CALL}\n\`\`\`\n`

const PARTED: readonly (readonly [name: string, parts: readonly Part[], options?: SegmentMiddlewareOptions])[] = [
  ["an input that the stream cut off", partsOf('So.<tool_call>{"name": "weather", "arguments": {"city": "Par', LENGTH)],
  ["one in tags", partsOf('<invoke name="weather"><parameter name="city">Pa', LENGTH), { tags: TAG_PROFILES.claude }],
  ["a call in an answer that was cut off behind it", partsOf(CALL, LENGTH)],
  ["blanks between two calls, and behind the last", partsOf(`${CALL}\n${CALL}\n`)],
  ["blanks alone", partsOf(" \n")],
  ["text around a call", partsOf(`One.${CALL}Two.`)],
  ["an example in a code fence", partsOf(FENCED)],
  ["that example where all is read", partsOf(FENCED), { tags: TAGS, safe: false }],
  ["what is no call after all", partsOf("One.<tool_call>{bad}</tool_call>Two.<tool_call>{cut")],
  ["an input that turns out to be no call", partsOf(`${CALL.replace('"Paris"', '"Paris", oops')}\nand then more`)],
  ["a thought that the provider never ends", partsOf("<think>Hm, so").filter(({ type }) => type !== "text-end")],
  ["a call that the provider never ends", partsOf(`A${CALL.slice(0, -9)}`).filter(({ type }) => type !== "text-end")],
  ["text behind its end", partsOf("A").toSpliced(-1, 0, { type: "text-delta", id: "1", delta: "B" })],
  ["thoughts on both sides of a call", partsOf(`<think>A</think>${CALL}<think>B</think>C`)],
]

test.each(PARTED.map(([name, parts, options = { tags: TAGS }]) => [name, parts, options] as const))(
  "the parts of %s",
  async (_, parts, options) => expect(drawn(await read(parts, options))).toMatchSnapshot(),
)

test("text without calls, and native calls and reasoning beside it, pass as they came", async () => {
  const native = [
    { type: "reasoning-start", id: "r" },
    { type: "reasoning-end", id: "r" },
    { type: "tool-call", toolCallId: "n", toolName: "weather", input: '{"city":"Rome"}' },
  ] as const
  for (const text of ["Hello, [a] & {b} and more.", "", "\n"]) {
    const parts = partsOf(text).toSpliced(1, 0, ...native)
    expect(await read(parts)).toEqual(parts)
  }
})

test("a generated answer keeps what is not read: the metadata of its text, its own calls, and why it ended", async () => {
  const text = { type: "text", text: "Hi", providerMetadata: { mock: { item: "a" } } } as const
  const native = { type: "tool-call", toolCallId: "n", toolName: "weather", input: "{}" } as const
  const doGenerate = { content: [text, native], finishReason: STOP, usage, warnings: [] }
  const middleware = segmentMiddleware({ tags: TAGS })
  const model = wrapLanguageModel({ model: new MockLanguageModelV4({ doGenerate }), middleware })
  expect(await model.doGenerate({ prompt: [] })).toMatchObject({ content: [text, native], finishReason: STOP })
})

test("tools and listeners of one's own count beside the SDK's", async () => {
  const told: string[] = []
  const parts = await read(partsOf('<invoke name="f"><parameter name="n">7</parameter></invoke>'), {
    tags: TAG_PROFILES.claude,
    tools: [{ name: "f", parameters: { properties: { n: { type: "integer" } } } }],
    onSegmentEvent: ({ event_type }) => told.push(event_type),
    onArgument: ({ argument, delta }) => told.push(`${argument}=${delta}`),
    onToolInvocation: ({ name }) => told.push(name),
  })
  expect(parts.flatMap(part => (part.type === "tool-call" ? part.input : []))).toEqual(['{"n":7}'])
  expect([...new Set(told)].sort()).toEqual(["SEGMENT_CONTENT", "SEGMENT_END", "SEGMENT_START", "f", "n=7"])
})

test("calls of two answers have different ids", async () => {
  const ids = (await Promise.all([CALL, CALL].map(text => read(partsOf(text))))).flatMap(parts =>
    parts.flatMap(part => (part.type === "tool-call" ? [part.toolCallId] : [])),
  )
  expect(new Set(ids).size).toBe(2)
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
