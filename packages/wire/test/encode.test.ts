// Encodes every command in the wire's spelling (docs/contract.md sections 3 and 9).
import { describe, expect, test } from "bun:test"
import { readFileSync } from "node:fs"
import fc from "fast-check"
import { forAll } from "../../../test/for-all.ts"
import type { Command } from "../src/command.ts"
import { decode } from "../src/decode.ts"
import { commandFrame, encode, noteFrame } from "../src/encode.ts"
import type { Json, JsonObject } from "../src/json.ts"

const TABLE: readonly (readonly [Command, string])[] = readFileSync(
  new URL("../../../fixtures/wire/commands.jsonl", import.meta.url),
  "utf8",
)
  .trimEnd()
  .split("\n")
  .map(row => JSON.parse(row))

const json = fc.jsonValue({ stringUnit: "binary" }).map((value): Json => JSON.parse(JSON.stringify(value)))

describe("a command", () => {
  for (const [command, line] of TABLE) {
    test(line, () => {
      expect(encode(command)).toBe(line)
      const { frame, text } = commandFrame(command)
      expect(text).toBe(line)
      // A replay equals the run.
      expect(decode(text)).toStrictEqual(frame)
    })
  }

  test("that answers, or cancels, is a frame that its line decodes to (property)", () =>
    forAll([fc.string({ unit: "binary" }), json], 100, (promptId, value) => {
      const answer = { kind: "answer", promptId, cancelled: false, value, secret: false }
      const cancel = { kind: "answer", promptId, cancelled: true, value: undefined, secret: false }
      for (const [command, frame] of [
        [{ type: "answer", promptId, value }, answer],
        [{ type: "cancel", promptId }, cancel],
      ] as const) {
        expect<unknown>(decode(encode(command))).toStrictEqual(frame)
        expect<unknown>(commandFrame(command).frame).toStrictEqual(frame)
      }
    }))

  test("a secret answer has no value in its line, which decodes to the frame; only the message has it", () => {
    const command = { type: "answer", promptId: "p", value: "hush", secret: true } as const
    const { frame, text } = commandFrame(command)
    expect(text).toBe('{"kind":"answer","prompt-id":"p","value":null,"secret":true}')
    expect(decode(text)).toStrictEqual(frame)
    expect(encode(command)).toBe('{"kind":"answer","prompt-id":"p","value":"hush"}')
  })

  test("a note is what its recorded line decodes to (property)", async () => {
    const data = fc.dictionary(fc.string(), json)
    await forAll([fc.option(fc.nat()), data], 100, (at, given) => {
      const own: JsonObject = Object.fromEntries(Object.entries(given).filter(([key]) => !FIXED.has(key)))
      const { frame, text } = noteFrame(at, "refused", own)
      expect(decode(text)).toStrictEqual(frame)
    })
  })
})

/** Keys that every note has. */
const FIXED = new Set(["kind", "at", "what"])
