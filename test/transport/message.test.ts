// Tests how a message becomes frames, and a frame a line of a recording.
import { expect, test } from "bun:test"
import fc from "fast-check"
import { decode } from "../../packages/wire/src/decode.ts"
import { decodeMessage, frameText, recordingLine } from "../../src/transport/message.ts"
import { forAll } from "../for-all.ts"

const pause = '{"kind":"debug","paused":true,"step-budget":0}'
const phase = '{"kind":"phase","config":["a"]}'

const framesOf = (text: string) => [...decodeMessage(text)].filter(step => typeof step !== "number")

test("a line of more than 16 MB in a message is malformed, with its first 4 KB and its length", () => {
  const length = 16 * 1024 * 1024 + 1
  const [before, long, after] = framesOf(`${pause}\n${"x".repeat(length)}\n${phase}`)
  expect([before?.frame.kind, after?.frame.kind]).toEqual(["debug", "phase"])
  expect(long?.frame).toEqual({ kind: "malformed", raw: "x".repeat(4096), length, why: "longer than 16 MB" })
})

test("a binary message is text, with invalid UTF-8 replaced by U+FFFD", () => {
  expect(frameText(Buffer.from("é"))).toBe("é")
  expect(frameText(new Uint8Array([0x61, 0xff]))).toBe("a\ufffd")
})

test("a recording line is one line and decodes to the same frame (property)", async () => {
  const json = fc.oneof(
    fc.constantFrom(pause, phase, '{"kind":"sidecar"}', "{", "null", "\ufeff"),
    fc.json(),
    fc.string(),
  )
  const quoted = fc.tuple(json, fc.boolean()).map(([text, isQuoted]) => (isQuoted ? JSON.stringify(text) : text))
  const between = fc.constantFrom("", "\n", "\r\n", " ", "\n\n", "\t")
  const message = fc
    .array(fc.tuple(between, quoted), { maxLength: 4 })
    .chain(parts => between.map(end => parts.flat().join("") + end))
  await forAll([message], 500, text => {
    for (const arrival of framesOf(text)) {
      const line = recordingLine(arrival)
      expect(line).not.toMatch(/[\n\r]/)
      expect(decode(line)).toEqual(arrival.frame)
    }
  })
})
