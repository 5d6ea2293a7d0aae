// Tests that a call's arguments stream: each as it comes, and joined what the invocation has in the end.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { forAll } from "../../../../test/for-all.ts"
import {
  ApiToolCallStreamingResponseHandler,
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

/** The name that the deltas of each call have. */
const named = (deltas: readonly ArgumentDelta[]) => Object.fromEntries(deltas.map(({ id, name }) => [id, name]))
const shown = (deltas: readonly ArgumentDelta[]) => deltas.map(({ argument, delta }) => `${argument}: ${delta}`)
const HERMES = { tags: TAG_PROFILES.hermes }
const hermes = (call: unknown) => `<tool_call>\n${JSON.stringify(call)}\n</tool_call>`

describe("the arguments of a call stream", () => {
  test("from tags, trimmed, with elements as text", () => {
    const text = '<tool name="f"><arguments><arg name="q">\n a <b>c</b> \n</arg><days>3</days></arguments></tool>'
    expect(shown(read(cut(text, 8), {}).deltas)).toEqual(["q: a <b>c", "q: </b>", "days: 3"])
    const own = '<invoke name="f"><parameter name="q">x y</parameter></invoke>'
    expect(joined(read(cut(own, 1), { tags: TAG_PROFILES.claude }).deltas)).toEqual({ seg_1: { q: "x y" } })
  })

  test("from a tag that closes only if what follows it comes within 512 blanks", () => {
    const text = (blanks: number) =>
      `<tool name="f"><arguments><arg name="q">a</arg>${" ".repeat(blanks)}<arg name="r">b</arg></arguments></tool>`
    expect(joined(read([text(512)], {}).deltas)).toEqual({ seg_1: { q: "a", r: "b" } })
    const q = `a</arg>${" ".repeat(513)}<arg name="r">b`
    expect(joined(read([text(513)], {}).deltas)).toEqual({ seg_1: { q } })
  })

  test("from JSON, with texts decoded and other values as JSON", () => {
    const call = { name: "f", arguments: { q: 'a "b"\n😀', list: [1, { x: "}" }], on: true, n: -1.5, no: null } }
    for (const size of [1, 2, 5, 1000]) {
      const { deltas } = read(cut(hermes(call), size), HERMES)
      expect(joined(deltas)).toEqual({ seg_1: call.arguments })
    }
    const { deltas } = read(['<tool_call>{"name": "f", "arguments": {"n": 12345678901234567890}}</tool_call>'], HERMES)
    expect(shown(deltas)).toEqual(["n: 12345678901234567890"])
  })

  test("from JSON as some models write it, with a line break within a text beside an escape", () => {
    for (const size of [1, 2, 3, 1000]) {
      const { deltas } = read(
        cut('<tool_call>{"name":"f","arguments":{"q":"a\n\\"b\\u00e9"}}</tool_call>', size),
        HERMES,
      )
      expect(deltas.map(({ delta }) => delta).join("")).toBe('a\n"bé')
    }
  })

  test("from JSON within a JSON text, and from several calls under the ids of their invocations", () => {
    const tool_calls = ["a", "b"].map(name => ({ function: { name, arguments: JSON.stringify({ q: `"${name}"\n` }) } }))
    const { deltas, calls } = read(cut(hermes({ tool_calls }), 3), HERMES)
    expect(joined(deltas)).toEqual({ seg_1: { q: '"a"\n' }, "seg_1.2": { q: '"b"\n' } })
    expect(calls.map(({ id }) => id)).toEqual(["seg_1", "seg_1.2"])
  })

  test("under the name of their call, as soon as it is known", () => {
    const args = { q: "x", on: true }
    for (const [call, name] of [
      [{ name: "f", arguments: args }, "f"],
      [{ function: { name: "f", arguments: JSON.stringify(args) } }, "f"],
      [{ tool: "f", parameters: { ...args, name: "inner" } }, "f"],
      [{ arguments: args, name: "f" }, ""],
    ] as const) {
      expect(named(read(cut(hermes(call), 1), HERMES).deltas)).toEqual({ seg_1: name })
    }
    expect(
      named(
        read(
          [
            hermes([
              { name: "a", args },
              { name: "b", args },
            ]),
          ],
          HERMES,
        ).deltas,
      ),
    ).toEqual({
      seg_1: "a",
      "seg_1.2": "b",
    })
    const tags =
      '<run_bash>ls</run_bash><tool name="f"><arg name="q">x</arg></tool><write_file path="/a">x</write_file>'
    expect(named(read([tags], {}).deltas)).toEqual({ seg_1: "run_bash", seg_2: "f", seg_3: "write_file" })
  })

  test("of a command and a file: the content, and what else is known", () => {
    const text = '<write_file path="/a">x = 1</write_file><run_bash background="true">ls</run_bash>'
    expect(shown(read([text], {}).deltas)).toEqual(["path: /a", "content: x = 1", "background: true", "command: ls"])
  })

  test("of a native call, to a handler's listener", () => {
    const seen: ArgumentDelta[] = []
    const handler = new ApiToolCallStreamingResponseHandler({ onArgument: delta => seen.push(delta) })
    const args = JSON.stringify({ city: "Paris \\ é", days: 3 })
    for (const [at, piece] of cut(args, 4).entries()) {
      handler.feed({
        tool_calls: [{ index: 0, call_id: "c", ...(at === 0 ? { name: "f" } : {}), arguments_delta: piece }],
      })
    }
    handler.finalize()
    expect(joined(seen)).toEqual({ c: { city: "Paris \\ é", days: 3 } })
    expect(seen.length).toBeGreaterThan(3)
  })
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

test("hostile arguments neither throw nor take more than linear time", () => {
  const texts = ["[", '{"a":', "\\", '"', "<arg name=", "<a", "</arg>", " ", '{"arguments":{"a":"\\', "\\u"]
  for (const text of texts) {
    for (const wrapped of [
      `<tool name="f">${text.repeat(20_000)}`,
      `<tool_call>{"arguments":{"x":"${text.repeat(20_000)}`,
    ]) {
      const { deltas } = read(cut(wrapped, 4), HERMES)
      const length = deltas.reduce((sum, { delta }) => sum + delta.length, 0)
      expect(length).toBeLessThanOrEqual(wrapped.length)
    }
  }
})
