// Tests that what providers stream becomes chunks, from their servers' answers and from their SDKs' events.
import { describe, expect, test } from "bun:test"
import { fromAnthropic, fromOpenAI, fromSSE, segments } from "../../src/streaming/index.ts"
import { cut } from "./parsing.ts"

const bytes = (text: string, size: number) => cut(text, size).map(part => new TextEncoder().encode(part))

async function* streamed<Value>(values: Iterable<Value>) {
  yield* values
}

describe("server-sent events", () => {
  test("are read however they are cut, with either line end, up to [DONE]", async () => {
    const text =
      ': hello\r\nevent: x\r\ndata: {"a":\r\ndata: "é"}\r\n\r\n\ndata:{"b":2}\n\ndata: [DONE]\n\ndata: nothing\n\n'
    const all = new TextEncoder().encode(text)
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

test("Anthropic's events give thinking, text and tool use", async () => {
  const events = [
    { type: "message_start", message: {} },
    { type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } },
    { type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm." } },
    { type: "content_block_stop", index: 0 },
    { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
    { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "Hi" } },
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
