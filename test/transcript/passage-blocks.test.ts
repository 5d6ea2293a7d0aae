// Keeps the blocks that passages become: headings with what stands beside them, their lines, and headings of folded ones.
import { expect, test } from "bun:test"
import type { ParserName } from "../../packages/llm-stream-segments/src/parse/rules.ts"
import type { Passage } from "../../src/run/select/passages.ts"
import { LazyBody } from "../../src/transcript/lazy-body.ts"
import { asideLines, headLine, passageBlocks } from "../../src/transcript/passage-blocks.ts"
import { unicode as glyphs } from "../../src/ui/glyphs.ts"
import { type Line, lineWidth } from "../../src/ui/line.ts"

type Given = Partial<Passage> & { readonly how?: ParserName }

const result = { type: "tool-result", name: "heat", elapsedMs: 1500 } as const
const run = '[[SEG_START {"type":"run_bash","cwd":"/srv"}]]\n'
const PASSAGES: readonly Given[] = [
  { type: "system", text: "Be **brief**.\n\n" },
  { type: "user", text: "Boil", note: "cut at 9 characters" },
  { type: "thinking", text: "A kettle", how: "sentinel" },
  { type: "tool-call", name: "heat", text: '{"path":"kettle.txt"}' },
  { type: "tool-call", name: null, text: '{"path":"a-path-that-has-no-room-in-its-heading.txt"}' },
  { ...result, text: "- hot\n\n\n" },
  { ...result, text: "no kettle", isError: true, note: "the first 9 characters" },
  { ...result, text: `${"x".repeat(29)}\n`.repeat(9000) },
  { type: "error", text: "reset" },
  { type: "note", name: null, text: "done" },
  { type: "note", name: null, text: "---\n\n+ of no word" },
  { type: "note", name: "exit", text: "lost", isError: true },
  { text: `Look:\n${run}\n  ls -l  \n[[SEG_END]]\n \n${run}pwd[[SEG_END]]\nand then`, how: "sentinel" },
  { text: `${run}sleep 9`, how: "sentinel", note: "no more came" },
  { text: 'so <tool name="count"><arguments><arg name="path">a</arg></arguments></tool>', how: "xml" },
  { text: '<tool name="count">\n  <arguments><arg name="path">a</arg><arg name="many">17 wor', how: "xml" },
  { text: '<tool name="count">{"n":1}</tool>', how: "xml" },
  { text: '{"name":"count","arguments":{"n":1}}', how: "json" },
  { text: '[{"name":"count","arguments":{"n":1}},{"name":"look","arguments":{}}]', how: "json" },
  { text: `${run}${"echo tea\n".repeat(3000)}`, how: "sentinel" },
  { text: " \n ", how: "xml" },
]

const shown = ({ spans }: Line) => spans.map(({ text }) => text).join("")

test("what passages become", () => {
  const told = PASSAGES.map(({ how = "api_tool_call", ...given }) => {
    const passage: Passage = { type: "text", name: null, isError: false, turn: 1, text: "", note: null, ...given }
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
        ...heads.map(one => `  > ${shown(one)}${one.failed ? " !" : ""}`),
        ...lines.map(one => `  | ${shown(one)}`),
      ]
    })
    return [`${how} ${passage.type} ${JSON.stringify(passage.text.slice(0, 60))}`, ...blocks.flat()].join("\n")
  })
  expect(`\n${told.join("\n\n")}\n`).toMatchSnapshot()
})
