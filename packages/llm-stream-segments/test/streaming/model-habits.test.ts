// Tests what models, servers and callers do that is not in the formats' documents.
import { describe, expect, test } from "bun:test"
import {
  createStreamingParser,
  ParsingStreamingResponseHandler,
  type SegmentOptions,
  SegmentType,
  segments,
  TAG_PROFILES,
} from "../../src/streaming/index.ts"
import { cut } from "./parsing.ts"

/** The segments of a text, as type and content, and its calls, as name and arguments; the same in every chunk size. */
async function read(text: string, options: SegmentOptions) {
  const readings = await Promise.all(
    [text.length, 1, 2, 3, 7].map(async size => {
      const all = await Array.fromAsync(segments(cut(text, size), options), one => one.whole())
      const calls = all.flatMap(one => one.invocations).map(({ name, arguments: args }) => [name, args])
      return { segments: all.map(({ type, content }) => [type, content]), calls, all }
    }),
  )
  const [first, ...others] = readings
  for (const other of others) expect(other).toEqual(first ?? other)
  return first ?? { segments: [], calls: [], all: [] }
}

const { think, hermes, qwenCoder, claude } = TAG_PROFILES
const paris = '{"name": "weather", "arguments": {"city": "Paris"}}'
const made = [["weather", { city: "Paris" }]]

describe("a chunk that nobody can read is refused", () => {
  const read = async (chunk: unknown) => {
    let isCancelled = false
    const source = new ReadableStream({
      pull: controller => controller.enqueue(chunk),
      cancel: () => {
        isCancelled = true
      },
    })
    const error = await Array.fromAsync(segments(source)).catch(String)
    return [isCancelled, error]
  }
  const expected = "TypeError: expected text or { content, reasoning, tool_calls }, got"

  test("with a word of what it was, and its source is let go", async () => {
    const readers = ": try fromOpenAI or fromChunks"
    for (const [chunk, got] of [
      [new Uint8Array(3), "bytes (a TextDecoderStream makes text)"],
      [{ choices: [{ delta: { content: "x" } }] }, `an object with choices${readers}`],
      [{ type: "content_block_delta", index: 0 }, `an object with type, index${readers}`],
      [{ reasoning_content: "x" }, `an object with reasoning_content${readers}`],
      [7, "7"],
      [null, "null"],
      [["x"], `an object with 0${readers}`],
    ] as const) {
      expect(await read(chunk)).toEqual([true, `${expected} ${got}`])
    }
    const call = { tool_calls: [{ id: "1", function: { name: "f", arguments: "{}" } }] }
    expect(await read(call)).toEqual([
      true,
      "TypeError: expected { index, call_id, name, arguments_delta } in tool_calls, got an object with id, function" +
        readers,
    ])
    expect((await read({ content: 7 }))[1]).toBe("TypeError: expected text in content, got 7")
  })
})

test("options that nobody knows are refused, and those of a parser need no ParserConfig", async () => {
  const options: SegmentOptions = JSON.parse('{"tags": {"a": "nope"}}')
  expect(() => createStreamingParser(options)).toThrow(/expected .* one of FORMATS, got "nope"/)
  expect(await Array.fromAsync(segments("", { strategyOrder: ["xmltag"] })).catch(String)).toMatch(
    /Unknown strategy 'xmltag'/,
  )
  const events = createStreamingParser({ parserName: "xml", safe: true }).feedAndFinalize("`<run_bash>ls</run_bash>`")
  expect(events.flatMap(event => event.segment_type ?? [])).toEqual([SegmentType.TEXT])
})

test("the definition of a tool is no call", async () => {
  const schema = { type: "object", properties: { city: { type: "string" } } }
  const shown = { name: "weather", description: "Tells the weather.", parameters: schema }
  for (const text of [
    shown,
    { tools: [{ type: "function", function: shown }] },
    { name: "weather", parameters: schema },
    { name: "weather", parameters: { type: "object" } },
  ]) {
    expect((await read(`\`\`\`json\n${JSON.stringify(text)}\n\`\`\`\n`, { parserName: "json" })).calls).toEqual([])
  }
  const call = { name: "define", arguments: { ...schema, description: "x" } }
  expect((await read(JSON.stringify(call), { parserName: "json" })).calls).toEqual([["define", call.arguments]])
  const spawn = { name: "spawn", tools: [{ name: "rm", arguments: {} }], arguments: { a: 1 } }
  expect((await read(JSON.stringify(spawn), { parserName: "json" })).calls).toEqual([["spawn", { a: 1 }]])
})

describe("reasoning", () => {
  test("whose opening tag the prompt has written begins with the first character", async () => {
    const options = { tags: { ...think, ...hermes }, startIn: "think" }
    const after = [["text", "\n\nSo."]]
    expect((await read("Hm.</think>\n\nSo.", options)).segments).toEqual([["reasoning", "Hm."], ...after])
    expect((await read("\n<think>Hm.</think>\n\nSo.", options)).segments).toEqual([
      ["text", "\n"],
      ["reasoning", "Hm."],
      ...after,
    ])
    const { segments: solar } = await read("Hm.<|think:end|>So.", { tags: TAG_PROFILES.solar, startIn: "solarThought" })
    expect(solar).toEqual([
      ["reasoning", "Hm."],
      ["text", "So."],
    ])
    expect((await read("<b>Hm.", options)).segments).toEqual([["reasoning", "<b>Hm."]])
    expect(() => createStreamingParser({ startIn: "thin", tags: think })).toThrow(
      /expected startIn to be reasoning among the tags/,
    )
  })

  test("whose opening tag is lost is marked as such by its closing tag", async () => {
    const { segments: found, all } = await read("Hm.\n</think>\n\nSo, not </think>.", { tags: think })
    expect(found).toEqual([
      ["text", "Hm.\n"],
      ["text", "\n\nSo, not </think>."],
    ])
    expect(all.map(({ metadata }) => metadata)).toEqual([{ reasoning: true }, {}])
  })

  test("does not begin where prose speaks of its tag", async () => {
    const text = "It thinks in <think> tags. Then it answers."
    expect((await read(text, { tags: think })).segments).toEqual([["text", text]])
    expect(
      (await read("So:\n<think>a</think> <think>b</think>", { tags: think })).segments.map(([type]) => type),
    ).toEqual(["text", "reasoning", "text", "reasoning"])
  })
})

test("Hermes and Qwen Coder combine in either order: a tag around JSON may hold tags", async () => {
  const coder = "<tool_call>\n<function=weather>\n<parameter=city>\nParis\n</parameter>\n</function>\n</tool_call>"
  const text = `<tool_call>\n${paris}\n</tool_call>\n${coder}`
  for (const tags of [
    { ...hermes, ...qwenCoder },
    { ...qwenCoder, ...hermes },
  ]) {
    expect((await read(text, { tags })).calls).toEqual([...made, ...made])
  }
  expect((await read(text, { tags: { ...hermes, ...qwenCoder }, parserName: "api_tool_call" })).calls).toEqual([])
})

test("a call whose closing tag the server took as the end is made where that is told, if its JSON is whole", async () => {
  for (const [text, calls] of [
    [`<tool_call>${paris}`, made],
    [`<tool_call>${paris.slice(0, -1)}`, []],
    ["<tool_call>", []],
  ] as const) {
    expect((await read(text, { tags: hermes, endCloses: true })).calls).toEqual([...calls])
    expect((await read(text, { tags: hermes })).calls).toEqual([])
  }
})

test("JSON in a fence within the tag of a call is its JSON", async () => {
  expect((await read(`<tool_call>\n\`\`\`json\n${paris}\n\`\`\`\n</tool_call>`, { tags: hermes })).calls).toEqual(made)
})

test("a named call's JSON is its arguments, unless it is a call of that name", async () => {
  const llama = async (args: object) =>
    (await read(`<function=f>${JSON.stringify(args)}</function>`, { tags: TAG_PROFILES.llama })).calls
  expect(await llama({ name: "f", arguments: { a: 1 } })).toEqual([["f", { a: 1 }]])
  for (const args of [
    { name: "x", arguments: {} },
    { a: 1, name: "f", arguments: {} },
  ]) {
    expect(await llama(args)).toEqual([["f", args]])
  }
})

test("<tool name=run_bash> takes its options in the tag too", async () => {
  const text = '<tool name="run_bash" background="true" timeout_seconds="30"><arg name="command">npm start</arg></tool>'
  expect((await read(text, { tags: TAG_PROFILES.autobyteus })).calls).toEqual([
    ["run_bash", { command: "npm start", background: true, timeout_seconds: 30 }],
  ])
})

describe("with the tools' schemas arguments in tags get their types", () => {
  const types = {
    text: { type: "string" },
    count: { type: "integer" },
    ratio: { anyOf: [{ type: "number" }, { type: "null" }] },
    on: { type: ["boolean", "null"] },
    list: { type: "array" },
    filter: { $ref: "#/$defs/Filter" },
    mode: { enum: ["1", "2"] },
    either: { oneOf: [{ type: "string" }, { type: "integer" }] },
    maybe: { anyOf: [{ type: "string" }, { const: null }] },
  }
  const schema = { type: "object", properties: types, $defs: { Filter: { type: "object" } } }
  const args = (values: object) =>
    claudeCall(Object.entries(values).map(([name, value]) => `<parameter name="${name}">${value}</parameter>`))
  const claudeCall = (written: readonly string[]) => `<invoke name="f">${written.join("\n")}</invoke>`

  test("in every way that providers' lists of tools are written", async () => {
    const text = args({
      text: "5",
      count: " 5 ",
      ratio: "None",
      on: "True",
      list: '["a"]',
      filter: '{"b":1}',
      mode: "1",
      either: "7",
      other: "8",
    })
    const typed = {
      text: "5",
      count: 5,
      ratio: null,
      on: true,
      list: ["a"],
      filter: { b: 1 },
      mode: "1",
      either: 7,
      other: "8",
    }
    for (const tool of [
      { type: "function", function: { name: "f", parameters: schema } },
      { name: "f", input_schema: schema },
      { type: "function", name: "f", inputSchema: schema },
    ]) {
      expect((await read(text, { tags: claude, tools: [tool] })).calls).toEqual([["f", typed]])
    }
  })

  test("beside text only JSON is of another type, and null is a value of any type but text", async () => {
    const text = args({ text: "null", count: "null", ratio: ".5", either: "007", maybe: "None", list: "null" })
    const typed = { text: "null", count: null, ratio: 0.5, either: "007", maybe: "None", list: null }
    const tools = [{ name: "f", parameters: schema }]
    expect((await read(text, { tags: claude, tools })).calls).toEqual([["f", typed]])
    const both = (await read(args({ maybe: "null", either: "8" }), { tags: claude, tools })).calls
    expect(both).toEqual([["f", { maybe: null, either: 8 }]])
  })

  test("a value of another type stays text, and what streams joins to the call", async () => {
    const told: unknown[] = []
    const tools = [{ name: "f", parameters: schema }]
    const handler = new ParsingStreamingResponseHandler({
      parserName: "xml",
      config: createStreamingParser({ parserName: "xml", tags: claude }).config,
      tools,
      onArgument: ({ argument, delta, isJson }) => told.push([argument, delta, isJson]),
    })
    handler.feed(args({ count: "five", ratio: "0.5" }))
    handler.finalize()
    expect(handler.getAllInvocations().map(call => call.arguments)).toEqual([{ count: "five", ratio: 0.5 }])
    expect(told).toEqual([
      ["count", "five", false],
      ["ratio", "0.5", true],
    ])
  })
})
