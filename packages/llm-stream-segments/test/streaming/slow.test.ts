// Tests, by counting the characters that methods of strings look at, that reading is linear on inputs known to be slow elsewhere.
import { describe, expect, test } from "bun:test"
import { TagArguments } from "../../src/parse/tag-arguments.ts"
import { stateOf } from "../../src/parse/working-copy.ts"
import {
  createStreamingParser,
  initialParse,
  ParserConfig,
  parseXmlArguments,
  StreamingParser,
  stepParse,
  TAG_PROFILES,
} from "../../src/streaming/index.ts"
import { cut, stepsFor, stepsOf } from "./parsing.ts"
import { textFile, unfolded } from "./picture.ts"

const WHOLE = 1e9
const SIZES = [8_000, 32_000]

/** Expects at most `most` steps per character at each size, and linear growth. */
function isLinear(
  stepsOf: (length: number) => { readonly steps: number; readonly length: number },
  most: number,
): void {
  const runs = SIZES.map(stepsOf)
  for (const { steps, length } of runs) expect(steps / length).toBeLessThan(most)
  const [first, last] = [runs[0], runs.at(-1)]
  if (first === undefined || last === undefined) throw new Error("no runs")
  const slope = Math.log(last.steps / first.steps) / Math.log(last.length / first.length)
  // One is linear, two is quadratic. Beyond 64 KB a tool may turn out to be text, which is read differently.
  expect(slope).toBeLessThan(1.4)
}

/** Reads in chunks of several sizes, with `config` or the strategy of that name. */
function reads(config: string | ParserConfig, make: (length: number) => string, most: number): void {
  for (const chunk of [4, WHOLE]) {
    isLinear(length => {
      const text = make(length)
      const parser =
        typeof config === "string" ? createStreamingParser({ parserName: config }) : new StreamingParser(config)
      return { steps: stepsFor(parser, text, chunk), length: text.length }
    }, most)
  }
}

const repeat = (piece: string) => (length: number) => piece.repeat(Math.ceil(length / piece.length))
const after = (head: string, piece: string) => (length: number) => head + repeat(piece)(length)

/** Parsers that are more than one syntax. */
const CONFIGS: Readonly<Record<string, ParserConfig>> = {
  safe: new ParserConfig({ safe: true }),
  formats: new ParserConfig({
    safe: true,
    tags: { ...TAG_PROFILES.qwenCoder, ...TAG_PROFILES.kimiK2, ...TAG_PROFILES.minimaxM3 },
  }),
  all: new ParserConfig({ strategyOrder: ["xml_tag", "json_tool", "sentinel"] }),
}

describe("steps grow with the text, in chunks of 4 and in one", () => {
  const slow: readonly [name: string, parser: string, most: number, texts: [head: string, piece: string][]][] =
    JSON.parse(textFile("slow.json"))
  test.each(slow)("%s", (_, parser, most, texts) => {
    for (const [head, piece] of texts) reads(CONFIGS[parser] ?? parser, after(head, unfolded(piece)), most)
  })
})

describe("arguments of a generic tool", () => {
  const args = (make: (length: number) => string) =>
    isLinear(length => {
      const xml = make(length)
      const reader = new TagArguments()
      const steps = stepsOf(() => {
        reader.feed(xml)
        reader.end()
      })
      return { steps, length: xml.length }
    }, 520)
  test("Q7: elements that are never closed", () => {
    args(repeat("<a>"))
    args(after('<arg name="x">', "<a>b "))
    args(repeat('<a b="'))
    args(repeat("<"))
  })
  test("Q8: elements within elements", () => {
    args(length => "<a>".repeat(length / 7) + "</a>".repeat(length / 7))
    args(repeat("</a>"))
  })
})

describe("limits", () => {
  test.each([
    ["a header of 4 KB", 4096, (size: number) => `<write_file path="/${"a".repeat(size - 21)}">`],
    ["an attribute's name of 256 characters", 256, (size: number) => `<run_bash ${"a".repeat(size)}="1">`],
  ] as const)("%s is allowed; a longer one makes the tag text", (_, most, header) => {
    const isText = (size: number) => stepParse(initialParse("xml"), header(size)).state.segment?.type === "text"
    expect([isText(most), isText(most + 1)]).toEqual([false, true])
  })
  test("six megabytes of attributes are read without an exception", () => {
    expect(parseXmlArguments(`<a${" b='1'".repeat(1_000_000)}>x</a>`)).toEqual({})
  })
  test.each([
    [65_000, "write_file"],
    [66_000, "text"],
  ])("a tool whose required argument follows %d characters is read as %s, however it is split", (most, type) => {
    const content = "x".repeat(most)
    const text = `<tool name="write_file"><arg name="content">${content}</arg><arg name="path">/a</arg></tool>`
    for (const size of [7, 64, WHOLE]) {
      let state = initialParse("xml")
      const events = cut(text, size).flatMap(chunk => {
        const next = stepParse(state, chunk)
        state = next.state
        return next.events
      })
      expect<string[]>(events.flatMap(event => event.segment_type ?? [])).toEqual([type])
      // From the same character.
      expect(events.map(({ payload }) => payload.delta ?? "").join("")).toBe(type === "text" ? text : content)
    }
  })
})

test("2 MB in one chunk, in 64-character and in 4-character chunks leave nothing in the parser", () => {
  const piece = `${"prose and more of it, ".repeat(80)}<run_bash>${"echo hi; ".repeat(20)}</run_bash> n < 10`
  const text = piece.repeat(Math.ceil(2_000_000 / piece.length))
  const blocks = text.split("<run_bash>").length - 1
  for (const size of [WHOLE, 64, 4]) {
    const parser = createStreamingParser({ parserName: "xml" })
    let ends = 0
    for (let at = 0; at < text.length; at += size) {
      for (const { event_type } of parser.feed(text.slice(at, at + size))) if (event_type === "SEGMENT_END") ends++
    }
    expect(ends).toBe(blocks * 2)
    expect(JSON.stringify(stateOf(parser.context.draft)).length).toBeLessThan(1000)
  }
})
