// Tests the handlers on complete responses: text, reasoning, native tool calls, callbacks, end and abort.
import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import type { SegmentEvent, ToolInvocation } from "../../src/streaming/index.ts"
import {
  ApiToolCallStreamingResponseHandler,
  ChunkResponse,
  ENV_PARSER_NAME,
  LLMProvider,
  ParserConfig,
  ParsingStreamingResponseHandler,
  PassThroughStreamingResponseHandler,
  SegmentEventType,
  SegmentType,
  StreamingHandlerResult,
  StreamingResponseHandler,
  StreamingResponseHandlerFactory,
  ToolSchemaProvider,
} from "../../src/streaming/index.ts"
import { cut, readOf } from "./parsing.ts"

const before = process.env[ENV_PARSER_NAME]
beforeEach(() => {
  delete process.env[ENV_PARSER_NAME]
})
afterEach(() => {
  if (before === undefined) delete process.env[ENV_PARSER_NAME]
  else process.env[ENV_PARSER_NAME] = before
})

const content = (text: string) => new ChunkResponse({ content: text })
const reasoning = (text: string) => new ChunkResponse({ reasoning: text })
const call = (index: number, delta: object) => new ChunkResponse({ tool_calls: [{ index, ...delta }] })
const dicts = (events: readonly SegmentEvent[]) => events.map(event => event.toDict())

describe("StreamingResponseHandler", () => {
  test("reads a file that spans two chunks", () => {
    delete process.env[ENV_PARSER_NAME]
    const handler = new StreamingResponseHandler()
    expect<unknown>(dicts(handler.feed(content("Hello <write_file path='/a.ts'>")))).toEqual([
      { type: "SEGMENT_START", segment_id: "seg_1", segment_type: "text", payload: { metadata: {} } },
      { type: "SEGMENT_CONTENT", segment_id: "seg_1", payload: { delta: "Hello " } },
      { type: "SEGMENT_END", segment_id: "seg_1", payload: {} },
      {
        type: "SEGMENT_START",
        segment_id: "seg_2",
        segment_type: "write_file",
        payload: { metadata: { path: "/a.ts" } },
      },
    ])
    expect<unknown>(dicts(handler.feed(content("print('hi')</write_file>")))).toEqual([
      { type: "SEGMENT_CONTENT", segment_id: "seg_2", payload: { delta: "print('hi')" } },
      { type: "SEGMENT_END", segment_id: "seg_2", payload: {} },
    ])
    expect(handler.finalize()).toEqual([])
    expect(handler.getAllInvocations()).toEqual([
      { id: "seg_2", name: "write_file", arguments: { path: "/a.ts", content: "print('hi')" } },
    ])
  })
  test("uses the environment's parser if created directly", () => {
    process.env[ENV_PARSER_NAME] = "json"
    expect(readOf(new StreamingResponseHandler().feed('{"name":"f"}')).map(({ type }) => type)).toEqual(["tool_call"])
    process.env[ENV_PARSER_NAME] = "api_tool_call"
    expect(readOf(new StreamingResponseHandler().feed("<run_bash>")).map(({ type }) => type)).toEqual(["text"])
    process.env[ENV_PARSER_NAME] = "nonsense"
    expect(() => new StreamingResponseHandler()).toThrow(/Unknown parser strategy/i)
  })
  test("is the base class of every handler", () => {
    for (const handler of [
      new ParsingStreamingResponseHandler(),
      new PassThroughStreamingResponseHandler(),
      new ApiToolCallStreamingResponseHandler(),
    ]) {
      expect(handler).toBeInstanceOf(StreamingResponseHandler)
    }
  })
})

describe("ParsingStreamingResponseHandler", () => {
  test("notifies of every event and invocation, and survives listeners that throw", () => {
    const events: SegmentEvent[] = []
    const invocations: ToolInvocation[] = []
    const handler = new ParsingStreamingResponseHandler({
      parserName: "xml",
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
    expect(invocations).toEqual([{ id: "seg_2", name: "run_bash", arguments: { command: "ls" } }])
    expect(handler.getAllInvocations()).toEqual(invocations)
    expect(handler.parserName).toBe("xml")
  })
  test("accepts a string or a partial plain object as a chunk", () => {
    const handler = new ParsingStreamingResponseHandler()
    for (const chunk of ["a", { content: "b" }, {}, { content: null, reasoning: null, tool_calls: null }])
      handler.feed(chunk)
    handler.finalize()
    expect(readOf(handler.getAllEvents())).toEqual([{ type: "text", metadata: {}, content: "ab" }])
  })
  test("ignores native tool calls", () => {
    const handler = new ParsingStreamingResponseHandler()
    expect(handler.feed(call(0, { call_id: "c", name: "f", arguments_delta: "{}" }))).toEqual([])
    handler.finalize()
    expect(handler.getAllInvocations()).toEqual([])
  })
  test("ends once and then refuses chunks", () => {
    const handler = new ParsingStreamingResponseHandler()
    handler.feed("a")
    expect(handler.finalize()).toHaveLength(1)
    expect(handler.finalize()).toEqual([])
    expect(handler.abort()).toEqual([])
    expect(() => handler.feed("b")).toThrow(/Cannot feed/)
  })
  test("restarts ids at 1 after a reset, and drops the last response", () => {
    const handler = new ParsingStreamingResponseHandler({ config: new ParserConfig({ segmentIdPrefix: "t:" }) })
    handler.feed("a<run_bash>b")
    handler.reset()
    expect(handler.getAllEvents()).toEqual([])
    expect(handler.feed("</run_bash>")[0]?.segment_id).toBe("t:seg_1")
  })
  test("streams reasoning as a separate segment that ends when other content follows", () => {
    const handler = new ParsingStreamingResponseHandler()
    for (const chunk of [
      reasoning("hm "),
      reasoning("so"),
      content("a"),
      reasoning("and"),
      content(""),
      content("b"),
    ]) {
      handler.feed(chunk)
    }
    handler.finalize()
    expect(readOf(handler.getAllEvents())).toEqual([
      { type: "reasoning", metadata: {}, content: "hm so" },
      { type: "text", metadata: {}, content: "ab" },
      { type: "reasoning", metadata: {}, content: "and" },
    ])
    expect(handler.getAllInvocations()).toEqual([])
  })
  test("ends open segments as incomplete on abort, and invokes nothing", () => {
    const handler = new ParsingStreamingResponseHandler()
    handler.feed("a<run_bash>rm")
    handler.feed(reasoning("hm"))
    const ends = handler.abort().filter(({ event_type }) => event_type === "SEGMENT_END")
    expect(ends.map(({ payload }) => payload)).toEqual([{ complete: false }, { complete: false }])
    expect(handler.getAllInvocations()).toEqual([])
    const text = new ParsingStreamingResponseHandler()
    text.feed("a")
    expect(text.abort().at(-1)?.payload).toEqual({ complete: false })
  })
  test("invokes an incomplete call with invokeTruncated", () => {
    const handler = new ParsingStreamingResponseHandler({ invokeTruncated: true })
    handler.feed("<run_bash>ls")
    handler.finalize()
    expect(handler.getAllInvocations()).toEqual([{ id: "seg_1", name: "run_bash", arguments: { command: "ls" } }])
  })
})

describe("PassThroughStreamingResponseHandler", () => {
  test("starts its one segment at the first feed", () => {
    const handler = new PassThroughStreamingResponseHandler({ segmentIdPrefix: "p:" })
    expect<string[]>(handler.feed("<run_bash>").map(({ event_type }) => event_type)).toEqual([
      "SEGMENT_START",
      "SEGMENT_CONTENT",
    ])
    expect(handler.feed("ls😀".slice(0, -1)).map(({ payload }) => payload.delta)).toEqual(["ls"])
    expect(handler.feed("\ude00").map(({ payload }) => payload.delta)).toEqual(["😀"])
    expect(handler.feed("")).toEqual([])
    expect<unknown>(dicts(handler.finalize())).toEqual([{ type: "SEGMENT_END", segment_id: "p:text_0", payload: {} }])
  })
  test("makes its own id without a prefix", () => {
    const ids = [1, 2].map(() => new PassThroughStreamingResponseHandler().feed("a")[0]?.segment_id)
    expect(ids[0]).toMatch(/^pt_[0-9a-f]+:text_0$/)
    expect(ids[0]).not.toBe(ids[1])
  })
  test("starts another segment after a reset", () => {
    const handler = new PassThroughStreamingResponseHandler({ segmentIdPrefix: "p:" })
    handler.reset()
    expect(handler.feed("a")[0]?.segment_id).toMatch(/^p:text_[0-9a-f]{32}$/)
  })
})

describe("ApiToolCallStreamingResponseHandler", () => {
  const args = JSON.stringify({ path: "/a.ts", content: 'const é = "😀"\n' })

  test("starts write_file at its path, streams decoded content, and invokes it with the call's id", () => {
    for (const size of [1, 3, 1000]) {
      const handler = new ApiToolCallStreamingResponseHandler()
      handler.feed(content("Writing <run_bash>"))
      handler.feed(call(0, { call_id: "c1", name: "write_file" }))
      for (const piece of cut(args, size)) handler.feed(call(0, { arguments_delta: piece }))
      handler.finalize()
      expect(readOf(handler.getAllEvents())).toEqual([
        { type: "text", metadata: {}, content: "Writing <run_bash>" },
        { type: "write_file", metadata: { path: "/a.ts" }, content: 'const é = "😀"\n' },
      ])
      expect(handler.getAllInvocations()).toEqual([
        { id: "c1", name: "write_file", arguments: { path: "/a.ts", content: 'const é = "😀"\n' } },
      ])
    }
  })
  test("streams the patch of edit_file even if the path comes last", () => {
    const handler = new ApiToolCallStreamingResponseHandler()
    handler.feed(call(0, { call_id: "c", name: "edit_file", arguments_delta: '{"patch":"@@' }))
    expect(handler.getAllEvents()).toEqual([])
    handler.feed(call(0, { arguments_delta: '\\n+x","path":"/a"}' }))
    handler.finalize()
    expect(readOf(handler.getAllEvents())).toEqual([{ type: "edit_file", metadata: { path: "/a" }, content: "@@\n+x" }])
    expect(handler.getAllInvocations()[0]?.arguments).toEqual({ path: "/a", patch: "@@\n+x" })
  })
  test("streams other tools' raw arguments, and repeats them parsed in the END", () => {
    const handler = new ApiToolCallStreamingResponseHandler()
    handler.feed(call(1, { call_id: "b", name: "run_bash", arguments_delta: '{"command":' }))
    handler.feed(call(0, { call_id: "a", name: "list" }))
    handler.feed(call(1, { arguments_delta: '"ls"}' }))
    handler.finalize()
    const ends = handler.getAllEvents().filter(({ event_type }) => event_type === SegmentEventType.END)
    expect<unknown>(ends.map(({ segment_id, payload }) => [segment_id, payload])).toEqual([
      ["b", { metadata: { tool_name: "run_bash", arguments: { command: "ls" } } }],
      ["a", { metadata: { tool_name: "list", arguments: {} } }],
    ])
    expect(readOf(handler.getAllEvents()).map(({ type, metadata, content: raw }) => [type, metadata, raw])).toEqual([
      ["tool_call", { tool_name: "run_bash" }, '{"command":"ls"}'],
      ["tool_call", { tool_name: "list" }, ""],
    ])
    expect(handler.getAllInvocations()).toEqual([
      { id: "b", name: "run_bash", arguments: { command: "ls" } },
      { id: "a", name: "list", arguments: {} },
    ])
  })
  test("ends text when a call begins, and a complete call when text or a call does", () => {
    const handler = new ApiToolCallStreamingResponseHandler()
    const told = (events: readonly SegmentEvent[]) =>
      events.map(({ event_type, segment_id }) => `${event_type.slice("SEGMENT_".length)} ${segment_id}`)
    expect(told(handler.feed(content("First a.")))).toEqual(["START text_0", "CONTENT text_0"])
    const first = handler.feed(call(0, { call_id: "a", name: "f", arguments_delta: '{"x":1}' }))
    expect(told(first)).toEqual(["END text_0", "START a", "CONTENT a"])
    const second = handler.feed(call(1, { call_id: "b", name: "g", arguments_delta: "{}" }))
    expect(told(second)).toEqual(["END a", "START b", "CONTENT b"])
    expect(handler.getAllInvocations()).toEqual([{ id: "a", name: "f", arguments: { x: 1 } }])
    expect(handler.feed(call(0, { call_id: "a", arguments_delta: "" }))).toEqual([])
    expect(told(handler.feed(content("Then b.")))).toEqual(["END b", "START text_1", "CONTENT text_1"])
    expect(told(handler.finalize())).toEqual(["END text_1"])
    expect(handler.getAllInvocations().map(({ id }) => id)).toEqual(["a", "b"])
  })
  test("keeps calls apart that stream at the same time, and ends each once its arguments are complete", () => {
    const handler = new ApiToolCallStreamingResponseHandler()
    handler.feed(call(0, { call_id: "a", name: "f" }))
    handler.feed(call(1, { call_id: "b", name: "g", arguments_delta: '{"y":' }))
    expect(handler.feed(call(0, { arguments_delta: '{"x":1}' })).at(-1)?.event_type).toBe(SegmentEventType.END)
    handler.feed(call(1, { arguments_delta: "2}" }))
    handler.finalize()
    expect(handler.getAllInvocations()).toEqual([
      { id: "a", name: "f", arguments: { x: 1 } },
      { id: "b", name: "g", arguments: { y: 2 } },
    ])
  })
  test("takes a name as a new call where calls have no index", () => {
    const handler = new ApiToolCallStreamingResponseHandler()
    for (const name of ["f", "g"]) handler.feed(new ChunkResponse({ tool_calls: [{ name, arguments_delta: "{}" }] }))
    handler.finalize()
    expect(handler.getAllInvocations().map(({ name }) => name)).toEqual(["f", "g"])
  })
  test("holds arguments that come before the name", () => {
    const handler = new ApiToolCallStreamingResponseHandler()
    handler.feed(call(0, { call_id: "c", arguments_delta: '{"path":"/a",' }))
    handler.feed(call(0, { name: "write_file", arguments_delta: '"content":"x"}' }))
    handler.finalize()
    expect(readOf(handler.getAllEvents())).toEqual([{ type: "write_file", metadata: { path: "/a" }, content: "x" }])
  })
  test("shows but does not invoke a call without a name or with incomplete arguments", () => {
    const handler = new ApiToolCallStreamingResponseHandler()
    handler.feed(call(0, { call_id: "c", arguments_delta: '{"a":1}' }))
    handler.feed(call(1, { call_id: "d", name: "f", arguments_delta: '{"a":' }))
    handler.feed(call(2, { call_id: "e", name: "write_file", arguments_delta: '{"content":"x"}' }))
    const cutOff = handler.finalize().filter(({ payload }) => payload.complete === false)
    expect(cutOff.map(({ segment_id }) => segment_id)).toEqual(["c", "d", "e"])
    expect(handler.getAllInvocations()).toEqual([])
  })
  test("gives a call a new id if its id is missing or taken", () => {
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
  test("invokes nothing on abort, not even complete calls", () => {
    const handler = new ApiToolCallStreamingResponseHandler()
    handler.feed(call(0, { call_id: "c", name: "f", arguments_delta: "{}" }))
    expect(handler.abort().at(-1)?.payload.complete).toBe(false)
    expect(handler.getAllInvocations()).toEqual([])
  })
  test("keeps reasoning, text and calls in the order they started", () => {
    const handler = new ApiToolCallStreamingResponseHandler()
    handler.feed(reasoning("hm"))
    handler.feed(content("so"))
    handler.feed(call(0, { call_id: "c", name: "f" }))
    handler.finalize()
    expect(readOf(handler.getAllEvents()).map(({ type }) => type)).toEqual(["reasoning", "text", "tool_call"])
  })
})

describe("StreamingResponseHandlerFactory", () => {
  const make = (options: object = {}) =>
    StreamingResponseHandlerFactory.create({ toolNames: ["write_file"], provider: LLMProvider.OPENAI, ...options })

  test("uses native tool calls with schemas by default", () => {
    delete process.env[ENV_PARSER_NAME]
    const result = make()
    expect(result).toBeInstanceOf(StreamingHandlerResult)
    expect(result.handler).toBeInstanceOf(ApiToolCallStreamingResponseHandler)
    expect(result.toolSchemas).toEqual(new ToolSchemaProvider().buildSchema(["write_file"], LLMProvider.OPENAI))
    expect(make({ provider: LLMProvider.ANTHROPIC }).toolSchemas?.[0]).toHaveProperty("input_schema")
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
    openai.feed('{"name": "no"}{"function": {"name": "f", "arguments": "{\\"a\\": 1}"}}')
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
  test("prefers the override to the environment, and refuses an unknown name", () => {
    process.env[ENV_PARSER_NAME] = "xml"
    expect(StreamingResponseHandlerFactory.resolveParserName({ formatOverride: "sentinel" })).toBe("sentinel")
    expect(StreamingResponseHandlerFactory.resolveParserName()).toBe("xml")
    process.env[ENV_PARSER_NAME] = "nonsense"
    expect(() => make()).toThrow(/Unknown parser strategy/i)
  })
})

test("SegmentType has AutoByteus' seven kinds", () => {
  expect<string[]>(Object.values(SegmentType).sort()).toEqual([
    "edit_file",
    "media",
    "reasoning",
    "run_bash",
    "text",
    "tool_call",
    "write_file",
  ])
})

test("of a chunk with both, the reasoning comes before the text", () => {
  const handler = new ApiToolCallStreamingResponseHandler()
  const events = handler.feed(new ChunkResponse({ content: "So: 4", reasoning: "2 and 2" }))
  const deltas = dicts(events).flatMap(({ type, payload }) => (type === "SEGMENT_CONTENT" ? [payload] : []))
  expect<unknown>(deltas).toEqual([{ delta: "2 and 2" }, { delta: "So: 4" }])
})
