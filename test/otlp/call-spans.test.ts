// Tests how much of a prompt, a reply and a call a span holds, and how times and spans are written.
import { expect, test } from "bun:test"
import packageJson from "../../package.json"
import { messagesJson } from "../../src/otlp/call-spans.ts"
import { otlpLines } from "../../src/otlp/otlp-lines.ts"
import { noPrices } from "../../src/run/model/prices.ts"
import { event, ids } from "../run/lines.ts"
import { clean, spansOfEvents } from "./spans.ts"

test("the texts of a message are clipped together, after 64 K of them", () => {
  const parts = ["x", "y", "z"].map(letter => ({ type: "text", text: letter.repeat(40_000) }) as const)
  const [message] = JSON.parse(messagesJson("user", parts))
  expect(message.parts.map(({ content }: { content: string }) => content.length)).toEqual([40_000, 25_537, 1])
})

test.each([
  [65_536, 65_536],
  [65_537, 65_537],
  [70_000, 65_537],
])("of %p characters of a prompt, of arguments and of a result a span holds %p", (given, held) => {
  const text = "x".repeat(given)
  const spans = spansOfEvents(
    [
      ["llm/request", { "system-preview": text }],
      // Its JSON has quotes.
      ["llm/response", { content: [{ type: "tool_use", id: "t", name: "t", input: text.slice(2) }] }],
      ["llm/tool-result", { "tool-use-id": "t", "content-preview": text }],
    ],
    { content: true },
  )
  const told = Object.assign({}, ...spans.map(({ attributes }) => attributes))
  const texts = [
    JSON.parse(told["gen_ai.system_instructions"])[0].content,
    told["gen_ai.tool.call.arguments"],
    told["gen_ai.tool.call.result"],
  ]
  expect(texts.map(one => one.length)).toEqual([held, held, held])
  expect(texts.map(one => one.endsWith("…"))).toEqual(Array(3).fill(given > 65_536))
})

test("a long run is written in lines of 512 spans as it is read, with fractions of a ms and who wrote it", async () => {
  const told = Array.from({ length: 2048 }, (_, i) => ({ frame: event(i + 1, "llm/start", ids, 1000.3 + i) }))
  const lines: string[] = []
  let early = 0
  function* batches() {
    yield told
    early = lines.length
  }
  for await (const one of otlpLines(batches(), { content: false, prices: noPrices, clean })) lines.push(one)
  const all = lines.map(line => JSON.parse(line).resourceSpans[0])
  const [{ scopeSpans, resource }] = all
  // The calls, their invocation and the run.
  expect([early, ...all.map(one => one.scopeSpans[0].spans.length)]).toEqual([3, 512, 512, 512, 512, 2])
  expect(scopeSpans[0].spans[0]).toMatchObject({ startTimeUnixNano: "1000300000", endTimeUnixNano: "1001300000" })
  expect(resource.attributes).toEqual([
    { key: "service.name", value: { stringValue: packageJson.name } },
    { key: "service.version", value: { stringValue: packageJson.version } },
  ])
})
