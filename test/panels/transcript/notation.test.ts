// Tests that what a model writes in a notation is shown as what it means, while it streams and after.
import { describe, expect, test } from "bun:test"
import { features } from "../../../src/panels/plan.ts"
import { createStore } from "../../../src/view/store.ts"
import { delta, event } from "../../run/lines.ts"
import { NOW, replay, show } from "../../screen/screen.tsx"

const j1 = { invokeid: "judge", "session-id": "judge.1" } as const

describe("streamed text is shown as segments, during and after the stream, never with half a tag:", () => {
  const replies = {
    xml: [
      'Look:\n<tool name="write_file"><arguments><arg name="path">a.ts</arg><arg name="content">const a = 1</arg></arguments></tool>',
      '<tool name="run_bash"><arguments><arg name="command">ls -l</arg></arguments></tool>',
      '<tool name="count"><arguments><arg name="many">17</arg><arg name="of">words</arg></arguments></tool>',
    ],
    sentinel: [
      'Look:\n[[SEG_START {"type": "write_file", "path": "a.ts"}]]const a = 1[[SEG_END]]',
      '[[SEG_START {"type": "run_bash"}]]ls -l[[SEG_END]]',
    ],
    json: [
      'Look:\n{"tool": {"function": "count_words", "parameters": {"path": "a.ts", "deep": {"text": "}"}}}}',
      "Done.",
    ],
  } as const
  /** Characters of the notation that a reader should not see. */
  const signs = { xml: /<\/?(?:tool|arg)/, sentinel: /\[\[|SEG_|\]\]/, json: /"tool"|"function"/ }
  const written = ["▎ write_file  a.ts", "▎ const a = 1", "▎ run_bash", "▎ $ ls -l"]
  const blocks = {
    xml: [...written, "▎ count", '▎ many: "17"', "▎ of: words"],
    sentinel: written,
    json: ["▎ count_words  a.ts", '▎ deep: {"text":"}"}', "▎ assistant", "▎ Done."],
  }

  test.each(["xml", "sentinel", "json"] as const)("%s", async strategy => {
    const reply = replies[strategy].join("\n")
    const screen = await show({
      columns: 80,
      rows: 30,
      store: createStore({ ...features, link: replay, given: { strategy } }),
    })
    screen.feed(event(0, "llm/start", j1, NOW)).press("enter", "m")
    for (const [i, char] of [...reply].entries()) {
      screen.feed(delta(i + 1, char, j1))
      if (i % 7 === 0 && strategy !== "json") expect(await screen.text()).not.toMatch(signs[strategy])
    }
    screen.feed(event(900, "llm/response", { ...j1, content: [{ type: "text", text: reply }] }))
    const rows = (await screen.rows()).map(row => row.slice(2, -2).trimEnd())
    for (const block of blocks[strategy]) expect(rows).toContain(block)
    expect(rows.join("\n")).not.toMatch(signs[strategy])
  })
})
