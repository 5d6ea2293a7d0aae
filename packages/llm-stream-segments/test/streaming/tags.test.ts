// Tests tags that the caller names: reasoning, and calls in the forms that model families write.
import { expect, test } from "bun:test"
import type { ParserConfigOptions } from "../../src/streaming/index.ts"
import {
  createStreamingParser,
  initialParse,
  ParserConfig,
  parseXmlArguments,
  TAG_PROFILES,
  ToolInvocationAdapter,
} from "../../src/streaming/index.ts"
import { cut, readOf } from "./parsing.ts"

function eventsOf(parserName: string, options: ParserConfigOptions, text: string, size = 3) {
  const parser = createStreamingParser({ parserName, config: new ParserConfig(options) })
  return [...cut(text, size).flatMap(chunk => parser.feed(chunk)), ...parser.finalize()]
}

const plain = (content: string) => ({ type: "text", metadata: {}, content })
test("a tag's JSON goes on over a closing tag within a string, however the text is cut", () => {
  const written = { name: "note", arguments: { text: 'say \\ "</tool_call>" <' } }
  const call = `<tool_call>${JSON.stringify(written)}</tool_call>`
  const text = `${call} and "more" ${call}`
  for (let size = 1; size <= text.length; size++) {
    const found = eventsOf("xml", { tags: TAG_PROFILES.hermes }, text, size)
    const names = new ToolInvocationAdapter().processEvents(found).map(({ arguments: args }) => args)
    expect(names).toEqual([written.arguments, written.arguments])
    expect(readOf(found)[1]).toEqual(plain(' and "more" '))
  }
})

test("JSON in a tag that names its call goes on over its closing tag within a string", () => {
  const args = { text: "ends with </function></invoke></tool> <b>" }
  const json = JSON.stringify(args)
  for (const [tags, call] of [
    [TAG_PROFILES.llama, `<function=note>${json}</function>`],
    [TAG_PROFILES.claude, `<invoke name="note">\n${json}\n</invoke>`],
    [{}, `<tool name="note"> ${json}</tool>`],
  ] as const) {
    for (let size = 1; size <= call.length; size++) {
      const found = eventsOf("xml", { tags }, `${call}.${call}`, size)
      expect(new ToolInvocationAdapter().processEvents(found).map(each => each.arguments)).toEqual([args, args])
      expect(readOf(found)[1]).toEqual(plain("."))
    }
  }
})

test("an unclosed string ends with its line, so it swallows neither the prose nor the call after it", () => {
  const next = '<tool_call>{"name": "weather", "arguments": {"city": "Paris"}}</tool_call>'
  const broken = '{"name": "f", "arguments": {"x": "abc}}'
  for (const [before, type] of [
    [`<tool_call>\n${broken}\n</tool_call>`, {}],
    [`<tool_call>${broken}</tool_call> and so on`, { end: { complete: false } }],
    [`<tool_call>${broken}\\</tool_call>\\`, { end: { complete: false } }],
  ] as const) {
    const text = `${before}\nProse.\n${next}`
    for (let size = 1; size <= text.length; size++) {
      const found = eventsOf("xml", { tags: TAG_PROFILES.hermes }, text, size)
      const content = before.replace(/^<tool_call>|<\/tool_call>$/g, "")
      expect<unknown>(readOf(found).slice(0, 2)).toEqual([
        { type: "tool_call", metadata: {}, content, ...type },
        plain("\nProse.\n"),
      ])
      expect(new ToolInvocationAdapter().processEvents(found).map(({ name }) => name)).toEqual(["weather"])
    }
  }
})

test("JSON with a line break in a string swallows at most 64 KB of what follows", () => {
  const call = '{"name": "weather", "arguments": {"city": "Paris"}}'
  const broken = '{"name": "f", "arguments": {"x": "abc'
  // The first break counts, not a later one.
  const prose = `"y\n${"x".repeat(65_536 - 1 - 3)}`
  for (const size of [1000, 4096, 100_000]) {
    for (const [parserName, head] of [
      ["json", ""],
      ["xml", "<tool_call>"],
    ] as const) {
      const tail = parserName === "json" ? call : `<tool_call>${call}</tool_call>`
      const found = eventsOf(parserName, { tags: TAG_PROFILES.hermes }, `${head}${broken}\n${prose}${tail}`, size)
      expect<unknown>(readOf(found)).toEqual([
        { type: "tool_call", metadata: {}, content: `${broken}\n${prose}`, end: { complete: false } },
        { type: "tool_call", metadata: {}, content: call },
      ])
    }
  }
})

test("a name that no tag can have is refused", () => {
  expect(() => initialParse("xml", { tags: { "a b": "json" } })).toThrow(/expected a tag name/)
})

test("six megabytes of attributes are read without an exception, in every engine", () => {
  expect(parseXmlArguments(`<a${" b='1'".repeat(1_000_000)}>x</a>`)).toEqual({})
})
