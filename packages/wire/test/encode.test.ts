// Encodes every command in the wire's spelling (docs/contract.md sections 3 and 9).
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import type { Command } from "../src/command.ts"
import { decode } from "../src/decode.ts"
import { encode } from "../src/encode.ts"
import type { Json } from "../src/json.ts"

const TABLE: readonly (readonly [Command, string])[] = [
  [
    { type: "answer", promptId: "ask-name#1", value: "blue" },
    '{"kind":"answer","prompt-id":"ask-name#1","value":"blue"}',
  ],
  [{ type: "answer", promptId: "p", value: [] }, '{"kind":"answer","prompt-id":"p","value":[]}'],
  [{ type: "answer", promptId: "p", value: false }, '{"kind":"answer","prompt-id":"p","value":false}'],
  [{ type: "cancel", promptId: "ask-name#1" }, '{"kind":"answer","prompt-id":"ask-name#1","cancelled":true}'],
  [{ type: "pause" }, '{"kind":"control","op":"pause"}'],
  [{ type: "step", n: 1 }, '{"kind":"control","op":"step","n":1}'],
  [{ type: "continue" }, '{"kind":"control","op":"continue"}'],
  [{ type: "arm" }, '{"kind":"control","op":"arm"}'],
  [{ type: "ui-interrupt" }, '{"kind":"control","op":"ui-interrupt"}'],
  [{ type: "ui-quit" }, '{"kind":"control","op":"ui-quit"}'],
  [{ type: "arm-llm-breakpoint" }, '{"kind":"control","op":"arm-llm-breakpoint"}'],
  [{ type: "turn-next" }, '{"kind":"control","op":"turn-next"}'],
  [{ type: "turn-back" }, '{"kind":"control","op":"turn-back"}'],
  [{ type: "request-model-catalog" }, '{"kind":"control","op":"request-model-catalog"}'],
  [
    { type: "request-conversation", invokeid: "poet1" },
    '{"kind":"control","op":"request-conversation","invokeid":"poet1"}',
  ],
  [
    { type: "request-conversation", invokeid: "poet1", nodeId: "n", visit: 0 },
    '{"kind":"control","op":"request-conversation","invokeid":"poet1","node-id":"n","visit":0}',
  ],
  [
    {
      type: "rerun-from",
      sessionId: ":session/x",
      invokeid: "poet1",
      nodeId: "n",
      visit: 0,
      turn: 2,
      overrides: { model: "m", temperature: 0.5, messages: [{ role: "user", text: "a" }] },
    },
    '{"kind":"control","op":"rerun-from","session-id":":session/x","invokeid":"poet1","node-id":"n","visit":0,"turn":2,' +
      '"overrides":{"model":"m","temperature":0.5,"messages":[{"role":"user","text":"a"}]}}',
  ],
]

describe("encode", () => {
  for (const [command, line] of TABLE) {
    test(line, () => expect(encode(command)).toBe(line))
  }

  test("an encoded answer decodes to the same answer", () => {
    const json = fc.jsonValue({ stringUnit: "binary" }).map((value): Json => JSON.parse(JSON.stringify(value)))
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), json, (promptId, value) => {
        const answer = decode(encode({ type: "answer", promptId, value }))
        expect(answer).toEqual({ kind: "answer", promptId, cancelled: false, value, secret: false })
        const cancel = decode(encode({ type: "cancel", promptId }))
        expect(cancel).toEqual({ kind: "answer", promptId, cancelled: true, value: undefined, secret: false })
      }),
    )
  })
})
