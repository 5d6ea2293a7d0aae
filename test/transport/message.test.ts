import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { decode } from "../../src/protocol/decode.ts"
import { decodeLine, decodeMessage, frameText, recordingLine } from "../../src/transport/message.ts"

const pause = '{"kind":"debug","paused":true,"step-budget":0}'
const phase = '{"kind":"phase","config":["a"]}'

const kinds = (text: string) => decodeMessage(text).map(({ frame }) => frame.kind)

describe("a message", () => {
  test("is one frame, and keeps the text it was", () => {
    expect(kinds(pause)).toEqual(["debug"])
    expect(decodeMessage(pause)[0]?.text).toBe(pause)
  })

  test("may be one frame over several lines", () => {
    const spread = JSON.stringify(JSON.parse(pause), null, 2)
    expect(kinds(spread)).toEqual(["debug"])
    expect(decodeMessage(spread)[0]?.text).toBe(spread)
  })

  test("may be several lines of a frame each, with empty lines between them", () => {
    expect(kinds(`${pause}\n\n${phase}\r\n`)).toEqual(["debug", "phase"])
    expect(decodeMessage(`${pause}\n${phase}`).map(({ text }) => text)).toEqual([pause, phase])
  })

  test("keeps the bad line among good ones as unread", () => {
    expect(kinds(`${pause}\nnonsense\n${phase}`)).toEqual(["debug", "malformed", "phase"])
  })

  test("of which no line is a frame is one unread", () => {
    expect(decodeMessage("two\nlines")).toMatchObject([{ frame: { kind: "malformed", raw: "two\nlines", length: 9 } }])
  })

  test("that is empty is a blank", () => {
    expect(kinds("")).toEqual(["blank"])
  })

  test("of more than 16 MB is an unread with its first 4 KB and its length", () => {
    const length = 16 * 1024 * 1024 + 1
    const [arrival, ...others] = decodeMessage("x".repeat(length))
    expect(others).toEqual([])
    expect(arrival?.frame).toEqual({ kind: "malformed", raw: "x".repeat(4096), length, why: "longer than 16 MB" })
  })

  test("of more than 16 MB in lines gives the lines that are short enough", () => {
    const long = "x".repeat(16 * 1024 * 1024 + 1)
    expect(kinds(`${pause}\n${long}\n${phase}`)).toEqual(["debug", "malformed", "phase"])
  })
})

test("a line that was given up is an unread", () => {
  expect(decodeLine({ head: "abc", length: 99 })).toEqual({
    kind: "malformed",
    raw: "abc",
    length: 99,
    why: "longer than 16 MB",
  })
})

test("a binary message is text, and what is no UTF-8 in it becomes a mark", () => {
  expect(frameText(Buffer.from("é"))).toBe("é")
  expect(frameText(new Uint8Array([0x61, 0xff]))).toBe("a\ufffd")
})

describe("the line that a recording keeps", () => {
  const kept = (text: string) => decodeMessage(text).map(recordingLine)

  test("of a frame is the frame as it was", () => {
    expect(kept(pause)).toEqual([pause])
    expect(kept(`${pause}\n${phase}`)).toEqual([pause, phase])
  })
  test("of a frame over several lines, and of what is no JSON, is a JSON string", () => {
    expect(kept('{"kind":"phase",\n"config":["a"]}')).toEqual(['"{\\"kind\\":\\"phase\\",\\n\\"config\\":[\\"a\\"]}"'])
    expect(kept("nonsense")).toEqual(['"nonsense"'])
  })
  test("of a note that an agent sends never counts as a note", () => {
    const line = kept('{"kind":"sidecar","at":1,"what":"link","state":"open"}')[0] ?? ""
    expect(decode(line)).toMatchObject({
      kind: "malformed",
      why: "bookkeeping of a recording, not accepted from an agent",
    })
  })
  test("is one line, and decodes to what came, whatever that was (property)", () => {
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
    fc.assert(
      fc.property(message, text => {
        for (const arrival of decodeMessage(text)) {
          const line = recordingLine(arrival)
          expect(line).not.toMatch(/[\n\r]/)
          expect(decode(line)).toEqual(arrival.frame)
        }
      }),
      { numRuns: 500 },
    )
  })
})
