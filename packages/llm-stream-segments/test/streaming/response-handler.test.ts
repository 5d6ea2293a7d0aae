// Tests the handlers on complete responses: text, reasoning, native tool calls, callbacks, end and abort.
import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import type { ArgumentDelta, SegmentEvent, ToolInvocation } from "../../src/streaming/index.ts"
import {
  ApiToolCallStreamingResponseHandler,
  ChunkResponse,
  ENV_PARSER_NAME,
  LLMProvider,
  ParserConfig,
  ParsingStreamingResponseHandler,
  PassThroughStreamingResponseHandler,
  StreamingHandlerResult,
  StreamingResponseHandler,
  StreamingResponseHandlerFactory,
  TAG_PROFILES,
  ToolSchemaProvider,
} from "../../src/streaming/index.ts"
import { readOf } from "./parsing.ts"

const before = process.env[ENV_PARSER_NAME]
beforeEach(() => {
  delete process.env[ENV_PARSER_NAME]
})
afterEach(() => {
  if (before === undefined) delete process.env[ENV_PARSER_NAME]
  else process.env[ENV_PARSER_NAME] = before
})

const call = (index: number, delta: object) => new ChunkResponse({ tool_calls: [{ index, ...delta }] })
describe("StreamingResponseHandler", () => {
  test("uses the environment's parser if created directly", () => {
    process.env[ENV_PARSER_NAME] = "json"
    expect(readOf(new StreamingResponseHandler().feed('{"name":"f"}')).map(({ type }) => type)).toEqual(["tool_call"])
    for (const parserName of [undefined, " API_Tool_Call"]) {
      process.env[ENV_PARSER_NAME] = parserName === undefined ? "API_tool_call" : "json"
      const native = new StreamingResponseHandler({ parserName })
      const types = readOf(native.feed({ content: "<run_bash>", tool_calls: [{ name: "f" }] })).map(({ type }) => type)
      expect<string[]>(types).toEqual(["text", "tool_call"])
    }
    const tags = { ...TAG_PROFILES.think, ...TAG_PROFILES.hermes }
    const tagged = new StreamingResponseHandler({ parserName: "api_tool_call", config: new ParserConfig({ tags }) })
    const events = tagged.feed("<think>a</think><run_bash>b</run_bash><tool_call>{}</tool_call>")
    expect(readOf(events).map(({ type }) => type)).toEqual(["reasoning", "text"])
    process.env[ENV_PARSER_NAME] = " Xml"
    expect(new ParsingStreamingResponseHandler().parserName).toBe("xml")
    process.env[ENV_PARSER_NAME] = " "
    expect(readOf(new StreamingResponseHandler().feed("<run_bash>")).map(({ type }) => type)).toEqual(["run_bash"])
    process.env[ENV_PARSER_NAME] = "nonsense"
    expect(() => new StreamingResponseHandler()).toThrow(/Unknown parser strategy/i)
  })
})

describe("ParsingStreamingResponseHandler", () => {
  test("notifies of every event and invocation, and survives listeners that throw", () => {
    const events: SegmentEvent[] = []
    const invocations: ToolInvocation[] = []
    const handler = new ParsingStreamingResponseHandler({
      parserName: "xml",
      segmentIdPrefix: "n:",
      onSegmentEvent(event) {
        events.push(event)
        throw new Error("a listener's fault")
      },
      onToolInvocation(invocation) {
        invocations.push(invocation)
        throw new Error("a listener's fault")
      },
    })
    handler.feed("a<run_bash>ls</run_bash>")
    handler.finalize()
    expect(events).toEqual(handler.getAllEvents())
    expect(invocations).toEqual([{ id: "n:seg_2", name: "run_bash", arguments: { command: "ls" } }])
    expect(handler.getAllInvocations()).toEqual(invocations)
    expect(handler.parserName).toBe("xml")
  })
  test("ends once and then refuses chunks", () => {
    const handler = new ParsingStreamingResponseHandler({ parserName: "sentinel" })
    handler.feed("a")
    expect(handler.parserName).toBe("sentinel")
    expect(handler.finalize()).toHaveLength(1)
    expect(handler.finalize()).toEqual([])
    expect(handler.abort()).toEqual([])
    expect(() => handler.feed("b")).toThrow(/Cannot feed/)
  })
  test("restarts ids at 1 after a reset, and drops the last response", () => {
    const handler = new ParsingStreamingResponseHandler({ config: new ParserConfig({ segmentIdPrefix: "t:" }) })
    handler.feed("a<run_bash>b</run_bash>")
    handler.finalize()
    const told = [handler.getAllEvents(), handler.getAllInvocations()]
    handler.reset()
    expect(told.map(({ length }) => length)).toEqual([6, 1])
    expect([handler.getAllEvents(), handler.getAllInvocations()]).toEqual([[], []])
    expect(handler.feed("<run_bash>rm")[0]?.segment_id).toBe("t:seg_1")
    handler.reset()
    expect([...handler.feed("</run_bash>"), ...handler.finalize()].at(-1)?.segment_id).toBe("t:seg_1")
    expect(handler.getAllInvocations()).toEqual([])
  })
})

describe("PassThroughStreamingResponseHandler", () => {
  test("makes its own id without a prefix", () => {
    const ids = [1, 2].map(() => new PassThroughStreamingResponseHandler().feed("a")[0]?.segment_id)
    expect(ids[0]).toMatch(/^pt_[0-9a-f]+:text_0$/)
    expect(ids[0]).not.toBe(ids[1])
    expect(new PassThroughStreamingResponseHandler({ segmentIdPrefix: "" }).feed("a")[0]?.segment_id).toBe("text_0")
  })
  test("starts another segment after a reset, and takes nothing from a listener to its end", () => {
    const onSegmentEvent = ({ event_type }: SegmentEvent) => event_type === "SEGMENT_END" && handler.feed("late")
    const handler = new PassThroughStreamingResponseHandler({ segmentIdPrefix: "p:", onSegmentEvent })
    handler.reset()
    expect(handler.feed("a")[0]?.segment_id).toMatch(/^p:text_[0-9a-f]{32}$/)
    handler.finalize()
    expect(handler.getAllEvents()).toHaveLength(3)
  })
})

test("ApiToolCallStreamingResponseHandler gives a call a new id if its id is missing or taken", () => {
  const handler = new ApiToolCallStreamingResponseHandler({ segmentIdPrefix: "p:" })
  for (const [index, call_id] of ["same", "same", undefined, "__proto__"].entries()) {
    handler.feed(call(index, { call_id, name: "constructor" }))
  }
  handler.finalize()
  const ids = handler.getAllInvocations().map(({ id }) => id)
  expect(new Set(ids).size).toBe(4)
  expect([ids[0], ids[3]]).toEqual(["same", "__proto__"])
  expect(ids[1]).toMatch(/^p:[0-9a-f]{32}$/)
})

describe("StreamingResponseHandlerFactory", () => {
  const make = (options: object = {}) =>
    StreamingResponseHandlerFactory.create({ toolNames: ["write_file"], provider: LLMProvider.OPENAI, ...options })

  test("is a class, so that it can be extended", () => {
    class Own extends StreamingResponseHandlerFactory {}
    expect(Own.create().handler).toBeInstanceOf(StreamingResponseHandler)
    expect(Own.resolveParserName({ formatOverride: "sentinel" })).toBe("sentinel")
  })
  test("uses native tool calls with schemas by default", () => {
    const result = make()
    expect(result).toBeInstanceOf(StreamingHandlerResult)
    expect(result.handler).toBeInstanceOf(ApiToolCallStreamingResponseHandler)
    expect(result.toolSchemas).toEqual(new ToolSchemaProvider().buildSchema(["write_file"], LLMProvider.OPENAI))
    expect(make({ provider: LLMProvider.ANTHROPIC }).toolSchemas?.[0]).toHaveProperty("input_schema")
  })
  test("hands the listeners on, and that nothing is kept", () => {
    const told: string[] = []
    const onArgument = ({ argument }: ArgumentDelta) => told.push(argument)
    const onToolInvocation = ({ name }: ToolInvocation) => told.push(name)
    const { handler } = make({ onArgument, onToolInvocation, keepEvents: false })
    handler.feed(call(0, { name: "f", arguments_delta: '{"a":"x"}' }))
    handler.finalize()
    expect([told, handler.getAllEvents()]).toEqual([["a", "f"], []])
  })
  test("passes text through without tools, and accepts null callbacks", () => {
    for (const toolNames of [[], null, undefined]) {
      const { handler, toolSchemas } = make({ toolNames, onSegmentEvent: null, onToolInvocation: null })
      expect(handler).toBeInstanceOf(PassThroughStreamingResponseHandler)
      expect(toolSchemas).toBeNull()
      handler.feed("a")
    }
  })
  test("uses the variable's parser, and the provider's JSON format", () => {
    process.env[ENV_PARSER_NAME] = " JSON "
    const gemini = make({ provider: LLMProvider.GEMINI }).handler
    gemini.feed('{"tool": 1}{"name": "f", "args": {"a": 1}, "arguments": {"b": 2}}')
    gemini.finalize()
    expect(readOf(gemini.getAllEvents()).map(({ type }) => type)).toEqual(["text", "tool_call"])
    expect(gemini.getAllInvocations()).toMatchObject([{ name: "f", arguments: { a: 1 } }])

    const openai = make().handler
    openai.feed('{"name": "no"}{"function" : {"name": "f", "arguments": "{\\"a\\": 1}"}}')
    openai.finalize()
    expect(readOf(openai.getAllEvents()).map(({ type }) => type)).toEqual(["text", "tool_call"])
    expect(openai.getAllInvocations()).toMatchObject([{ name: "f", arguments: { a: 1 } }])

    const other = make({ provider: LLMProvider.OLLAMA }).handler
    other.feed('{"tool": {"function": "f", "parameters": {"a": 1}}}')
    expect(other.getAllInvocations()).toMatchObject([{ name: "f", arguments: { a: 1 } }])
  })
  test("prefixes ids with the turn for xml and sentinel", () => {
    for (const name of ["xml", "sentinel"]) {
      process.env[ENV_PARSER_NAME] = name
      const { handler, toolSchemas } = make({ segmentIdPrefix: "turn:" })
      expect(handler).toBeInstanceOf(ParsingStreamingResponseHandler)
      expect(toolSchemas).toBeNull()
      expect(handler.feed("a")[0]?.segment_id).toBe("turn:seg_1")
    }
    expect(make().handler.feed("a")[0]?.segment_id).toMatch(/^turn_[0-9a-f]{32}:seg_1$/)
  })
  test("prefers the override to the environment, that to the provider's, and refuses an unknown name", () => {
    const named = [LLMProvider.ANTHROPIC, LLMProvider.GEMINI, null].map(provider =>
      StreamingResponseHandlerFactory.resolveParserName({ formatOverride: null, provider }),
    )
    expect(named).toEqual(["xml", "json", "json"])
    process.env[ENV_PARSER_NAME] = "xml"
    expect(StreamingResponseHandlerFactory.resolveParserName({ formatOverride: "sentinel" })).toBe("sentinel")
    expect(StreamingResponseHandlerFactory.resolveParserName()).toBe("xml")
    expect(StreamingResponseHandlerFactory.resolveParserName({ formatOverride: "" })).toBe("json")
    process.env[ENV_PARSER_NAME] = "nonsense"
    expect(() => make()).toThrow(/Unknown parser strategy/i)
  })
})
