// Tests every edge between the parser's states: the state before a piece of text, the piece, the state after it.
import { describe, expect, test } from "bun:test"
import { FULL_KIT } from "../../src/parse/formats/full-kit.ts"
import { driveCopy } from "../../src/parse/machine.ts"
import { workingCopy } from "../../src/parse/working-copy.ts"
import {
  getToolSyntaxSpec,
  initialParse,
  type ParserName,
  registerXmlToolParsingState,
  XmlToolParsingState,
} from "../../src/streaming/index.ts"
import { resolverOf, stateClassesOf } from "../../src/streaming/state-classes.ts"
import { feeder, stateAfter } from "../streaming/parsing.ts"

const WRITE = '<tool name="write_file">'
const PATH = '<arg name="path">/a</arg>'
const BODY = `${WRITE}${PATH}<arg name="content">`
const MARKED = `${BODY}__START_CONTENT__\n`
const BASH = '<tool name="run_bash"><arg name="command">ls</arg>'
const LATE = `${BASH}<arg name="background">true</arg>`

type Edge = readonly [from: string, piece: string, to: string, why: string, before: string]

const EDGES: readonly (readonly [ParserName, readonly Edge[]])[] = [
  [
    "xml",
    [
      ["text", "abc >", "text", "text that begins no tag", ""],
      ["text", "<", "opening", "a < at the end of a chunk", "a"],
      ["text", "<x", "text", "a < before other text", "a"],
      ["text", "<run_bash>", "block", "a whole opening tag", "a"],
      ["text", "a < b << <RUN_BASH>", "block", "a tag in capitals after other <", "a"],
      ["text", "< run_bash>", "text", "a < before a blank", "a"],
      ["text", WRITE, "tool.between", "the tag of a tool that is streamed", "a"],
      ["text", '<tool name="x">', "body", "the tag of any other tool", "a"],
      ["opening", "x", "text", "a wrong character", "<run_"],
      ["opening", "bash>", "block", "the > of its tag", "<run_"],
      ["opening", "<", "opening", "a < that starts over", "<run_bash x="],
      ["opening", ">", "text", "the > of a tag without its path", "<write_file"],
      ["opening", ">", "text", "the > of a tool without a name", "<tool"],
      ["opening", "/>", "block", "the > after a slash", "<run_bash"],
      ["opening", " path = '/a", "opening", "an attribute", "<write_file"],
      ["opening", "=", "text", "a value without a name", "<run_bash "],
      ["opening", "x", "text", "a value without quotes", "<run_bash a="],
      ["opening", "b", "text", "a name without a value", "<run_bash a "],
      ["opening", "x", "text", "a character after a slash other than >", "<run_bash /"],
      ["block", "x", "block", "content", "<run_bash>"],
      ["block", "</run_", "block", "the beginning of its closing tag", "<run_bash>"],
      ["block", "</RUN_BASH>", "text", "its closing tag in any case", "<run_bash>"],
      ["block", "</run_bash >", "block", "a closing tag with a blank in it", "<run_bash>"],
      ["tool.between", "\n ", "tool.between", "blanks", WRITE],
      ["tool.between", "x", "text", "other text before it has started", WRITE],
      ["tool.between", "x", "text", "other text after </arguments>", `${BASH}</arguments>`],
      ["tool.between", "x", "tool.between", "other text after an argument", LATE],
      ["tool.between", "x".repeat(5000), "text", "more text than may be dropped", LATE],
      ["tool.between", "<", "tool.tag", "a <", WRITE],
      ["tool.between", "</tool>", "text", "its closing tag", `${BASH}</arguments>`],
      ["tool.tag", "arguments>", "tool.between", "the tag of its arguments", `${WRITE}<`],
      ["tool.tag", 'arg name="path">', "tool.value", "the tag of an argument", `${WRITE}<`],
      ["tool.tag", 'arg name="content">', "tool.lead", "the tag of its content", `${WRITE}<`],
      ["tool.tag", 'arg name="command">', "tool.plain", "the tag of its command", '<tool name="run_bash"><'],
      ["tool.tag", "/arg>", "tool.between", "a stray closing tag", `${LATE}<`],
      ["tool.tag", "b", "text", "an unknown tag", `${WRITE}<`],
      ["tool.tag", "run_bash>", "block", "a block's tag", `${WRITE}<`],
      ["tool.tag", "/TOOL>", "text", "its closing tag in any case", `${LATE}<`],
      ["tool.value", "x</ar", "tool.value", "the value", `${WRITE}<arg name="path">`],
      ["tool.value", "</arg>", "tool.between", "the value's end", `${WRITE}<arg name="path">/a`],
      ["tool.lead", " \n", "tool.lead", "blanks", BODY],
      ["tool.lead", "__START_", "tool.lead", "the beginning of a start marker", BODY],
      ["tool.lead", "__START_CONTENT__", "tool.fresh", "a start marker", BODY],
      ["tool.lead", "x", "tool.plain", "other text", BODY],
      ["tool.lead", "</arg>", "tool.ending", "a possible end of empty content", BODY],
      ["tool.fresh", "\n", "tool.marked", "the marker's newline", `${BODY}__START_CONTENT__`],
      ["tool.fresh", "x", "tool.marked", "content without a newline", `${BODY}__START_CONTENT__`],
      ["tool.plain", "x</ar", "tool.plain", "content", `${BODY}x`],
      ["tool.plain", "</ARG>", "tool.plain", "a closing tag in another case", `${BODY}x`],
      ["tool.plain", "</arg>", "tool.ending", "a possible end", `${BODY}x`],
      ["tool.ending", "\n ", "tool.ending", "blanks", `${BODY}x</arg>`],
      ["tool.ending", "</argu", "tool.ending", "the beginning of a closing tag", `${BODY}x</arg>`],
      ["tool.ending", "<arg", "tool.ending", "the beginning of an argument", `${BODY}x</arg>`],
      ["tool.ending", "<arg ", "tool.tag", "another argument", `${BODY}x</arg>`],
      ["tool.ending", "</ARGUMENTS>", "tool.between", "the end of the arguments", `${BODY}x</arg>`],
      ["tool.ending", "</tool>", "text", "the tool's end", `${BODY}x</arg>`],
      ["tool.ending", "x", "tool.plain", "other text, which makes it content", `${BODY}x</arg>`],
      ["tool.ending", " ".repeat(5000), "tool.plain", "more blanks than are held", `${BODY}x</arg>`],
      ["tool.marked", "x\n__END_CONTENT__\n", "tool.ending", "a possible end", MARKED],
      ["tool.ending", "x", "tool.marked", "other text after an end marker", `${MARKED}__END_CONTENT__`],
      ["tool.marked", "</arg>x", "tool.marked", "a closing tag followed by content", MARKED],
      ["tool.marked", "__END_CONTENT__\n</arg>", "tool.between", "end marker and closing tag", MARKED],
      ["tool.marked", "</arg></arguments></tool>", "tool.marked", "closing tags without an end marker", MARKED],
    ],
  ],
  [
    "json",
    [
      ["text", "a < b", "text", "text that begins no call", ""],
      ["text", "{", "opening", "a bracket at the end of a chunk", "a"],
      ["text", "{ x", "text", "a bracket before other text", "a"],
      ["text", '{"name"', "json", "the beginning of a call", "a"],
      ["text", '{ a }{\n[ {\n"name"', "json", "the beginning of a call after other brackets", "a"],
      ["text", "a {\n ", "opening", "a bracket and blanks at the end of a chunk", "a"],
      ["opening", " \n", "opening", "blanks", "{"],
      ["opening", " ".repeat(5000), "text", "too many blanks for a header", "{"],
      ["opening", '"na me', "text", "a blank within a name", "{"],
      ["opening", '"name"', "json", "the rest of a beginning", "[ {"],
      ["opening", '"tools"', "json", "a beginning inside a false one", "[ {"],
      ["json", "}", "json", "a bracket in a string", '{"name": "'],
      ["json", '\\"}', "json", "an escaped quote", '{"name": "'],
      ["json", "}", "json", "an inner bracket's end", '{"name": {'],
      ["json", "}}", "text", "the outer bracket's end", '{"name": {'],
    ],
  ],
  [
    "sentinel",
    [
      ["text", "a ] <run_bash>", "text", "text that begins no sentinel", ""],
      ["text", "[", "opening", "a bracket at the end of a chunk", "a"],
      ["text", "[1]", "text", "a bracket before other text", "a"],
      ["text", '[[SEG_START {"type":"text"}]]', "block", "a whole header", ""],
      ["opening", "x", "text", "a wrong character", "[[SEG_START "],
      ["opening", '{"a":"]]"', "opening", "brackets in a string", "[[SEG_START "],
      ["opening", "[[SEG_START", "opening", "a start marker that starts over", '[[SEG_START {"a":"'],
      ["opening", "]", "opening", "one closing bracket", '[[SEG_START {"type":"text"}'],
      ["opening", "]]", "block", "both closing brackets", '[[SEG_START {"type":"text"} '],
      ["opening", "]]", "text", "the end of a header with an unknown type", '[[SEG_START {"type":"x"}'],
      ["opening", "]]", "text", "the end of a header that is not JSON", "[[SEG_START {type}"],
      ["block", "[[SEG_END]", "block", "the beginning of an end marker", '[[SEG_START {"type":"text"}]]'],
      ["block", "[[SEG_END]]", "text", "an end marker", '[[SEG_START {"type":"text"}]]'],
    ],
  ],
  ["api_tool_call", [["text", '<run_bash>{"name":[[SEG_START', "text", "anything", ""]]],
]

test("a file is written to a path of more than blanks", () => {
  for (const [path, made] of [
    ["/a", { path: "/a", content: "x" }],
    [" ", null],
    [undefined, null],
  ] as const)
    expect<unknown>(getToolSyntaxSpec("write_file")?.buildArguments({ path }, "x")).toEqual(made)
})

describe.each(EDGES)("%s: from state to state", (strategy, edges) => {
  for (const [from, piece, to, why, before] of edges) {
    test(`${from} → ${to} by ${why}`, () => {
      expect(stateAfter(strategy, before)).toBe(from)
      expect(stateAfter(strategy, before, piece)).toBe(to)
      expect(stateAfter(strategy, before, ...piece.split(""))).toBe(to)
    })
  }
})

test("text → foreign by the tag of a registered class", () => {
  registerXmlToolParsingState("Edge_Tool", class extends XmlToolParsingState {})
  const copy = workingCopy(initialParse("xml"), { ...FULL_KIT, resolve: resolverOf(stateClassesOf()) })
  expect(driveCopy(copy, 'a<tool name="EDGE_TOOL">rest')).toBe("rest")
  expect(copy.mode).toEqual({ at: "foreign", tool: "EDGE_TOOL", tag: '<tool name="EDGE_TOOL">' })
})

describe("the parser emits", () => {
  test("text in the feed that brought it, and ends it at the > of a tag", () => {
    const feed = feeder("xml")
    expect(feed("Hello ")).toEqual(["+text", "Hello "])
    expect(feed("you <run_")).toEqual(["you "])
    expect(feed("bash")).toEqual([])
    expect(feed(">")).toEqual(["-{}", "+run_bash"])
    expect(feed("ls</run_ba")).toEqual(["ls"])
    expect(feed("sh>x")).toEqual(["-{}", "+text", "x"])
  })
  test("a false tag as text in the feed that decides it, in the same segment", () => {
    const feed = feeder("xml")
    expect(feed("a<wri")).toEqual(["+text", "a"])
    expect(feed("te x")).toEqual(["<write x"])
    expect(feed('<write_file path="/a"')).toEqual([])
    expect(feed(" y z")).toEqual(['<write_file path="/a" y z'])
  })
  test("a block's start at the > of its tag, without content", () => {
    expect(feeder("xml")('<write_file path="/a">')).toEqual(["+write_file"])
  })
  test("a tool's start once its path is known, and its content, holding only a possible end", () => {
    const feed = feeder("xml")
    expect(feed(`x${WRITE}<arguments><arg name="path">/a`)).toEqual(["+text", "x"])
    expect(feed("</arg>")).toEqual(["-{}", "+write_file"])
    expect(feed('<arg name="content">one <')).toEqual(["one "])
    expect(feed("b> </a")).toEqual(["<b> "])
    expect(feed("rg></arguments></to")).toEqual([])
    expect(feed("ol>")).toEqual(["-{}"])
  })
  test("marked content, holding only a possible end", () => {
    const feed = feeder("xml")
    feed(MARKED)
    expect(feed("one\n")).toEqual(["one\n"])
    expect(feed("two __EN")).toEqual(["two "])
    expect(feed("X")).toEqual(["__ENX"])
    expect(feed("\n__END_CONTENT__\n</ar")).toEqual(["\n"])
    expect(feed("g")).toEqual([])
    expect(feed(">")).toEqual([])
  })
  test("a shell tool's start at its command", () => {
    const feed = feeder("xml")
    expect(feed('<tool name="run_bash"><arg name="background">true</arg>')).toEqual([])
    expect(feed('<arg name="command">')).toEqual(["+run_bash"])
  })
  test("a JSON call as soon as it is recognized, up to its closing bracket", () => {
    const feed = feeder("json")
    expect(feed("hi { ")).toEqual(["+text", "hi "])
    expect(feed('"name')).toEqual([])
    expect(feed('"')).toEqual(["-{}", "+tool_call", '{ "name"'])
    expect(feed(":1} x")).toEqual([":1}", "-{}", "+text", " x"])
  })
  test("a sentinel's start at the last bracket of its header", () => {
    const feed = feeder("sentinel")
    expect(feed('[[SEG_START {"type":"text"}]')).toEqual([])
    expect(feed("]")).toEqual(["+text"])
    expect(feed("a[[SEG_END]")).toEqual(["a"])
    expect(feed("]")).toEqual(["-{}"])
  })
  test("content without a path as it came, to its last line end, once the tool is over", () => {
    const text = '<tool name="write_file"><arg name="content">__START_CONTENT__\nx\n__END_CONTENT__</arg></tool>'
    expect(feeder("xml")(text)).toEqual(["+text", text])
  })
  test("nothing for an empty chunk", () => {
    for (const strategy of ["xml", "json", "sentinel", "api_tool_call"] as const)
      expect(feeder(strategy)("")).toEqual([])
  })
})
