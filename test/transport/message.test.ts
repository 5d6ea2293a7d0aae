// Tests how a message becomes frames, and a frame a line of a recording.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { decode } from "../../packages/wire/src/decode.ts"
import { decodeMessage, frameText, recordingLine } from "../../src/transport/message.ts"
import { forAll } from "../for-all.ts"

const pause = '{"kind":"debug","paused":true,"step-budget":0}'
const phase = '{"kind":"phase","config":["a"]}'

const framesOf = (text: string) => [...decodeMessage(text)].filter(step => typeof step !== "number")
const kinds = (text: string) => framesOf(text).map(({ frame }) => frame.kind)

describe("a message", () => {
  test("of more than 16 MB is malformed, with its first 4 KB and its length", () => {
    const length = 16 * 1024 * 1024 + 1
    const [arrival, ...others] = framesOf("x".repeat(length))
    expect(others).toEqual([])
    expect(arrival?.frame).toEqual({ kind: "malformed", raw: "x".repeat(4096), length, why: "longer than 16 MB" })
  })

  test("of more than 16 MB in several lines keeps the lines within the limit", () => {
    const long = "x".repeat(16 * 1024 * 1024 + 1)
    expect(kinds(`${pause}\n${long}\n${phase}`)).toEqual(["debug", "malformed", "phase"])
  })
})

test("a binary message is text, with invalid UTF-8 replaced by U+FFFD", () => {
  expect(frameText(Buffer.from("é"))).toBe("é")
  expect(frameText(new Uint8Array([0x61, 0xff]))).toBe("a\ufffd")
})

describe("the recording line", () => {
  const kept = (text: string) => framesOf(text).map(recordingLine)

  test("of an answer sent by an agent never decodes to an answer", () => {
    const text = '{"kind":"answer","prompt-id":"q#1","value":1}'
    expect(kinds(text)).toEqual(["malformed"])
    const again = kept(text).map(decode)
    expect(again).toMatchObject([{ kind: "malformed", raw: text, why: "an answer, which only we send" }])
    expect(decode(text).kind).toBe("answer")
  })
  test("of a note sent by an agent never decodes to a note", () => {
    const line = kept('{"kind":"sidecar","at":1,"what":"link","state":"open"}')[0] ?? ""
    expect(decode(line)).toMatchObject({
      kind: "malformed",
      why: "bookkeeping of a recording, not accepted from an agent",
    })
  })
  test("is one line and decodes to the same frame (property)", async () => {
    const json = fc.oneof(
      fc.constantFrom(pause, phase, '{"kind":"sidecar"}', "{", "null", "\ufeff"),
      fc.json(),
      fc.string(),
    )
    const quoted = fc.oneof(
      json,
      json.map(text => JSON.stringify(text)),
    )
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
})
