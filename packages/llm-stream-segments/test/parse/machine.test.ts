// Keeps the parser's states, and what it emits with each piece of a text.
import { expect, test } from "bun:test"
import { FULL_KIT } from "../../src/parse/formats/full-kit.ts"
import { driveCopy } from "../../src/parse/machine.ts"
import { workingCopy } from "../../src/parse/working-copy.ts"
import {
  initialParse,
  type ParserName,
  registerXmlToolParsingState,
  stepParse,
  XmlToolParsingState,
} from "../../src/streaming/index.ts"
import { resolverOf, stateClassesOf } from "../../src/streaming/state-classes.ts"
import { feeder } from "../streaming/parsing.ts"
import { shown, texts } from "../streaming/picture.ts"

/** The states that a parser passes through while it reads a text by characters. */
function path(strategy: ParserName, text: string): string {
  let state = initialParse(strategy)
  const names: string[] = []
  for (const char of text) {
    state = stepParse(state, char).state
    const { mode } = state
    const name = mode.at === "tool" ? mode.part.at : mode.at
    if (names.at(-1) !== name) names.push(name)
  }
  return names.join(" ")
}

test.each([
  ["autobyteus", "xml"],
  ["json", "json"],
  ["sentinel", "sentinel"],
  ["json", "api_tool_call"],
] as const)("the states of the texts in %s under %s", (file, strategy) => {
  const lines = texts(file).map(text => `${shown(text)}\n  ${path(strategy, text)}`)
  expect(lines.join("\n")).toMatchSnapshot()
})

/** Texts in pieces, which bars divide. */
const PIECES: readonly (readonly [ParserName, string])[] = [
  ["xml", "Hello |you <run_|bash|>|ls</run_ba|sh>x"],
  ["xml", 'a<wri|te x|<write_file path="/a"| y z'],
  ["xml", '<write_file path="/a">|x|</write_file>'],
  [
    "xml",
    'x<tool name="write_file"><arguments><arg name="path">/a|</arg>|<arg name="content">one <|b> </a|rg></arguments></to|ol>',
  ],
  [
    "xml",
    '<tool name="write_file"><arg name="path">/a</arg><arg name="content">__START_CONTENT__\n|one\n|two __EN|X|\n__END_CONTENT__\n</ar|g|>',
  ],
  ["xml", '<tool name="run_bash"><arg name="background">true</arg>|<arg name="command">'],
  ["xml", '<tool name="write_file"><arg name="content">__START_CONTENT__\nx\n__END_CONTENT__</arg></tool>'],
  ["xml", "<run_bash>|ab😀\ud83d|\ude00😀|\ud83d|\ude00"],
  ["xml", "<toolchain and |<write_files |<run_bashful |<tool and so on |<tool x>"],
  ["xml", "||"],
  ["json", 'hi { |"name|"|:1} x'],
  ["json", '[ |{"tool|s":[]}|]'],
  ["sentinel", '[[SEG_START {"type":"text"}]|]|a[[SEG_END]|]'],
  ["api_tool_call", "a |<run_bash>|"],
]

test.each(PIECES)("what %s emits with each piece of %j", (strategy, text) => {
  const feed = feeder(strategy)
  const lines = text.split("|").map(piece => `${JSON.stringify(piece)}: ${JSON.stringify(feed(piece))}`)
  expect(lines.join("\n")).toMatchSnapshot()
})

test("text → foreign by the tag of a registered class", () => {
  registerXmlToolParsingState("Edge_Tool", class extends XmlToolParsingState {})
  const copy = workingCopy(initialParse("xml"), { ...FULL_KIT, resolve: resolverOf(stateClassesOf()) })
  expect(driveCopy(copy, 'a<tool name="EDGE_TOOL">rest')).toBe("rest")
  expect(copy.mode).toEqual({ at: "foreign", tool: "EDGE_TOOL", tag: '<tool name="EDGE_TOOL">' })
})
