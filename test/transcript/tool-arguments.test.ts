// Tests that a tool call in the transcript shows every argument, whatever picture some of them have.
import { expect, test } from "bun:test"
import { join } from "node:path"
import fc from "fast-check"
import { callEssence } from "../../packages/wire/src/call-arguments.ts"
import { toolCallArguments, toolCallText } from "../../src/transcript/tool-arguments.ts"
import { root } from "../fixtures.ts"
import { forAll } from "../for-all.ts"

function shown(input: object, columns = 60): readonly string[] {
  const lines = toolCallArguments(JSON.stringify(input)).lines(columns)
  return lines.map(({ spans }) => spans.map(({ text }) => text).join(""))
}

/** The arguments of calls, a line each; some are no JSON, or cut. */
const CALLS = await Bun.file(join(root, "fixtures/scripts/calls.txt")).text()

test("what is shown of calls: their heading, their lines, their text, and what they are about", () => {
  const told = CALLS.trimEnd()
    .split("\n")
    .map(input => {
      const { label, lines } = toolCallArguments(input)
      const drawn = lines(40).map(({ spans }) => `  | ${spans.map(({ text }) => text).join("")}`)
      const { label: told, text } = toolCallText(input)
      expect(told).toBe(label)
      return [input, `  heading ${JSON.stringify(label)}, about ${callEssence(input)}`, ...drawn, JSON.stringify(text)]
    })
  expect(`\n${told.map(one => one.join("\n")).join("\n")}\n`).toMatchSnapshot()
  expect(callEssence(`{"content":"${"x".repeat(500)}"}`)).toBe(`${"x".repeat(160)}…`)
})

test("a tool call shows an edit of a long text with all the lines that stay", () => {
  const lines = Array.from({ length: 20 }, (_, i) => `line ${i}`)
  const edit = { old_string: lines.join("\n"), new_string: ["line zero", ...lines.slice(1)].join("\n") }
  expect(shown(edit)).toEqual(["-line 0", "+line zero", ...lines.slice(1).map(one => ` ${one}`)])
  const many = (word: string) => Array.from({ length: 300 }, (_, i) => [`same ${i}`, `${word} ${i}`]).flat()
  const [before, after] = [many("old"), many("new")]
  expect(shown({ old_string: before.join("\n"), new_string: after.join("\n") })).toEqual([
    ...before.map(one => `-${one}`),
    ...after.map(one => `+${one}`),
  ])
})

test("a tool call shows any arguments, with any of the names that have a picture", async () => {
  const names = "path file old_string new_string old new edits patch content command cmd text cwd __proto__".split(" ")
  const value = fc.oneof(
    fc.stringMatching(/^[a-z]{6}$/),
    fc.integer({ min: 100_000, max: 999_999 }),
    fc.array(fc.dictionary(fc.constantFrom("old", "new", "n"), fc.stringMatching(/^[a-z]{6}$/)), { maxLength: 2 }),
  )
  await forAll([fc.array(fc.tuple(fc.constantFrom(...names), value), { maxLength: 6 })], 500, pairs => {
    const call = JSON.parse(`{${pairs.map(([name, one]) => `"${name}":${JSON.stringify(one)}`).join(",")}}`)
    const { label } = toolCallArguments(JSON.stringify(call))
    const all = [label, ...shown(call)].join("\n")
    for (const said of JSON.stringify(Object.values(call)).match(/[a-z]{6}|\d{6}/g) ?? []) expect(all).toContain(said)
  })
})
