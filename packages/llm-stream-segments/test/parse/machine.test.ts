// Keeps the parser's states, and what it emits with each piece of a text.
import { expect, test } from "bun:test"
import { FULL_KIT } from "../../src/parse/formats/full-kit.ts"
import { driveCopy, endCopy } from "../../src/parse/machine.ts"
import { workingCopy } from "../../src/parse/working-copy.ts"
import {
  initialParse,
  type ParserName,
  registerXmlToolParsingState,
  stepParse,
  XmlToolParsingState,
} from "../../src/streaming/index.ts"
import { resolverOf, stateClassesOf } from "../../src/streaming/state-classes.ts"
import { feeder, read } from "../streaming/parsing.ts"
import { shown, streams, texts } from "../streaming/picture.ts"

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

/** Parsers, and texts in pieces, which bars divide. */
const PIECES: readonly (readonly [ParserName, string])[] = streams("pieces")

test.each(PIECES)("what %s emits with each piece of %j", (strategy, text) => {
  const [feed, pieces] = [feeder(strategy), text.split("|")]
  const lines = pieces.map(piece => `${JSON.stringify(piece)}: ${JSON.stringify(feed(piece))}`)
  expect([...lines, `in all ${JSON.stringify(read(strategy, pieces))}`].join("\n")).toMatchSnapshot()
})

test("text → foreign by the tag of a registered class, and text at the end if no class takes over", () => {
  registerXmlToolParsingState("Edge_Tool", class extends XmlToolParsingState {})
  const copy = workingCopy(initialParse("xml"), { ...FULL_KIT, resolve: resolverOf(stateClassesOf()) })
  expect(driveCopy(copy, 'a<tool name="EDGE_TOOL">rest')).toBe("rest")
  expect(copy.mode).toEqual({ at: "foreign", tool: "EDGE_TOOL", tag: '<tool name="EDGE_TOOL">' })
  endCopy(copy, false)
  expect(copy.events.map(({ payload }) => payload.delta ?? "").join("")).toBe('a<tool name="EDGE_TOOL">')
})
