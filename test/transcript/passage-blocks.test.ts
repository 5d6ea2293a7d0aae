// Keeps the blocks that passages become: headings with what stands beside them, their lines, and headings of folded ones.
import { expect, test } from "bun:test"
import { join } from "node:path"
import type { ParserName } from "../../packages/llm-stream-segments/src/parse/rules.ts"
import type { Passage } from "../../src/run/select/passages.ts"
import { LazyBody } from "../../src/transcript/lazy-body.ts"
import { asideLines, headLine, passageBlocks } from "../../src/transcript/passage-blocks.ts"
import { moreOf } from "../../src/transcript/tool-calls.ts"
import { unicode as glyphs } from "../../src/ui/glyphs.ts"
import { type Line, lineWidth } from "../../src/ui/line.ts"
import { root } from "../fixtures.ts"

/** `again` stands so many times behind its text. */
type Given = Partial<Passage> & { readonly how?: ParserName; readonly again?: string; readonly times?: number }

const PASSAGES = (await Bun.file(join(root, "fixtures/scripts/passages.jsonl")).text()).trimEnd().split("\n")

const shown = ({ spans }: Line) => spans.map(({ text }) => text).join("")
const coloured = ({ spans }: Line) => spans.map(({ text, token }) => (text === "" ? "" : `${token}(${text})`)).join("")

test("what passages become", () => {
  const told = PASSAGES.map(one => {
    const { how = "api_tool_call", again = "", times = 0, ...given }: Given = JSON.parse(one)
    const text = `${given.text}${again.repeat(times)}`
    const passage: Passage = { type: "text", name: null, isError: false, turn: 1, note: null, ...given, text }
    const blocks = passageBlocks(passage, how).map(block => {
      const { label, aside, outcome, token } = block
      const body = new LazyBody(block, 38, () => asideLines(block, 40, 38))
      body.make()
      const lines = Array.from({ length: Math.min(7, body.length) }, (_, i) => body.line(i) ?? { spans: [] })
      const colours = new Set(lines.flatMap(({ spans }) => spans.map(one => one.token)))
      const facts = { bar: "dim", columns: 40, glyphs } as const
      const heads = [
        headLine(block, { ...facts, hidden: null, result: null }),
        headLine(block, { ...facts, hidden: body, result: null }),
        ...[body, null].map(hidden => headLine(block, { ...facts, hidden, result: { ...block, body } })),
      ]
      expect(heads.every(({ spans }) => lineWidth(spans) <= 40)).toBe(true)
      const said = `${label}, beside ${JSON.stringify(aside)}, ends ${JSON.stringify(outcome)}, ${token}, in ${[...colours]}`
      return [
        said,
        ...heads.map(one => `  > ${coloured(one)}${one.failed ? " !" : ""}`),
        ...lines.map(one => `  | ${shown(one)}`),
      ]
    })
    return [`${how} ${passage.type} ${JSON.stringify(passage.text.slice(0, 60))}`, ...blocks.flat()].join("\n")
  })
  expect(`\n${told.join("\n\n")}\n`).toMatchSnapshot()
})

test("the arguments that a long segment has beside its text come with its last part", () => {
  expect([moreOf([{ more: {} }, { more: { a: 1 } }]), moreOf([{ more: {} }])]).toEqual(['{\n  "a": 1\n}', ""])
})
