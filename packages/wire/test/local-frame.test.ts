// Tests that our own frames equal those that their recorded lines decode to, so that a replay equals the run.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { Command } from "../src/command.ts"
import { decode } from "../src/decode.ts"
import { commandFrame, encode, noteFrame } from "../src/encode.ts"
import type { Json, JsonObject } from "../src/json.ts"

const OPS: readonly Command[] = [
  { type: "pause" },
  { type: "continue" },
  { type: "arm" },
  { type: "step", n: 3 },
  { type: "ui-interrupt" },
  { type: "ui-quit" },
  { type: "arm-llm-breakpoint" },
  { type: "turn-next" },
  { type: "turn-back" },
  { type: "request-model-catalog" },
  { type: "request-conversation", invokeid: "poet1", nodeId: "n", visit: 0 },
  { type: "rerun-from", sessionId: "s", invokeid: "i", nodeId: "n", visit: 0, turn: 2, overrides: { model: "m" } },
]

const json = fc.jsonValue({ stringUnit: "binary" }).map((value): Json => JSON.parse(JSON.stringify(value)))

describe("the frame of", () => {
  for (const op of OPS) {
    test(`the op ${op.type} is what its message decodes to`, () => {
      const { frame, text } = commandFrame(op)
      expect(text).toBe(encode(op))
      expect(decode(text)).toStrictEqual(frame)
    })
  }

  test("an answer, or of none, is what its message decodes to (property)", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), json, (promptId, value) => {
        const answer = commandFrame({ type: "answer", promptId, value })
        expect(decode(answer.text)).toStrictEqual(answer.frame)
        const cancel = commandFrame({ type: "cancel", promptId })
        expect(decode(cancel.text)).toStrictEqual(cancel.frame)
      }),
    )
  })

  test("a secret answer has no value in its line, which decodes to the frame; only the message has it", () => {
    const command = { type: "answer", promptId: "p", value: "hush", secret: true } as const
    const { frame, text } = commandFrame(command)
    expect(text).toBe('{"kind":"answer","prompt-id":"p","value":null,"secret":true}')
    expect(decode(text)).toStrictEqual(frame)
    expect(encode(command)).toBe('{"kind":"answer","prompt-id":"p","value":"hush"}')
  })

  test("a note is what its recorded line decodes to (property)", () => {
    const data = fc.dictionary(fc.string(), json)
    fc.assert(
      fc.property(fc.nat(), data, (at, given) => {
        const own: JsonObject = Object.fromEntries(Object.entries(given).filter(([key]) => !FIXED.has(key)))
        const { frame, text } = noteFrame(at, "refused", own)
        expect(decode(text)).toStrictEqual(frame)
      }),
    )
  })
})

/** Keys that every note has. */
const FIXED = new Set(["kind", "at", "what"])
