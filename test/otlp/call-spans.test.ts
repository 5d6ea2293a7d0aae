// Tests how much of a prompt or a reply a span holds.
import { expect, test } from "bun:test"
import { messagesJson } from "../../src/otlp/call-spans.ts"

test("the texts of a message are clipped together, after 64 K of them", () => {
  const parts = ["x", "y", "z"].map(letter => ({ type: "text", text: letter.repeat(40_000) }) as const)
  const [message] = JSON.parse(messagesJson("user", parts))
  expect(message.parts.map(({ content }: { content: string }) => content.length)).toEqual([40_000, 25_537, 1])
})
