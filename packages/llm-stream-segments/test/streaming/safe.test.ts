// Tests the safe profile: examples in Markdown code are text, and nothing half-written is run.
import { describe, expect, test } from "bun:test"
import { ParserConfig, ParsingStreamingResponseHandler, segments } from "../../src/streaming/index.ts"
import { cut, readOf } from "./parsing.ts"

const plain = (content: string) => ({ type: "text", metadata: {}, content })
const ran = (content: string) => ({ type: "run_bash", metadata: {}, content })
const cutOff = { end: { complete: false } }

function handled(text: string, size: number, parserName = "xml", safe = true) {
  const handler = new ParsingStreamingResponseHandler({ parserName, config: new ParserConfig({ safe }) })
  for (const chunk of cut(text, size)) handler.feed(chunk)
  handler.finalize()
  return handler
}

/** Expects this reading of the text, in every chunk size. */
function each(text: string, expected: unknown, parserName = "xml"): void {
  for (const size of [10_000, 1, 2, 3, 5, 8, 64]) {
    expect<unknown>(readOf(handled(text, size, parserName).getAllEvents())).toEqual(expected)
  }
}

describe("an example in code is not run", () => {
  test("in a code span that closes on its line", () => {
    each("Use `<run_bash>ls</run_bash>` here", [plain("Use `<run_bash>ls</run_bash>` here")])
    each("``a ` <run_bash>ls</run_bash>``.", [plain("``a ` <run_bash>ls</run_bash>``.")])
  })

  test("a lone backtick is text, and so the command after it is one, unless the stream ends in its line", () => {
    const tail = [ran("ls"), plain("\n")]
    each("it`s <run_bash>ls</run_bash>\n", [plain("it`s "), ...tail])
    each("it`s <run_bash>ls</run_bash>", [plain("it`s <run_bash>ls</run_bash>")])
    each("a `b\n`<run_bash>ls</run_bash>\n", [plain("a `b\n`"), ...tail])
    each("`` ` <run_bash>ls</run_bash>\n", [plain("`` ` "), ...tail])
    each(`\`${"x".repeat(4096)}<run_bash>ls</run_bash>\n\``, [plain(`\`${"x".repeat(4096)}`), ran("ls"), plain("\n`")])
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
    expect<unknown>(readOf(handler.getAllEvents())).toEqual([plain(`${words} `), ran("ls"), plain("\n")])
  })

  test("in a fence, until a line that ends it or the stream does", () => {
    for (const fenced of [
      "```xml\n<run_bash>ls</run_bash>\n```\n",
      "~~~ `x`\n<run_bash>ls</run_bash>\n~~~~ \n",
      "1. ```\n   <run_bash>ls</run_bash>\n   ```\n",
      "> ```\n> <run_bash>ls</run_bash>\n> ```\n",
      "````\n```\n<run_bash>ls</run_bash>\n````\n",
      "```\n- ```\n<run_bash>ls</run_bash>\n```\n",
      "```\n``` x\n<run_bash>ls</run_bash>\n```\n",
    ]) {
      each(`a\n${fenced}<run_bash>pwd</run_bash>`, [plain(`a\n${fenced}`), ran("pwd")])
    }
    each("```\n<run_bash>ls</run_bash>\n", [plain("```\n<run_bash>ls</run_bash>\n")])
    each("```\n<run_bash>ls</run_bash>\n```", [plain("```\n<run_bash>ls</run_bash>\n```")])
    each("```xml <run_bash>ls</run_bash>", [plain("```xml <run_bash>ls</run_bash>")])
  })

  test("backticks within a line begin no fence", () => {
    each("a ```\n<run_bash>ls</run_bash>", [plain("a ```\n"), ran("ls")])
    each("```a``` <run_bash>ls</run_bash>", [plain("```a``` "), ran("ls")])
    each("``` a`b\n<run_bash>ls</run_bash>", [plain("``` a`b\n"), ran("ls")])
    each("~~a~~ <run_bash>ls</run_bash>", [plain("~~a~~ "), ran("ls")])
  })

  test("after a block the line goes on, and a new one may begin a fence", () => {
    each("<run_bash>a</run_bash>```\n<run_bash>b</run_bash>", [ran("a"), plain("```\n"), ran("b")])
    each("<run_bash>a</run_bash>\n```\n<run_bash>b</run_bash>", [ran("a"), plain("\n```\n<run_bash>b</run_bash>")])
  })

  test("a sentinel in a fence is text", () => {
    const text = '```\n[[SEG_START {"type":"run_bash"}]]ls[[SEG_END]]\n```\n'
    each(text, [plain(text)], "sentinel")
  })

  test("a JSON call counts in a fence and not in a code span", () => {
    const call = '{"name":"f","arguments":{}}'
    const read = [plain("```json\n"), { type: "tool_call", metadata: {}, content: call }, plain("\n```\n")]
    each(`\`\`\`json\n${call}\n\`\`\`\n`, read, "json")
    each(`\`${call}\` and`, [plain(`\`${call}\` and`)], "json")
  })

  test("without the option all of this is read as tags", () => {
    const found = handled("`<run_bash>ls</run_bash>`", 5, "xml", false)
    expect(found.getAllInvocations().length).toBe(1)
  })
})

describe("a command or file is what was meant", () => {
  test("another opening tag starts run_bash again, and what came before is not run", () => {
    const text = "<run_bash> is for commands: <run_bash background='true'>ls</run_bash>."
    each(text, [
      { ...ran(" is for commands: "), ...cutOff },
      { type: "run_bash", metadata: { background: true }, content: "ls" },
      plain("."),
    ])
    expect(
      handled(text, 4)
        .getAllInvocations()
        .map(({ arguments: args }) => args),
    ).toEqual([{ command: "ls", background: true }])
    each("<run_bash>a <run_bashful> <b></run_bash>", [ran("a <run_bashful> <b>")])
    each("<run_bash>a <run_bash", [{ ...ran("a <run_bash"), ...cutOff }])
  })

  test("the line break after the tag of a file is dropped", () => {
    const file = (content: string) => [{ type: "write_file", metadata: { path: "/a" }, content }]
    for (const lineEnd of ["\n", "\r\n"]) {
      each(`<write_file path="/a">${lineEnd}#!/bin/sh\n</write_file>`, file("#!/bin/sh\n"))
      each(`<write_file path="/a">${lineEnd}${lineEnd}a</write_file>`, file(`${lineEnd}a`))
    }
    each('<write_file path="/a">\ra</write_file>', file("\ra"))
    each('<write_file path="/a">a\n</write_file>', file("a\n"))
    each('<write_file path="/a">\r', [{ ...file("\r")[0], ...cutOff }])
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
})
