// Tests that what is held, half-written or cut off is not run, however the stream ends; syntax-kept.test.ts keeps the texts.
import { describe, expect, test } from "bun:test"
import {
  ParserConfig,
  ParsingStreamingResponseHandler,
  type SegmentOptions,
  SegmentStream,
  segments,
  TAG_PROFILES,
  type ToolInvocation,
} from "../../src/streaming/index.ts"
import { readOf } from "./parsing.ts"

describe("a held call is not run when", () => {
  const held = 'The ` key: <tool_call>{"name":"rm","arguments":{}}</tool_call>'
  const made: ToolInvocation[] = []
  const options: SegmentOptions = { tags: TAG_PROFILES.hermes, onToolInvocation: call => made.push(call) }

  test("a person leaves the loop", async () => {
    for await (const segment of segments([held, "more"], options)) if (segment.type === "text") break
    expect(made).toEqual([])
  })

  test("the source fails", async () => {
    async function* failing() {
      yield held
      throw new Error("lost")
    }
    const all = Array.fromAsync(segments(failing(), options), one => one.whole())
    expect([await all.catch(String), made]).toEqual(["Error: lost", []])
  })

  test.each([held, held.replace("`", "``")])("the stream ends within the code span: %s", async text => {
    await Array.fromAsync(segments(text, options), one => one.whole())
    expect(made).toEqual([])
  })

  // The stream's end would close the other one.
  test.each([
    [held, false],
    [held.slice(11, -12), true],
  ])("a handler is told that the stream has failed: %s", (text, endCloses) => {
    const config = new ParserConfig({ safe: true, endCloses, tags: TAG_PROFILES.hermes })
    const handler = new ParsingStreamingResponseHandler({ config })
    handler.feed(text)
    handler.abort()
    expect(handler.getAllInvocations()).toEqual([])
  })

  test("a pipe is closed within the code span", async () => {
    const writer = new SegmentStream(options).writable.getWriter()
    void writer.write(held).catch(() => undefined)
    await writer.abort("stopped").catch(() => undefined)
    expect(made).toEqual([])
  })
})

test("after a lone backtick words are shown as they come, and only what may be a command waits", () => {
  const handler = new ParsingStreamingResponseHandler({ parserName: "xml", config: new ParserConfig({ safe: true }) })
  const shown = () => readOf(handler.getAllEvents()).reduce((sum, { content }) => sum + content.length, 0)
  const words = "it`s a long line of prose, 2 < 3, with more to come"
  for (const char of words) handler.feed(char)
  expect(shown()).toBe(words.length)
  for (const char of " <run_bash>ls</run_bash>") handler.feed(char)
  expect(shown()).toBe(words.length + 1)
  handler.feed("\n")
  handler.finalize()
  expect(readOf(handler.getAllEvents()).map(({ content }) => content)).toEqual([`${words} `, "ls", "\n"])
})

test("nothing truncated is run, even if a handler asks for it", () => {
  for (const safe of [true, false]) {
    const options = { parserName: "xml", config: new ParserConfig({ safe }), invokeTruncated: true }
    const handler = new ParsingStreamingResponseHandler(options)
    handler.feed("<run_bash>rm -rf /tmp/a")
    handler.finalize()
    expect(handler.getAllInvocations().length).toBe(safe ? 0 : 1)
  }
})

test("a native call that was cut off is not run, even if the caller asks for it", async () => {
  const chunk = { tool_calls: [{ index: 0, name: "write_file", arguments_delta: '{"path": "/a", "content": "half' }] }
  for (const safe of [true, false, undefined]) {
    const options = { parserName: "api_tool_call", invokeTruncated: true, safe } as const
    const [file] = await Array.fromAsync(segments([chunk], options))
    const { content, complete, invocations } = (await file?.whole()) ?? {}
    expect([content, complete, invocations?.length]).toEqual(["half", false, safe === false ? 1 : 0])
  }
})
