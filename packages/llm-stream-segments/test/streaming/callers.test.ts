// Tests what callers of AutoByteus' parser rely on, and calls that used to be lost.
import { describe, expect, test } from "bun:test"
import {
  ApiToolCallStreamingResponseHandler,
  createStreamingParser,
  EditFileContentStreamer,
  getToolSyntaxSpec,
  ParserConfig,
  SegmentType,
  StreamingResponseHandler,
  StreamingResponseHandlerFactory,
  WriteFileContentStreamer,
} from "../../src/streaming/index.ts"
import { readOf } from "./parsing.ts"

describe("a caller's code for AutoByteus' parser works here", () => {
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
    const { path } = new WriteFileContentStreamer().feed('{"path":" "}')
    expect([edit.content, edit.path, path]).toEqual(["@@", "/b", undefined])
  })
})

test("a whole native object without content writes an empty file; a cut one writes nothing", () => {
  const calls = (arguments_delta: string): unknown => {
    const handler = new ApiToolCallStreamingResponseHandler()
    handler.feed({ tool_calls: [{ index: 0, call_id: "a", name: "write_file", arguments_delta }] })
    handler.finalize()
    return handler.getAllInvocations()
  }
  expect(calls('{"path": "/a"}')).toEqual([{ id: "a", name: "write_file", arguments: { path: "/a", content: "" } }])
  expect(calls('{"path": "/a"')).toEqual([])
})

test("a pattern of a call in JSON may have a blank within its quotes", () => {
  const config = new ParserConfig({ jsonToolPatterns: ['{ "my tool" :'] })
  const events = createStreamingParser({ parserName: "json", config }).feedAndFinalize('{"my tool": {}}')
  expect<unknown>(readOf(events)).toEqual([{ type: "tool_call", metadata: {}, content: '{"my tool": {}}' }])
})
