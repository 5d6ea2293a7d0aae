// Tests the parser of Paperclip's run view: the lines of the adapter's log, and all others.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { forAll } from "../../../test/for-all.ts"
import { MARKS } from "../src/log-line.ts"
import { createStdoutParser, parseEscapementStdoutLine, parseStdoutLine } from "../src/ui-parser.ts"

const TS = "2026-11-22T02:00:00.000Z"

test("parseStdoutLine has two names", () => expect(parseEscapementStdoutLine).toBe(parseStdoutLine))

describe("parseStdoutLine of any input", () => {
  const part = fc.constantFrom(
    ...["read", " failed", " #", '{"a":', "; ", "1 in, 2 out, 3 cached, $"],
    ...[":", "(", ")", ".", "9", "\\", "⏎"],
  )
  const logged = fc
    .tuple(fc.constantFrom(...Object.values(MARKS)), fc.array(part))
    .map(([mark, parts]) => `planner ${mark} ${parts.join("")}`)
  const lines = fc.oneof(fc.string({ unit: "binary" }), fc.json(), logged)

  test("never throws, is deterministic, and returns known entries", () =>
    forAll([lines], 1000, line => {
      const entries = parseStdoutLine(line, TS)
      for (const entry of entries) expect(entry).toMatchObject({ ts: TS, ...(FIELDS[entry.kind] ?? { kind: "known" }) })
      const { parseLine, reset } = createStdoutParser()
      expect(parseLine(line, TS)).toEqual(entries)
      reset()
      expect(parseLine(line, TS)).toEqual(entries)
    }))

  test("survives very deep and very long lines", () => {
    expect(parseStdoutLine(`planner → read ${'{"a":['.repeat(50_000)}`, TS)).toHaveLength(1)
    expect(parseStdoutLine(`planner ← read: ${" #".repeat(200_000)}`, TS)).toHaveLength(1)
  })
})

const SAID = { text: expect.any(String) }
/** The contract's kinds, each with its fields. */
const FIELDS: { readonly [kind: string]: object } = {
  ...{ assistant: SAID, thinking: SAID, user: SAID, system: SAID, stderr: SAID, stdout: SAID },
  tool_call: { name: expect.any(String), toolUseId: expect.any(String), input: expect.anything() },
  tool_result: { toolUseId: expect.any(String), content: expect.any(String), isError: expect.any(Boolean) },
  init: { model: expect.any(String), sessionId: expect.any(String) },
  result: { ...SAID, inputTokens: expect.any(Number), errors: expect.any(Array) },
}
