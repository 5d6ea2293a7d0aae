// Tests that what providers stream becomes chunks, from their servers' answers and from their SDKs' events.
import { expect, test } from "bun:test"
import { fromAnthropic, fromOpenAI, segments } from "../../src/streaming/index.ts"
import { cut } from "./parsing.ts"

const bytes = (text: string, size: number) => cut(text, size).map(part => new TextEncoder().encode(part))

async function* streamed<Value>(values: Iterable<Value>) {
  yield* values
}

test("server-sent events leave their source cancelled when the reader stops", async () => {
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

const choice = (delta: object, more: object = {}) => ({ choices: [{ index: 0, delta, ...more }] })
const stop = (reason: string) => ({ type: "message_delta", delta: { stop_reason: reason } })

test("events of another provider, and what is no event, say what was expected", async () => {
  expect(await read(fromOpenAI([stop("tool_use")])).catch(String)).toMatch(
    /expected chunks with choices, got an object with type, delta: try fromAnthropic$/,
  )
  expect(await read(fromAnthropic([choice({ content: "Hi" })])).catch(String)).toMatch(
    /events with type, got an object with choices: try fromOpenAI$/,
  )
  expect(await read(fromOpenAI(["Hi"])).catch(String)).toMatch(/expected chunks with choices, got Hi/)
})
