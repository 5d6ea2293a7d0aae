// Tests the rows of a question's options, which always include the one under the cursor, and what a click on them does.
import { expect, test } from "bun:test"
import fc from "fast-check"
import { optionLines, optionRoom } from "../../../src/panels/prompt/choice-options.ts"
import { fold } from "../../../src/run/fold.ts"
import { promptKey } from "../../../src/run/model/id.ts"
import type { Prompt } from "../../../src/run/model/prompts.ts"
import { emptyRun } from "../../../src/run/model/run.ts"
import { unicode } from "../../../src/ui/glyphs.ts"
import { lineWidth } from "../../../src/ui/line.ts"
import { forAll } from "../../for-all.ts"
import { line } from "../../run/lines.ts"

const render = { glyphs: unicode, now: 0, motion: false }

function prompt(options: readonly string[], type: string, more: object = {}): Prompt {
  const opts = { prompt: "?", options, ...more }
  const run = fold(emptyRun, [line({ kind: "prompt", "prompt-id": "p", type, opts })])
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

test("options are whole where all fit in full, else cut but under the cursor, which stands in the middle", () => {
  const long = "an option whose words wrap"
  const many = Array.from({ length: 10 }, (_, i) => `one ${i}`)
  const told = (
    [
      ["select", ["a", long], 3, {}],
      ["select", ["a", long], 2, {}],
      ["multi", ["a", long], 3, { picked: [1] }],
      ["multi", ["a", long], 3, { cursor: 1 }],
      ["select", many.slice(0, 9), 5, { cursor: 4 }],
      ["select", many, 5, { cursor: 9 }],
      ["select", many.slice(0, 3), 3, {}],
      ["select", many.slice(0, 3), 2, { cursor: 1 }],
      ["select", ["one\nline", "other"], 3, { text: "o" }],
      ["select", ["sevenchars", "sevench", long], 4, { cursor: 2 }, { default: "sevench" }],
      ["select", ["sevenchar"], 4, {}, { default: "sevenchar" }],
      ["select", ["an option that is it"], 4, {}, { default: "an option that is it" }],
      ["confirm", ["a", "b", "c", "d"], 3, {}, { default: true }],
    ] as const
  ).flatMap(([type, labels, rows, more, opts = {}]) => {
    const asked = prompt(labels, type, opts)
    const draft = { key: promptKey("p", null), text: "", top: 0, cursor: 0, picked: [], ...more }
    const lines = optionLines(asked, draft, { columns: 20, rows, render })
    return [
      `${type}, ${labels.length} options, ${rows} of ${optionRoom(asked, draft, 20)} rows`,
      ...lines.map(({ spans, click }) => `  ${spans.map(({ text }) => text).join("")} → ${JSON.stringify(click)}`),
    ]
  })
  expect(told.join("\n")).toMatchSnapshot()
})
