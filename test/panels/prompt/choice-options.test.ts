// Tests the rows of a question's options, which always include the one under the cursor.
import { expect, test } from "bun:test"
import fc from "fast-check"
import { optionLines } from "../../../src/panels/prompt/choice-options.ts"
import { fold } from "../../../src/run/fold.ts"
import { promptKey } from "../../../src/run/model/id.ts"
import type { Prompt } from "../../../src/run/model/prompts.ts"
import { emptyRun } from "../../../src/run/model/run.ts"
import { unicode } from "../../../src/ui/glyphs.ts"
import { lineWidth } from "../../../src/ui/line.ts"
import { forAll } from "../../for-all.ts"
import { line } from "../../run/lines.ts"

const render = { glyphs: unicode, now: 0, motion: false }

function prompt(options: readonly string[], type: string): Prompt {
  const run = fold(emptyRun, [line({ kind: "prompt", "prompt-id": "p", type, opts: { prompt: "?", options } })])
  const [only] = run.prompts
  if (only === undefined) throw new Error("no prompt")
  return only
}

const label = fc.string({ unit: fc.constantFrom("a", "word ", "日本", "🎉", "\n"), maxLength: 20 })

test("the options of a question fit their rows and columns, and include the cursor's", () =>
  forAll(
    [
      fc.array(label, { minLength: 1, maxLength: 30 }),
      fc.nat(29),
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 12, max: 60 }),
      fc.constantFrom("select", "multi"),
    ],
    100,
    (labels, at, rows, columns, type) => {
      const cursor = at % labels.length
      const draft = { key: promptKey("p", null), text: "", top: 0, cursor, picked: [] }
      const lines = optionLines(prompt(labels, type), draft, { columns, rows, render })
      expect(lines.length).toBeLessThanOrEqual(rows)
      for (const { spans } of lines) expect(lineWidth(spans)).toBeLessThanOrEqual(columns)
      expect(lines.flatMap(one => one.spans.map(({ text }) => text)).join("")).not.toContain("\n")
      expect(lines.filter(one => one.selected === true && one.spans[0]?.text.startsWith("▸")).length).toBe(1)
    },
  ))
