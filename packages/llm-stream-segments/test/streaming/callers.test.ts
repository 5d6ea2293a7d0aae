// Tests what callers of AutoByteus' parser rely on, and calls that used to be lost.
import { describe, expect, test } from "bun:test"
import {
  createStreamingParser,
  EditFileContentStreamer,
  ParserConfig,
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

test("a pattern of a call in JSON may have a blank within its quotes", () => {
  const config = new ParserConfig({ jsonToolPatterns: ['{ "my tool" :'] })
  const events = createStreamingParser({ parserName: "json", config }).feedAndFinalize('{"my tool": {}}')
  expect<unknown>(readOf(events)).toEqual([{ type: "tool_call", metadata: {}, content: '{"my tool": {}}' }])
})
