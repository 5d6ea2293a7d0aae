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

const { think, hermes, claude } = TAG_PROFILES
test("the source of a chunk that nobody can read is let go", async () => {
  let isCancelled = false
  const source = new ReadableStream({
    pull: controller => controller.enqueue(7),
    cancel: () => {
      isCancelled = true
    },
  })
  expect(await Array.fromAsync(segments(source)).catch(String)).toMatch(/got 7$/)
  expect(isCancelled).toBe(true)
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
