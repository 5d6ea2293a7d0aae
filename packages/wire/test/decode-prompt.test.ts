// Tests that a prompt's keys of the wrong type are reported and do no harm.
import { expect, test } from "bun:test"
import { decode } from "../src/decode.ts"

function prompt(keys: object) {
  return decode(JSON.stringify({ kind: "prompt", "prompt-id": "p#1", type: "text", ...keys }))
}

test("a prompt takes keys of the wrong type as absent and reports them as faults", () => {
  const given = { invokeid: 7, opts: { prompt: 1, options: "a" } }
  expect(prompt(given)).toMatchObject({
    faults: [
      "invokeid: expected text, got number",
      "opts.prompt: expected text, got number",
      "opts.options: expected list, got text",
    ],
  })
  expect(prompt({ opts: [] })).toMatchObject({ faults: ["opts: expected object, got list"] })
})

const options = ["a", { label: "Bee", value: { b: 1 } }]
for (const [type, preset, read, fault] of [
  ["text", 5, undefined, "opts.default: expected text, got number"],
  ["confirm", "yes", undefined, "opts.default: expected true or false, got text"],
  ["select", "b", undefined, 'opts.default: expected one of the options, got "b"'],
  ["select", { b: 1 }, { b: 1 }, null],
  ["multi", "a", undefined, "opts.default: expected list, got text"],
  ["multi", ["a", "x", 3, { b: 1 }], ["a", { b: 1 }], 'opts.default: expected one of the options, got "x"'],
] as const) {
  test(`a prompt of type ${type} reads the default ${JSON.stringify(preset)}, and reports what it can't be`, () => {
    const frame = prompt({ type, opts: { options, default: preset } })
    expect(frame).toMatchObject({ default: read, faults: fault === null ? [] : [fault] })
  })
}
