// Tests that what providers stream becomes chunks, from their servers' answers and from their SDKs' events.
import { describe, expect, test } from "bun:test"
import { fromAnthropic, fromOpenAI, fromSSE, segments } from "../../src/streaming/index.ts"
import { cut } from "./parsing.ts"

const bytes = (text: string, size: number) => cut(text, size).map(part => new TextEncoder().encode(part))

async function* streamed<Value>(values: Iterable<Value>) {
  yield* values
}

describe("server-sent events", () => {
  test("are read however they are cut, with any line end, up to [DONE]", async () => {
    const text =
      ': hello\r\nevent: x\r\ndata: {"a":\r\ndata: "é"}\r\n\r\n\ndata:{"b":2}\n\ndata: [DONE]\n\ndata: nothing\n\n'
    const all = new TextEncoder().encode(text)
    expect(await Array.fromAsync(fromSSE([text.replace(/\r?\n/g, "\r")]))).toEqual([{ a: "é" }, { b: 2 }])
    for (let size = 1; size < all.length; size++) {
      const chunks = Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size))
      expect(await Array.fromAsync(fromSSE(streamed(chunks)))).toEqual([{ a: "é" }, { b: 2 }])
    }
  })

  test("end with the stream, even without a line end, and are those of an answer", async () => {
    expect(await Array.fromAsync(fromSSE(new Response('data: {"a":1}')))).toEqual([{ a: 1 }])
    expect(await Array.fromAsync(fromSSE(["data: 1\n\n"]))).toEqual([1])
  })

  test("that are no JSON, and answers that are errors, say what they were", async () => {
    expect(await Array.fromAsync(fromSSE(["data: <html>\n\n"])).catch(String)).toBe(
      "Error: expected JSON in an event, got <html>",
    )
    for (const text of ['{"choices":[{"message":{"content":"Hi"}}]}', "<html>", 'data: 1\n\nerror: {"code":500}\n\n'])
      expect(await Array.fromAsync(fromSSE(new Response(text))).catch(String)).toMatch(
        /expected server-sent events, got ({"ch|<html>|error: )/,
      )
    const refused = new Response("no key", { status: 401 })
    expect(await Array.fromAsync(fromOpenAI(refused)).catch(String)).toBe("Error: expected a stream, got 401: no key")
    const error = { error: { message: "overloaded" } }
    expect(await Array.fromAsync(fromOpenAI([error])).catch(String)).toMatch(/got an error: .*overloaded/)
    const event = { type: "error", error: { type: "overloaded_error" } }
    expect(await Array.fromAsync(fromAnthropic([event])).catch(String)).toMatch(/got an error: .*overloaded_error/)
  })

  test("leave their source cancelled when the reader stops", async () => {
    let isCancelled = false
    const stream = new ReadableStream({
      pull: controller =>
        controller.enqueue(new TextEncoder().encode('data: {"choices":[{"delta":{"content":"x"}}]}\n\n')),
      cancel: () => {
        isCancelled = true
      },
    })
    for await (const segment of segments(fromOpenAI(new Response(stream)))) if (segment.type === "text") break
    expect(isCancelled).toBe(true)
  })
})

/** The segments of chunks, as type, content and calls. */
async function read(chunks: ReturnType<typeof fromOpenAI>) {
  const all = await Array.fromAsync(segments(chunks), one => one.whole())
  return all.map(({ type, content, invocations }) => [
    type,
    content,
    ...invocations.map(one => [one.id, one.name, one.arguments]),
  ])
}

test("OpenAI's chunks give reasoning, text and native calls, from the SDK and from bytes", async () => {
  const delta = (fields: object) => ({ id: "1", choices: [{ index: 0, delta: fields }] })
  const chunks = [
    delta({ role: "assistant", content: null, reasoning_content: "Hm." }),
    delta({ content: "Hi" }),
    delta({ tool_calls: [{ index: 0, id: "c", type: "function", function: { name: "f", arguments: "" } }] }),
    delta({ tool_calls: [{ index: 0, function: { arguments: '{"a":1}' } }] }),
    { id: "1", choices: [], usage: {} },
  ]
  const expected = [
    ["reasoning", "Hm."],
    ["text", "Hi"],
    ["tool_call", '{"a":1}', ["c", "f", { a: 1 }]],
  ]
  expect(await read(fromOpenAI(streamed(chunks)))).toEqual(expected)
  const text = `${chunks.map(chunk => `data: ${JSON.stringify(chunk)}\n\n`).join("")}data: [DONE]\n\n`
  expect(await read(fromOpenAI(new Response(new Blob(bytes(text, 7)))))).toEqual(expected)
})

const named = (args: unknown, more: object = {}) => ({
  tool_calls: [{ index: 0, id: "c", function: { name: "delete_all", arguments: args }, ...more }],
})
const choice = (delta: object, more: object = {}) => ({ choices: [{ index: 0, delta, ...more }] })
const use = (input: object) => [
  { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "c", name: "delete_all", input } },
  { type: "content_block_stop", index: 0 },
]
const stop = (reason: string) => ({ type: "message_delta", delta: { stop_reason: reason } })

test("a call that the provider cut off before its arguments is not made; one that has none is", async () => {
  const cutOff = [["tool_call", ""]]
  const none = [["tool_call", "", ["c", "delete_all", {}]]]
  expect(await read(fromOpenAI([choice(named(""))]))).toEqual(cutOff)
  for (const reason of ["length", "content_filter"])
    expect(await read(fromOpenAI([choice(named("")), choice({}, { finish_reason: reason })]))).toEqual(cutOff)
  expect(await read(fromOpenAI([choice(named(null)), choice({}, { finish_reason: "tool_calls" })]))).toEqual(none)
  expect(await read(fromAnthropic(use({})))).toEqual(cutOff)
  expect(await read(fromAnthropic([...use({}), stop("max_tokens")]))).toEqual(cutOff)
  expect(await read(fromAnthropic([...use({}), stop("tool_use")]))).toEqual(none)
})

test("arguments that come as an object, or with the call, are its arguments", async () => {
  const made = [["tool_call", '{"a":1}', ["c", "delete_all", { a: 1 }]]]
  expect(await read(fromOpenAI([choice(named({ a: 1 }))]))).toEqual(made)
  expect(await read(fromAnthropic(use({ a: 1 })))).toEqual(made)
  expect(await read(fromOpenAI([choice(named(7), { finish_reason: "tool_calls" })]))).toEqual([["tool_call", "7"]])
})

test("of several answers the first is read, and of one without a stream its message", async () => {
  const chunks = ["A", "B"].map((content, index) => ({ choices: [{ index, delta: { content } }] }))
  expect(await read(fromOpenAI(chunks))).toEqual([["text", "A"]])
  expect(await read(fromOpenAI([{ choices: [{ message: { content: "A" } }] }]))).toEqual([["text", "A"]])
})

test("a refusal, and a text in parts, are read", async () => {
  expect(await read(fromOpenAI([choice({ content: null, refusal: "No." })]))).toEqual([["text", "No."]])
  const content = [
    { type: "thinking", thinking: [{ type: "text", text: "Hm." }] },
    { type: "text", text: "Hi" },
  ]
  expect(await read(fromOpenAI([choice({ content })]))).toEqual([
    ["reasoning", "Hm."],
    ["text", "Hi"],
  ])
})

test("events of another provider, and what is no event, say what was expected", async () => {
  expect(await read(fromOpenAI([stop("tool_use")])).catch(String)).toMatch(
    /expected chunks with choices, got an object with type, delta: try fromAnthropic$/,
  )
  expect(await read(fromAnthropic([choice({ content: "Hi" })])).catch(String)).toMatch(
    /events with type, got an object with choices: try fromOpenAI$/,
  )
  expect(await read(fromAnthropic([["Hi"]])).catch(String)).toMatch(/events with type, got a list$/)
  expect(await read(fromAnthropic([{}])).catch(String)).toMatch(/events with type, got an empty object$/)
  expect(await read(fromOpenAI(["Hi"])).catch(String)).toMatch(/expected chunks with choices, got Hi/)
})

test("Anthropic's events give thinking, text and tool use", async () => {
  const events = [
    { type: "message_start", message: {} },
    { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm." } },
    { type: "content_block_stop", index: 0 },
    { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "Hi" } },
    {
      type: "content_block_start",
      index: 7,
      content_block: { type: "server_tool_use", id: "s", name: "s", input: {} },
    },
    { type: "content_block_delta", index: 7, delta: { type: "input_json_delta", partial_json: '{"q":1}' } },
    { type: "content_block_start", index: 2, content_block: { type: "tool_use", id: "t", name: "f", input: {} } },
    { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: "" } },
    { type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: '{"a":1}' } },
    { type: "message_stop" },
  ]
  expect(await read(fromAnthropic(streamed(events)))).toEqual([
    ["reasoning", "Hm."],
    ["text", "Hi"],
    ["tool_call", '{"a":1}', ["t", "f", { a: 1 }]],
  ])
})
