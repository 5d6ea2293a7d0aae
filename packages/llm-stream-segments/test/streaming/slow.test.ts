// Tests, by counting the characters that methods of strings look at, that reading is linear on inputs known to be slow elsewhere.
import { describe, expect, test } from "bun:test"
import { TagArguments } from "../../src/parse/tag-arguments.ts"
import { stateOf } from "../../src/parse/working-copy.ts"
import type { ParserName } from "../../src/streaming/index.ts"
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
function reads(config: ParserName | ParserConfig, make: (length: number) => string, most = 60): void {
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

describe("steps grow with the text, in chunks of 4 and in one", () => {
  test("closing tags and line breaks in a string of JSON", () => {
    const pieces = ["</tool", "</tool>", "</", "\\</tool>", "\n", '"\n', '{"', "x"]
    for (const piece of pieces) reads("xml", after('<tool name="f">{"a": "', piece))
  })
  test("backticks that begin no code, in the safe profile", () => {
    const lengths = Array.from({ length: 60 }, (_, i) => `${"`".repeat(i + 1)}x`).join("")
    for (const piece of [
      "`",
      "`x",
      "`x\n",
      "``` x",
      "~~~",
      "\n```x",
      "> ",
      `${lengths}\n`,
      "`<run_bash>",
      "<run_bash>a",
    ]) {
      reads(new ParserConfig({ safe: true }), repeat(piece), 320)
    }
  })
  test("tags of arguments that are none, that never end, or that end again and again", () => {
    const tags = { ...TAG_PROFILES.qwenCoder, ...TAG_PROFILES.kimiK2, ...TAG_PROFILES.minimaxM3 }
    const [call, m3] = ["<function=f>", ']<]minimax[>[<invoke name="f">']
    for (const [head, piece] of [
      [call, "<parameter=a>"],
      [call, "<parameter="],
      [call, "</parameter>"],
      [`${call}<parameter=a>`, "</parameter>"],
      [`${call}<parameter=a>`, `</parameter>${" ".repeat(500)}`],
      [`${call}<parameter=a>`, "</parameter><param"],
      [call, "<a><"],
      [call, "x"],
      ["", `${call}<parameter=a>b</parameter></function>`],
      ["", "<|tool_call_begin|>f"],
      ["", "<|tool_call_begin|>f<|tool_call_argument_begin|"],
      [m3, "]<]minimax[>[<a>"],
      [`${m3}]<]minimax[>[<a>`, "]<]minimax[>["],
    ] as const) {
      reads(new ParserConfig({ safe: true, tags }), after(head, piece), 160)
    }
  })
  test("Q1: <tool and prose without >", () => {
    reads("xml", after("<tool ", "prose and more "))
    reads("xml", repeat("<tool "))
    reads("xml", repeat('<tool a="1" '))
    reads("xml", repeat(`<tool a='${" ".repeat(5000)}`))
  })
  test("Q2: a write_file tool whose content never comes", () => {
    reads("xml", after('<tool name="write_file">', '<arg name="x">y</arg>'))
    reads("xml", after('<tool name="write_file"><arg name="content">', "text and more "))
    reads("xml", repeat(`<tool name="write_file"><arg name="content">${"x".repeat(9_000)}`))
    reads("xml", after('<tool name="write_file">', "\n"))
    reads("xml", repeat('<tool name="write_file">'))
  })
  test("Q2b: a run_bash tool with the same argument again and again", () => {
    reads("xml", after('<tool name="run_bash">', '<arg name="background">'))
    reads("xml", after('<tool name="run_bash">', '<arg name="background">true</arg>'))
    reads("xml", after('<tool name="run_bash"><arg name="command">x</arg>', '<arg name="timeout_seconds">1</arg>'))
  })
  test("Q3: an opening bracket and blanks", () => {
    reads("json", after("{", " "))
    reads("json", repeat(`{${" ".repeat(300)}[${" ".repeat(300)}`))
    reads("json", repeat(`[{${" ".repeat(5000)}`))
    reads("json", repeat('[{"to'))
  })
  test("Q4: many small blocks", () => {
    reads("xml", repeat("<run_bash>x</run_bash>y"))
    reads("xml", repeat('<tool name="write_file"><arg name="path">/a</arg><arg name="content">x</arg></tool>'))
    // Each call looks for a backslash up to the end of its window of 4,096.
    reads("json", repeat('{"name":1}'), 600)
    reads("sentinel", repeat('[[SEG_START {"type":"text"}]]x[[SEG_END]]'))
  })
  test("Q5: one kind of bracket and none of the other", () => {
    reads("json", repeat("{ a } "))
    reads("json", repeat("[ a ] "))
  })
  test("Q6: an end marker and blanks", () => {
    const open = '<tool name="write_file"><arg name="path">/a</arg><arg name="content">__START_CONTENT__\n'
    reads("xml", after(`${open}__END_CONTENT__`, " "))
    reads("xml", after(open, "__END_CONTENT__ "))
    reads("xml", after(open, "\n"))
    reads("xml", after(open, "</arg>\n"))
    reads("xml", after(open, "__END_"))
    reads("xml", after('<tool name="write_file"><arg name="path">/a</arg><arg name="content">', "\n "))
  })
  test("Q10: a sentinel's header that never ends", () => {
    reads("sentinel", after('[[SEG_START {"type":"', "x"))
    reads("sentinel", repeat("[[SEG_START {"))
    reads("sentinel", repeat('[[SEG_START {"a":"'))
    reads("sentinel", repeat(`[[SEG_START {"a":[${" ".repeat(4000)}`))
    reads("sentinel", repeat("["))
  })
  test("false closing tags", () => {
    reads("xml", after("<run_bash>", "</run_bas"))
    reads("xml", after("<run_bash>", "<"))
    reads("sentinel", after('[[SEG_START {"type":"text"}]]', "[[SEG_EN"))
    reads("xml", repeat("<"))
  })
  test("all syntaxes at once", () => {
    const config = new ParserConfig({ strategyOrder: ["xml_tag", "json_tool", "sentinel"] })
    for (const piece of ["<tool [[SEG_START {", "[[SEG_START { <run_bash>x</run_bash>", '[ { "to', "{ [", "[[[["]) {
      reads(config, repeat(piece))
    }
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
