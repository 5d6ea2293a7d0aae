// Tests that a call is made whole or not at all, with the texts of faults that made one which nobody had said.
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
import { cut } from "./parsing.ts"

const TAGS = { ...TAG_PROFILES.claude, ...TAG_PROFILES.qwenCoder }

/** The calls of a complete text in chunks of one size, as name and arguments. */
async function callsOf(text: string, size: number, options: SegmentOptions = { tags: TAGS }): Promise<unknown[]> {
  const calls: unknown[] = []
  for await (const segment of segments(cut(text, size), options)) {
    const { invocations } = await segment.whole()
    calls.push(...invocations.map(({ name, arguments: args }) => [name, args]))
  }
  return calls
}

async function each(text: string, expected: unknown[], options?: SegmentOptions): Promise<void> {
  for (const size of [text.length, 1, 2, 3, 5, 8]) {
    expect<unknown>([size, await callsOf(text, size, options)]).toEqual([size, expected])
  }
}

test("a call behind a fence that ends as it begins is made", async () => {
  for (const fence of ["```\n```", "~~~sh\n~~~"])
    await each(`${fence}\n<tool_call>{"name":"ls","arguments":{}}</tool_call>`, [["ls", {}]], {
      tags: TAG_PROFILES.hermes,
    })
})

describe("a held call is not run when", () => {
  const held = 'The ` key: <tool_call>{"name":"rm","arguments":{}}</tool_call>'
  const options = (made: ToolInvocation[]): SegmentOptions => ({
    tags: TAG_PROFILES.hermes,
    onToolInvocation: call => made.push(call),
  })

  test("a person leaves the loop", async () => {
    const made: ToolInvocation[] = []
    for await (const segment of segments([held, "more"], options(made))) if (segment.type === "text") break
    expect(made).toEqual([])
  })

  test("the source fails", async () => {
    const made: ToolInvocation[] = []
    async function* failing() {
      yield held
      throw new Error("lost")
    }
    const all = Array.fromAsync(segments(failing(), options(made)), one => one.whole())
    expect(await all.catch(String)).toBe("Error: lost")
    expect(made).toEqual([])
  })

  test("the stream ends within the code span, or within another one", async () => {
    await each(held, [], { tags: TAG_PROFILES.hermes })
    await each('Say `{"name":"rm","arguments":{}}', [], { parserName: "json" })
    await each('So ``<tool_call>{"name":"rm","arguments":{}}</tool_call>', [], { tags: TAG_PROFILES.hermes })
  })

  test("a handler is told that the stream has failed", () => {
    const handler = new ParsingStreamingResponseHandler({
      config: new ParserConfig({ safe: true, tags: TAG_PROFILES.hermes }),
    })
    handler.feed(held)
    handler.abort()
    expect(handler.getAllInvocations()).toEqual([])
  })

  test("a pipe is closed within the code span", async () => {
    const made: ToolInvocation[] = []
    const writer = new SegmentStream(options(made)).writable.getWriter()
    void writer.write(held).catch(() => undefined)
    await writer.abort("stopped").catch(() => undefined)
    expect(made).toEqual([])
  })
})

const claude = (name: string, args: string) => `<invoke name="${name}">${args}</invoke>`
const qwen = (name: string, args: string) => `<function=${name}>\n${args}\n</function>`
const parameter = (name: string, value: string) => `<parameter name="${name}">${value}</parameter>`

describe("a call that was not understood is not made", () => {
  test.each([
    claude("delete_all", "<parameter name=filter>*.tmp</parameter>"),
    claude("delete_all", "only *.tmp"),
    claude("delete_all", "<parameter>*.tmp</parameter>"),
    claude("delete_all", `so: ${parameter("filter", "*.tmp")}`),
    claude("delete_all", '<parameter nam="filter">*.tmp</parameter>'),
    qwen("delete_all", "<parameter=filter\n*.tmp\n</parameter>"),
    qwen("delete_all", "filter: *.tmp"),
    qwen("delete_all", "<parameter=>*.tmp</parameter>"),
    '<tool name="delete_all"><arguments><arg name=filter>*.tmp</arg></arguments></tool>',
    '<tool name="delete_all">only *.tmp</tool>',
    '<tool name="delete_all"><arg name="filter">*.tmp</tool>',
  ])("%s, nor is what follows it", async text => {
    await each(`${text}\n${claude("rm", parameter("path", "/"))}`, [])
  })

  test("in DeepSeek's tags", async () => {
    const text =
      '<｜DSML｜invoke name="delete_all"><｜DSML｜parameter name=filter>*.tmp</｜DSML｜parameter></｜DSML｜invoke>'
    await each(text, [], { tags: TAG_PROFILES.deepseekV32 })
  })

  test("by the AutoByteus entry points either", () => {
    const handler = new ParsingStreamingResponseHandler({ parserName: "xml" })
    handler.feed('<tool name="delete_all"><arguments><arg name=filter>*.tmp</arg></arguments></tool>')
    handler.finalize()
    expect(handler.getAllInvocations()).toEqual([])
  })

  test("and is shown as incomplete", async () => {
    const [segment] = await Array.fromAsync(segments(claude("f", "x"), { tags: TAGS }), one => one.whole())
    expect([segment?.content, segment?.complete]).toEqual(["x", false])
  })
})

test("a name may be anything that fits its tag", async () => {
  for (const name of ["my filter", "filter[0]", "文件", "$filter", '"x"']) {
    await each(qwen("f", `<parameter=${name}>\n1\n</parameter>`), [["f", { [name]: "1" }]])
  }
})

describe("a value is what stands between its tags", () => {
  test.each([
    "<li>One</li>\n<li>Two</li>",
    '<svg><g class="a"/><g/></svg>',
    "    return 1\n",
    " ",
    "",
    "a final newline\n",
    "Close with </parameter> as usual.\nMore.",
    "re = '</parameter>'",
    "End with </invoke>. Or </function>.",
    "<parameter name='x'>",
    "&lt; <![CDATA[x]]>",
  ])("%j, in Claude's tags and in Qwen's", async value => {
    await each(claude("f", `\n${parameter("a", value)}\n${parameter("b", value)}\n`), [["f", { a: value, b: value }]])
    const written = `<parameter=a>\n${value}\n</parameter>`
    await each(qwen("f", `${written}\n${written.replace("=a", "=b")}`), [["f", { a: value, b: value }]])
  })

  test("Qwen's loses one line break at each side, if there is one", async () => {
    for (const [written, value] of [
      ["x", "x"],
      ["\nx", "x"],
      ["\n", ""],
      ["\n\n", ""],
      ["\n\n\n", "\n"],
      ["\n x \n", " x "],
    ]) {
      await each(qwen("f", `<parameter=a>${written}</parameter>`), [["f", { a: value }]])
    }
  })

  test("a <tool> keeps trimmed values, and elements alone as an object", async () => {
    const closed = '<tool name="f"><arguments><arg name="a">re = "</arg>"\nx</arg></arguments></tool>'
    await each(closed, [["f", { a: 're = "</arg>"\nx' }]])
    const text = '<tool name="f"><arguments><arg name="a"> 1\n</arg><b><c>2</c></b></arguments></tool>'
    await each(text, [["f", { a: "1", b: { c: "2" } }]])
  })
})

describe("what a file contains is not run", () => {
  const inner = claude("bash", parameter("command", "rm -rf build"))

  test("if it is an argument", async () => {
    const value = `End with </invoke>. Example:\n<invoke name="bash"> and so on`
    await each(claude("write", parameter("content", value)), [["write", { content: value }]])
    await each(qwen("write", "<parameter=content>\nEnd with </function>.\n<function=bash>\n</parameter>"), [
      ["write", { content: "End with </function>.\n<function=bash>" }],
    ])
  })

  test("if the call around it could not be read", async () => {
    await each(claude("write", `<parameter name=content>End with </invoke>. ${inner}</parameter>`), [])
    await each(claude("write", `${parameter("a", "1")}<parameter>${`</invoke>${inner}`}`), [])
  })

  test("if it is a file that shows how to write files", async () => {
    const shown = 'Use\n<write_file path="/b">x</write_file>\nthen <run_bash>rm -rf build</run_bash>'
    await each(`<write_file path="/a">\n${shown}</write_file>`, [["write_file", { path: "/a", content: shown }]], {})
    const open = 'Begin with <write_file path="/b">, then <run_bash>rm -rf build</run_bash>'
    await each(`<write_file path="/a">${open}</write_file>`, [], {})
  })
})

test("a tag that closes itself is a call without arguments, and what follows it is read", async () => {
  await each(`<invoke name="now"/> and ${claude("f", parameter("a", "1"))}`, [
    ["now", {}],
    ["f", { a: "1" }],
  ])
  await each("<function=now/>", [["now", {}]])
})
