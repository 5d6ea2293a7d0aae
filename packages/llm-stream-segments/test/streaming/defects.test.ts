// Tests the parser on inputs that break a known implementation.
import { describe, expect, test } from "bun:test"
import type { ParserName } from "../../src/streaming/index.ts"
import {
  ApiToolCallStreamingResponseHandler,
  ChunkResponse,
  createStreamingParser,
  parseJsonToolCall,
  parseXmlArguments,
  ToolInvocationAdapter,
  WriteFileContentStreamer,
} from "../../src/streaming/index.ts"
import { cut, events, read } from "./parsing.ts"

const SIZES = [1, 2, 3, 4, 5, 7, 8, 16, 32, 55, 64, 10_000]

/** Expects this reading of the text, in every chunk size. */
function each(strategy: ParserName, text: string, expected: unknown): void {
  for (const size of SIZES) expect<unknown>(read(strategy, cut(text, size))).toEqual(expected)
}

function calls(strategy: ParserName, text: string): unknown[] {
  return new ToolInvocationAdapter()
    .processEvents(events(strategy, [text]))
    .map(({ name, arguments: args }) => [name, args])
}

const plain = (content: string) => ({ type: "text", metadata: {}, content })
const ran = (content: string) => ({ type: "run_bash", metadata: {}, content })

describe("D1: a stray < does not eat the next block", () => {
  test("n < 10 before a block", () => {
    each("xml", "If n < 10 then:\n<run_bash>echo hi</run_bash>", [plain("If n < 10 then:\n"), ran("echo hi")])
  })
  test("n <10, <<, and an unclosed tag before a block", () => {
    each("xml", "n <10 <run_bash>a</run_bash>", [plain("n <10 "), ran("a")])
    each("xml", "<<run_bash>a</run_bash>", [plain("<"), ran("a")])
    each("xml", '</div<write_file path="/a">b</write_file>', [
      plain("</div"),
      { type: "write_file", metadata: { path: "/a" }, content: "b" },
    ])
    each("xml", '<write_file path="<run_bash>a</run_bash>', [plain('<write_file path="'), ran("a")])
  })
})

test("D2: a letter that is longer in lower case does not shift the closing tag", () => {
  each("xml", "<run_bash>echo 'İstanbul' > /tmp/a</run_bash>", [ran("echo 'İstanbul' > /tmp/a")])
  each("xml", "<run_bash>İİİİİ</run_bash>TAIL", [ran("İİİİİ"), plain("TAIL")])
})

describe("D3: text after a tool without its argument is not lost", () => {
  test("run_bash without a command is an empty segment and runs nothing", () => {
    each("xml", '<tool name="run_bash"></tool>after', [{ ...ran(""), end: { complete: false } }, plain("after")])
    expect(calls("xml", '<tool name="run_bash"></tool>after')).toEqual([])
  })
  test("write_file with a path and no content writes nothing", () => {
    const text = '<tool name="write_file"><arg name="path">/a</arg></tool>after'
    each("xml", text, [
      { type: "write_file", metadata: { path: "/a" }, content: "", end: { complete: false } },
      plain("after"),
    ])
    expect(calls("xml", text)).toEqual([])
  })
  test("write_file without a path is text", () => {
    each("xml", '<tool name="write_file"></tool>after', [plain('<tool name="write_file"></tool>after')])
  })
})

test("D4: arguments after the command are in the END and in the invocation", () => {
  const text = '<tool name="run_bash"><arg name="command">ls</arg><arg name="timeout_seconds">30</arg></tool>'
  each("xml", text, [{ ...ran("ls"), end: { metadata: { timeout_seconds: 30 } } }])
  expect(calls("xml", text)).toEqual([["run_bash", { command: "ls", timeout_seconds: 30 }]])
})

describe("D5: the start marker's newline", () => {
  const wrap = (body: string) =>
    `<tool name="write_file"><arg name="path">/a</arg><arg name="content">${body}</arg></tool>`
  const wrote = (content: string) => [{ type: "write_file", metadata: { path: "/a" }, content }]

  test("one newline after the marker belongs to it, wherever the chunk ends", () => {
    each("xml", wrap("__START_CONTENT__\nx__END_CONTENT__"), wrote("x"))
    each("xml", wrap("__START_CONTENT__\n\nx__END_CONTENT__"), wrote("\nx"))
    each("xml", wrap("__START_CONTENT__\r\nx__END_CONTENT__"), wrote("\r\nx"))
  })
  test("a marker after other text is text", () => {
    each("xml", wrap("y __START_CONTENT__\nx__END_CONTENT__"), wrote("y __START_CONTENT__\nx__END_CONTENT__"))
  })
})

test("D6: a path after the content still starts the segment", () => {
  const text = 'a<tool name="write_file"><arg name="content">x\n</arg><arg name="path">/a</arg></tool>'
  each("xml", text, [plain("a"), { type: "write_file", metadata: { path: "/a" }, content: "x\n" }])
  expect(calls("xml", text)).toEqual([["write_file", { path: "/a", content: "x\n" }]])
})

test("D7: the end of the stream emits all held text", () => {
  const open = '<tool name="write_file"><arg name="path">/a</arg><arg name="content">__START_CONTENT__\n'
  const cutOff = (content: string) => [
    { type: "write_file", metadata: { path: "/a" }, content, end: { complete: false } },
  ]
  each("xml", `${open}hello world`, cutOff("hello world"))
  each("xml", `${open}hello\n \n`, cutOff("hello\n \n"))
  each("xml", `${open}hello\n__END_CONTENT__ </ar`, cutOff("hello\n__END_CONTENT__ </ar"))
  const early = '<tool name="run_bash">\n<arg name="background">true</arg>'
  each("xml", early, [plain(early)])
})

describe("D8: a sentinel can be split anywhere", () => {
  test("within its start marker, its header and its brackets", () => {
    each("sentinel", 'hi [[SEG_START {"type":"run_bash"}]]ls[[SEG_END]].', [plain("hi "), ran("ls"), plain(".")])
  })
  test("a header at the end of the stream is a segment", () => {
    each("sentinel", 'hi[[SEG_START {"type":"run_bash"}]]', [plain("hi"), { ...ran(""), end: { complete: false } }])
  })
})

test("D9: an escaped quote does not end a JSON string", () => {
  const first = '{"name":"f","arguments":{"s":"5\\" pipe"}}'
  const second = '{"name":"g","arguments":{"s":"\\\\"}}'
  each("json", `${first}\nprose\n${second}`, [
    { type: "tool_call", metadata: {}, content: first },
    plain("\nprose\n"),
    { type: "tool_call", metadata: {}, content: second },
  ])
  expect(calls("json", `${first}${second}`)).toEqual([
    ["f", { s: '5" pipe' }],
    ["g", { s: "\\" }],
  ])
})

test("D10: a delta never holds half a surrogate pair", () => {
  const parser = createStreamingParser({ parserName: "xml" })
  parser.feed("<run_bash>")
  const deltas = ["ab😀\ud83d", "\ude00😀", "\ud83d", "\ude00"].flatMap(chunk => parser.feed(chunk))
  expect(deltas.map(({ payload }) => payload.delta)).toEqual(["ab😀", "😀😀", "😀"])
})

describe("D11: strings of native tool calls are decoded as JSON", () => {
  const stream = (text: string, size: number) => {
    const streamer = new WriteFileContentStreamer()
    const deltas = cut(text, size).map(chunk => streamer.feed(chunk).contentDelta)
    return { path: streamer.path, content: streamer.content, deltas }
  }
  test("every escape, split anywhere, without half a surrogate pair", () => {
    const content = 'é😀 \u0000 "quoted" \\ / \b\f\n\r\t'
    const text = `{"path":"\\u002fa","content":${JSON.stringify(content).replace("é", "\\u00e9").replace("😀", "\\ud83d\\ude00")}}`
    for (const size of SIZES) {
      const { path, content: decoded, deltas } = stream(text, size)
      expect([path, decoded]).toEqual(["/a", content])
      for (const delta of deltas) expect(delta.isWellFormed()).toBe(true)
    }
  })
  test("only keys of the outermost object count, and the first of a repeated key", () => {
    expect(stream('{"meta":{"content":"inner","path":"/no"},"path":"/a","content":"x"}', 3)).toMatchObject({
      path: "/a",
      content: "x",
    })
    expect(stream('{"path":"/a","path":"/b","content":"x","content":"y"}', 3)).toMatchObject({
      path: "/a",
      content: "x",
    })
  })
})

test("D12: a word that begins like a tag is not held back", () => {
  const parser = createStreamingParser({ parserName: "xml" })
  for (const text of ["<toolchain and ", "<write_files ", "<run_bashful ", "<tool and so on ", "<tool x>"]) {
    expect(parser.feed(text).at(-1)?.payload.delta).toBe(text)
  }
})

describe("D13: untrusted names are plain keys", () => {
  test("a sentinel type such as constructor is unknown", () => {
    for (const type of ["constructor", "__proto__", "toString", "hasOwnProperty"]) {
      const text = `[[SEG_START {"type":"${type}"}]]x[[SEG_END]]`
      each("sentinel", text, [plain(text)])
    }
  })
  test("a JSON call needs a string as its name", () => {
    expect(parseJsonToolCall('{"tool":{"function":"f","parameters":{}}}')).toEqual({ name: "f", arguments: {} })
    expect(parseJsonToolCall('{"tool":{"name":{"a":1}}}')).toBeNull()
    expect(calls("json", '{"tools":[]} {"tool":{}} {"tool": 5}')).toEqual([])
  })
  test("an argument called __proto__ is an argument", () => {
    const args = parseXmlArguments("<__proto__>x</__proto__><arg name='constructor'>y</arg>")
    expect(Object.getPrototypeOf(args)).toBe(Object.prototype)
    expect(Object.entries(args)).toEqual([
      ["__proto__", "x"],
      ["constructor", "y"],
    ])
  })
})

describe("text around a tool's arguments", () => {
  test("without </tool>, text after </arguments> is text and its blocks are read", () => {
    each(
      "xml",
      '<tool name="run_bash"><arguments><arg name="command">ls</arg></arguments>\nThen: <run_bash>pwd</run_bash>.',
      [ran("ls"), plain("\nThen: "), ran("pwd"), plain(".")],
    )
  })
  test("an </arg> that no other tag of the tool follows is content", () => {
    const open = '<tool name="run_bash"><arg name="command">'
    const rest = "ls</arg>\nThen: <run_bash>pwd</run_bash>."
    each("xml", `${open}${rest}`, [{ ...ran(rest), end: { complete: false } }])
    each("xml", `${open}ls</arg>`, [{ ...ran("ls</arg>"), end: { complete: false } }])
    each("xml", `${open}a</arg> b </arg></arguments></tool>after`, [ran("a</arg> b "), plain("after")])
    expect(calls("xml", `${open}${rest}`)).toEqual([])
  })
  test("a patch of arguments is whole", () => {
    const patch = '@@ -1,2 +1,2 @@\n-<arg name="x">1</arg>\n+<arg name="x">2</arg>\n'
    const text = `<tool name="edit_file"><arguments><arg name="path">/a</arg><arg name="patch">${patch}</arg></arguments></tool>`
    each("xml", text, [{ type: "edit_file", metadata: { path: "/a" }, content: patch }])
  })
  test("text that belongs to no argument is dropped, and the call is incomplete", () => {
    const file = (content: string) => ({
      type: "write_file",
      metadata: { path: "/a" },
      content,
      end: { complete: false },
    })
    for (const [text, content] of [
      ['<arg name="path">/a</arg> junk <arg name="content">x</arg>', "x"],
      ['<arg name="path">/a</arg><arg name="content">x</arg><arg name="content">y</arg>', "x"],
      ['<arg name="path">/a</arg><arg name="content">x</arg><arg name="y">1</arg> junk', "x"],
    ] as const) {
      each("xml", `<tool name="write_file">${text}</tool>.`, [file(content), plain(".")])
      expect(calls("xml", `<tool name="write_file">${text}</tool>.`)).toEqual([])
    }
  })
})

test("between raw markers only the end marker ends the content, whatever tags it has", () => {
  const file = `<arg name="content">x</arg></arguments></tool>\nClean:\n<run_bash>rm -rf build</run_bash>\n`
  const text = `<tool name="write_file"><arg name="path">/a</arg><arg name="content">__START_CONTENT__\n${file}__END_CONTENT__</arg></tool>`
  each("xml", text, [{ type: "write_file", metadata: { path: "/a" }, content: file }])
  expect(calls("xml", text)).toEqual([["write_file", { path: "/a", content: file }]])
})

test("D14: a </tool> within an argument ends the tool, and the incomplete call is not invoked", () => {
  const text = '<tool name="note"><arg name="text">use </tool> to close</arg></tool>'
  each("xml", text, [
    { type: "tool_call", metadata: { tool_name: "note" }, content: '<arg name="text">use ' },
    plain(" to close</arg></tool>"),
  ])
  expect(calls("xml", text)).toEqual([])
})

test("an incomplete call of any kind is shown but not invoked", () => {
  for (const [strategy, text] of [
    ["xml", "<run_bash>rm -rf /tmp/ab"],
    ["xml", '<write_file path="/a">half'],
    ["xml", '<tool name="run_bash"><arg name="command">rm -rf /'],
    ["xml", '<tool name="x"><arg name="a">1</arg>'],
    ["json", '{"name":"f","arguments":{}'],
    ["sentinel", '[[SEG_START {"type":"run_bash"}]]rm -rf /tmp/ab'],
  ] as const) {
    expect(calls(strategy, text)).toEqual([])
    expect(events(strategy, [text]).at(-1)?.payload).toEqual({ complete: false })
  }
  const handler = new ApiToolCallStreamingResponseHandler()
  const half = [{ index: 0, call_id: "c", name: "write_file", arguments_delta: '{"path":"/a","content":"ha' }]
  handler.feed(new ChunkResponse({ tool_calls: half }))
  expect(handler.finalize().at(-1)?.payload).toEqual({ complete: false })
  expect(handler.getAllInvocations()).toEqual([])
})
