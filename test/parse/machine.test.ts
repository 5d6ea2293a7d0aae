// Walks every edge between the parser's states: the state before a piece of text, the piece, the state after it.

import { describe, expect, test } from "bun:test"
import { feedCopy } from "../../src/parse/machine.ts"
import { workingCopy } from "../../src/parse/working-copy.ts"
import type { ParserName } from "../../src/streaming/index.ts"
import { initialParse, registerXmlToolParsingState, XmlToolParsingState } from "../../src/streaming/index.ts"
import { resolveRegistered } from "../../src/streaming/state-registry.ts"
import { feeder, stateAfter } from "../streaming/parsing.ts"

const WRITE = '<tool name="write_file">'
const PATH = '<arg name="path">/a</arg>'
const BODY = `${WRITE}${PATH}<arg name="content">`
const MARKED = `${BODY}__START_CONTENT__\n`
const BASH = '<tool name="run_bash"><arg name="command">ls</arg>'

type Edge = readonly [from: string, piece: string, to: string, why: string, before: string]

const EDGES: readonly (readonly [ParserName, readonly Edge[]])[] = [
  [
    "xml",
    [
      ["text", "abc >", "text", "what begins no tag", ""],
      ["text", "<", "opening", "a < at the end of a chunk", "a"],
      ["text", "<x", "text", "a < before what begins no tag's name", "a"],
      ["text", "<run_bash>", "block", "a whole opening tag", "a"],
      ["text", "a < b << <RUN_BASH>", "block", "a tag in capitals behind other <", "a"],
      ["text", "< run_bash>", "text", "a < before a blank", "a"],
      ["text", WRITE, "tool.between", "the tag of a tool that is streamed", "a"],
      ["text", '<tool name="x">', "block", "the tag of any other tool", "a"],
      ["opening", "x", "text", "a character that no tag has there", "<run_"],
      ["opening", "bash>", "block", "the > of its tag", "<run_"],
      ["opening", "<", "opening", "a < that begins anew", "<run_bash x="],
      ["opening", ">", "text", "the > of a tag without its path", "<write_file"],
      ["opening", ">", "text", "the > of a tool without a name", "<tool"],
      ["opening", "/>", "block", "the > behind a slash", "<run_bash"],
      ["opening", " path = '/a", "opening", "an attribute", "<write_file"],
      ["opening", "=", "text", "a value without a name", "<run_bash "],
      ["opening", "x", "text", "a value without quotes", "<run_bash a="],
      ["opening", "b", "text", "a name without a value", "<run_bash a "],
      ["opening", "x", "text", "what follows a slash and is no >", "<run_bash /"],
      ["block", "x", "block", "content", "<run_bash>"],
      ["block", "</run_", "block", "the beginning of its closing tag", "<run_bash>"],
      ["block", "</RUN_BASH>", "text", "its closing tag in any case", "<run_bash>"],
      ["block", "</run_bash >", "block", "a closing tag with a blank in it", "<run_bash>"],
      ["tool.between", "\n ", "tool.between", "blanks", WRITE],
      ["tool.between", "x", "text", "anything else, before it has started", WRITE],
      ["tool.between", "x", "text", "anything else, behind </arguments>", `${BASH}</arguments>`],
      ["tool.between", "x", "tool.between", "anything else, behind the content", BASH],
      ["tool.between", "x".repeat(5000), "text", "more than may be swallowed", BASH],
      ["tool.between", "<", "tool.tag", "a <", WRITE],
      ["tool.between", "</tool>", "text", "its closing tag", BASH],
      ["tool.tag", "arguments>", "tool.between", "the tag of its arguments", `${WRITE}<`],
      ["tool.tag", 'arg name="path">', "tool.value", "the tag of an argument", `${WRITE}<`],
      ["tool.tag", 'arg name="content">', "tool.lead", "the tag of its content", `${WRITE}<`],
      ["tool.tag", 'arg name="command">', "tool.plain", "the tag of its command", '<tool name="run_bash"><'],
      ["tool.tag", "/arg>", "tool.between", "a stray closing tag", `${BASH}<`],
      ["tool.tag", "b", "text", "a tag that is none of its own", `${WRITE}<`],
      ["tool.tag", "run_bash>", "block", "a block's tag", `${WRITE}<`],
      ["tool.tag", "/TOOL>", "text", "its closing tag in any case", `${BASH}<`],
      ["tool.value", "x</ar", "tool.value", "the value", `${WRITE}<arg name="path">`],
      ["tool.value", "</arg>", "tool.between", "the value's end", `${WRITE}<arg name="path">/a`],
      ["tool.lead", " \n", "tool.lead", "blanks", BODY],
      ["tool.lead", "__START_", "tool.lead", "the beginning of a start marker", BODY],
      ["tool.lead", "__START_CONTENT__", "tool.fresh", "a start marker", BODY],
      ["tool.lead", "x", "tool.plain", "what is no marker", BODY],
      ["tool.lead", "</arg>", "tool.between", "the end of empty content", BODY],
      ["tool.fresh", "\n", "tool.marked", "the marker's newline", `${BODY}__START_CONTENT__`],
      ["tool.fresh", "x", "tool.marked", "content at once", `${BODY}__START_CONTENT__`],
      ["tool.plain", "x</ar", "tool.plain", "content", `${BODY}x`],
      ["tool.plain", "</ARG>", "tool.plain", "a closing tag in another case", `${BODY}x`],
      ["tool.plain", "</arg>", "tool.between", "the content's end", `${BODY}x`],
      ["tool.marked", "x\n__END_CONTENT__\n", "tool.marked", "what may yet be the end", MARKED],
      ["tool.marked", "</arg>x", "tool.marked", "a closing tag that closes no more", MARKED],
      ["tool.marked", "__END_CONTENT__\n</arg>", "tool.between", "end marker and closing tag", MARKED],
      ["tool.marked", "</arg>\n</arguments>", "tool.between", "two closing tags without an end marker", MARKED],
      ["tool.marked", "</arg></tool>", "text", "the tool's closing tag without an end marker", MARKED],
    ],
  ],
  [
    "json",
    [
      ["text", "a < b", "text", "what begins no call", ""],
      ["text", "{", "opening", "a bracket at the end of a chunk", "a"],
      ["text", "{ x", "text", "a bracket before what begins no call", "a"],
      ["text", '{"name"', "json", "the beginning of a call", "a"],
      ["text", '{ a }{\n[ {\n"name"', "json", "the beginning of a call behind other brackets", "a"],
      ["text", "a {\n ", "opening", "a bracket and blanks at the end of a chunk", "a"],
      ["opening", " \n", "opening", "blanks", "{"],
      ["opening", " ".repeat(5000), "text", "more blanks than a header may have", "{"],
      ["opening", '"na me', "text", "a blank within a name", "{"],
      ["opening", '"name"', "json", "the rest of a beginning", "[ {"],
      ["opening", '"tools"', "json", "a beginning within what was none", "[ {"],
      ["json", "}", "json", "a bracket in a string", '{"name": "'],
      ["json", '\\"}', "json", "a quote behind a backslash", '{"name": "'],
      ["json", "}", "json", "an inner bracket's end", '{"name": {'],
      ["json", "}}", "text", "the outer bracket's end", '{"name": {'],
    ],
  ],
  [
    "sentinel",
    [
      ["text", "a ] <run_bash>", "text", "what begins no sentinel", ""],
      ["text", "[", "opening", "a bracket at the end of a chunk", "a"],
      ["text", "[1]", "text", "a bracket before what begins no sentinel", "a"],
      ["text", '[[SEG_START {"type":"text"}]]', "block", "a whole header", ""],
      ["opening", "x", "text", "what no header has there", "[[SEG_START "],
      ["opening", '{"a":"]]"', "opening", "brackets in a string", "[[SEG_START "],
      ["opening", "[[SEG_START", "opening", "a start marker that begins anew", '[[SEG_START {"a":"'],
      ["opening", "]", "opening", "one closing bracket", '[[SEG_START {"type":"text"}'],
      ["opening", "]]", "block", "both closing brackets", '[[SEG_START {"type":"text"} '],
      ["opening", "]]", "text", "the end of a header of no known type", '[[SEG_START {"type":"x"}'],
      ["opening", "]]", "text", "the end of a header that is no JSON", "[[SEG_START {type}"],
      ["block", "[[SEG_END]", "block", "the beginning of an end marker", '[[SEG_START {"type":"text"}]]'],
      ["block", "[[SEG_END]]", "text", "an end marker", '[[SEG_START {"type":"text"}]]'],
    ],
  ],
  ["api_tool_call", [["text", '<run_bash>{"name":[[SEG_START', "text", "anything", ""]]],
]

for (const [strategy, edges] of EDGES) {
  describe(`${strategy}: from state to state`, () => {
    for (const [from, piece, to, why, before] of edges) {
      test(`${from} → ${to} by ${why}`, () => {
        expect(stateAfter(strategy, before)).toBe(from)
        expect(stateAfter(strategy, before, piece)).toBe(to)
        expect(stateAfter(strategy, before, ...piece.split(""))).toBe(to)
      })
    }
  })
}

test("text → foreign by the tag of a registered class", () => {
  registerXmlToolParsingState("Edge_Tool", class extends XmlToolParsingState {})
  const draft = workingCopy(initialParse("xml"), resolveRegistered)
  expect(feedCopy(draft, 'a<tool name="EDGE_TOOL">rest')).toBe("rest")
  expect(draft.mode).toEqual({ at: "foreign", tool: "EDGE_TOOL", tag: '<tool name="EDGE_TOOL">' })
})

describe("when things are said", () => {
  test("text is out in the feed that brought it, and ends at the > of a tag", () => {
    const feed = feeder("xml")
    expect(feed("Hello ")).toEqual(["+text", "Hello "])
    expect(feed("you <run_")).toEqual(["you "])
    expect(feed("bash")).toEqual([])
    expect(feed(">")).toEqual(["-{}", "+run_bash"])
    expect(feed("ls</run_ba")).toEqual(["ls"])
    expect(feed("sh>x")).toEqual(["-{}", "+text", "x"])
  })
  test("what turns out to be no tag is out in the feed that shows it, in the same segment", () => {
    const feed = feeder("xml")
    expect(feed("a<wri")).toEqual(["+text", "a"])
    expect(feed("te x")).toEqual(["<write x"])
    expect(feed('<write_file path="/a"')).toEqual([])
    expect(feed(" y z")).toEqual(['<write_file path="/a" y z'])
  })
  test("a block starts at the > of its tag, without content", () => {
    expect(feeder("xml")('<write_file path="/a">')).toEqual(["+write_file"])
  })
  test("a tool starts when its path is known, and its content streams with nothing but the longest possible end held", () => {
    const feed = feeder("xml")
    expect(feed(`x${WRITE}<arguments><arg name="path">/a`)).toEqual(["+text", "x"])
    expect(feed("</arg>")).toEqual(["-{}", "+write_file"])
    expect(feed('<arg name="content">one <')).toEqual(["one "])
    expect(feed("b> </a")).toEqual(["<b> "])
    expect(feed("rg></arguments></to")).toEqual([])
    expect(feed("ol>")).toEqual(["-{}"])
  })
  test("marked content holds only what may be its end", () => {
    const feed = feeder("xml")
    feed(MARKED)
    expect(feed("one\n")).toEqual(["one"])
    expect(feed("two __EN")).toEqual(["\ntwo "])
    expect(feed("X")).toEqual(["__ENX"])
    expect(feed("\n__END_CONTENT__\n</ar")).toEqual([])
    expect(feed("g")).toEqual([])
    expect(feed(">")).toEqual(["\n"])
  })
  test("a shell tool starts at its command", () => {
    const feed = feeder("xml")
    expect(feed('<tool name="run_bash"><arg name="background">true</arg>')).toEqual([])
    expect(feed('<arg name="command">')).toEqual(["+run_bash"])
  })
  test("a call in JSON starts as soon as it is known to be one, and ends at its bracket", () => {
    const feed = feeder("json")
    expect(feed("hi { ")).toEqual(["+text", "hi "])
    expect(feed('"name')).toEqual([])
    expect(feed('"')).toEqual(["-{}", "+tool_call", '{ "name"'])
    expect(feed(":1} x")).toEqual([":1}", "-{}", "+text", " x"])
  })
  test("a sentinel starts at the last bracket of its header", () => {
    const feed = feeder("sentinel")
    expect(feed('[[SEG_START {"type":"text"}]')).toEqual([])
    expect(feed("]")).toEqual(["+text"])
    expect(feed("a[[SEG_END]")).toEqual(["a"])
    expect(feed("]")).toEqual(["-{}"])
  })
  test("nothing said, nothing comes", () => {
    for (const strategy of ["xml", "json", "sentinel", "api_tool_call"] as const)
      expect(feeder(strategy)("")).toEqual([])
  })
})
