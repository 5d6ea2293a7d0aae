// Tests what callers of AutoByteus' parser rely on, and calls that used to be lost.
import { describe, expect, test } from "bun:test"
import {
  ApiToolCallStreamingResponseHandler,
  createStreamingParser,
  EditFileContentStreamer,
  getToolSyntaxSpec,
  LLMProvider,
  ParserConfig,
  SegmentEvent,
  SegmentType,
  StreamingResponseHandler,
  StreamingResponseHandlerFactory,
  type ToolCallDelta,
  ToolInvocationAdapter,
  WriteFileContentStreamer,
} from "../../src/streaming/index.ts"
import { readOf } from "./parsing.ts"

describe("a caller's code for AutoByteus' parser works here", () => {
  test("without an override, the static parser name is the provider's", () => {
    const named = (provider: LLMProvider | null) =>
      StreamingResponseHandlerFactory.resolveParserName({ formatOverride: null, provider })
    expect(named(LLMProvider.ANTHROPIC)).toBe("xml")
    expect(named(LLMProvider.OPENAI)).toBe("json")
    expect(named(LLMProvider.GEMINI)).toBe("json")
    expect(named(null)).toBe("json")
  })

  test("the factory is a class, so it can be extended", () => {
    class Own extends StreamingResponseHandlerFactory {}
    expect(Own.create().handler).toBeInstanceOf(StreamingResponseHandler)
    expect(Own.resolveParserName({ formatOverride: "sentinel" })).toBe("sentinel")
  })

  test("timeoutSeconds and cmd stand for timeout_seconds and command, and only valid options are passed on", () => {
    const args = (metadata: object, content: string) =>
      getToolSyntaxSpec(SegmentType.RUN_BASH)?.buildArguments({ ...metadata }, content)
    expect(args({ timeoutSeconds: 12 }, "ls")).toEqual({ command: "ls", timeout_seconds: 12 })
    expect(args({ cmd: "whoami" }, " ")).toEqual({ command: "whoami" })
    expect(args({ command: "pwd", cmd: "whoami" }, "")).toEqual({ command: "pwd" })
    expect(args({ timeout_seconds: "7", background: "true" }, "ls")).toEqual({
      command: "ls",
      timeout_seconds: 7,
      background: true,
    })
    expect(args({ timeout_seconds: -5, background: { toString: 1 } }, "ls")).toEqual({ command: "ls" })
  })

  test("a streamer gives the whole content in the feed that completes it", () => {
    const write = new WriteFileContentStreamer()
    expect(write.feed('{"path":"/a","content":"x').contentComplete).toBeUndefined()
    expect(write.feed('\\ny"}')).toEqual({ contentDelta: "\ny", path: "/a", contentComplete: "x\ny" })
    const edit = new EditFileContentStreamer()
    expect(edit.feed('{"patch":"@@').contentComplete).toBeUndefined()
    expect(edit.feed('","path":"/b"}').contentComplete).toBe("@@")
    expect([edit.content, edit.path]).toEqual(["@@", "/b"])
  })
})

describe("native calls", () => {
  function run(...deltas: readonly ToolCallDelta[]) {
    const handler = new ApiToolCallStreamingResponseHandler()
    for (const delta of deltas) handler.feed({ tool_calls: [delta] })
    handler.finalize()
    return handler
  }

  test("a whole object without content writes an empty file; a cut one writes nothing", () => {
    const written = run({ index: 0, call_id: "a", name: "write_file", arguments_delta: '{"path": "/a"}' })
    expect<unknown>(written.getAllInvocations()).toEqual([
      { id: "a", name: "write_file", arguments: { path: "/a", content: "" } },
    ])
    expect(run({ index: 0, name: "write_file", arguments_delta: '{"path": "/a"' }).getAllInvocations()).toEqual([])
  })

  test("another id at the same index, or without one, begins another call", () => {
    for (const index of [0, undefined]) {
      const handler = run(
        { index, call_id: "a", name: "f", arguments_delta: '{"x":1}' },
        { index, call_id: "b", name: "g", arguments_delta: '{"y":' },
        { index, call_id: "b", arguments_delta: "2}" },
      )
      expect<unknown>(handler.getAllInvocations()).toEqual([
        { id: "a", name: "f", arguments: { x: 1 } },
        { id: "b", name: "g", arguments: { y: 2 } },
      ])
    }
  })
})

describe("calls in JSON", () => {
  test("every call of a list is made, with ids of its own", () => {
    const adapter = new ToolInvocationAdapter()
    const list = '[{"name":"f","arguments":{}},{"name":"g","arguments":{"a":1}},{"name":"Ada"}]'
    const events = createStreamingParser({ parserName: "json" }).feedAndFinalize(list)
    expect<unknown>(adapter.processEvents(events)).toEqual([
      { id: "seg_1", name: "f", arguments: {} },
      { id: "seg_1.2", name: "g", arguments: { a: 1 } },
    ])
  })

  test("one event at a time gives the first call", () => {
    const adapter = new ToolInvocationAdapter()
    adapter.processEvent(SegmentEvent.start("s", SegmentType.TOOL_CALL))
    adapter.processEvent(SegmentEvent.content("s", '[{"name":"f","arguments":{}},{"name":"g","arguments":{}}]'))
    expect(adapter.processEvent(SegmentEvent.end("s"))?.name).toBe("f")
  })

  test("a pattern may have a blank within its quotes", () => {
    const config = new ParserConfig({ jsonToolPatterns: ['{ "my tool" :'] })
    const events = createStreamingParser({ parserName: "json", config }).feedAndFinalize('{"my tool": {}}')
    expect<unknown>(readOf(events)).toEqual([{ type: "tool_call", metadata: {}, content: '{"my tool": {}}' }])
  })
})
