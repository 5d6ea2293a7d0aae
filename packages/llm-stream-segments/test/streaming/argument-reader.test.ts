// Tests that a call's arguments stream: each as it comes, and joined what the invocation has in the end.
import { expect, test } from "bun:test"
import fc from "fast-check"
import { forAll } from "../../../../test/for-all.ts"
import {
  type ArgumentDelta,
  ArgumentReader,
  ParserConfig,
  type ParserConfigOptions,
  StreamingParser,
  TAG_PROFILES,
  ToolInvocationAdapter,
} from "../../src/streaming/index.ts"
import { cut, cutAt } from "./parsing.ts"

/** The deltas of a text's calls, and their invocations. */
function read(chunks: readonly string[], options: ParserConfigOptions) {
  const parser = new StreamingParser(new ParserConfig(options))
  const events = [...chunks.flatMap(chunk => parser.feed(chunk)), ...parser.finalize()]
  const reader = new ArgumentReader()
  const deltas = events.flatMap(event => reader.processEvent(event))
  return { deltas, calls: new ToolInvocationAdapter().processEvents(events) }
}

/** The arguments that deltas join to, by call. */
function joined(deltas: readonly ArgumentDelta[]): Record<string, Record<string, unknown>> {
  const texts = new Map<string, { id: string; argument: string; text: string; isJson: boolean }>()
  for (const { id, argument, delta, isJson } of deltas) {
    const key = JSON.stringify([id, argument])
    texts.set(key, { id, argument, text: (texts.get(key)?.text ?? "") + delta, isJson })
  }
  const calls: Record<string, Record<string, unknown>> = {}
  for (const { id, argument, text, isJson } of texts.values()) {
    calls[id] = { ...calls[id], [argument]: isJson ? JSON.parse(text) : text }
  }
  return calls
}

const HERMES = { tags: TAG_PROFILES.hermes }
const hermes = (call: unknown) => `<tool_call>\n${JSON.stringify(call)}\n</tool_call>`

test("the arguments of a call stream from a tag that closes only if what follows it comes within 512 blanks", () => {
  const text = (blanks: number) =>
    `<tool name="f"><arguments><arg name="q">a</arg>${" ".repeat(blanks)}<arg name="r">b</arg></arguments></tool>`
  expect(joined(read([text(512)], {}).deltas)).toEqual({ seg_1: { q: "a", r: "b" } })
  // What the opening says of them is told once.
  const begun = '[[SEG_START {"type":"tool","name":"f","arguments":{"a":1}}]]x[[SEG_END]]'
  expect(read([begun], { strategyOrder: ["sentinel"] }).deltas.map(({ delta }) => delta)).toEqual(["1"])
  const q = `a</arg>${" ".repeat(513)}<arg name="r">b`
  expect(joined(read([text(513)], {}).deltas)).toEqual({ seg_1: { q } })
})

test("however a JSON call is cut, its deltas join to the arguments of its invocation, and hold no half character", async () => {
  const value = fc.oneof(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 2 }))
  const args = fc.dictionary(fc.string({ minLength: 1 }), value, { noNullPrototype: true })
  // As some models write it: every character beyond ASCII escaped.
  const escaped = (text: string) =>
    text.replace(/[\u0080-\uffff]/g, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`)
  const places = fc.array(fc.nat({ max: 300 }), { maxLength: 12 })
  await forAll([args, places, fc.boolean()], 300, (given, at, isEscaped) => {
    const text = hermes({ name: "f", arguments: given })
    const chunks = cutAt(isEscaped ? escaped(text) : text, at)
    const { deltas, calls } = read(chunks, HERMES)
    fc.pre(calls.length === 1)
    const filled = Object.entries(calls[0]?.arguments ?? {}).filter(([, each]) => each !== "")
    expect(joined(deltas).seg_1 ?? {}).toEqual(Object.fromEntries(filled))
    expect(deltas.filter(({ delta }) => !delta.isWellFormed() && text.isWellFormed())).toEqual([])
  })
})

test("hostile arguments neither throw nor tell more than was written", () => {
  const texts = ["[", '{"a":', "\\", '"', "<arg name=", "<a", "</arg>", " ", '{"arguments":{"a":"\\', "\\u"]
  for (const text of texts) {
    for (const wrapped of [
      `<tool name="f">${text.repeat(4_000)}`,
      `<tool_call>{"arguments":{"x":"${text.repeat(4_000)}`,
    ]) {
      const { deltas } = read(cut(wrapped, 4), HERMES)
      const length = deltas.reduce((sum, { delta }) => sum + delta.length, 0)
      expect(length).toBeLessThanOrEqual(wrapped.length)
    }
  }
})
