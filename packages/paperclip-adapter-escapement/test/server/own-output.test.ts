// Tests that nothing the agent itself prints is taken for a line of ours: it is stdout, letter by letter, everywhere.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { documentOf } from "../../../../src/export/document.ts"
import { html } from "../../../../src/export/html.ts"
import { JsonLines } from "../../../../src/export/jsonl.ts"
import { escaped } from "../../../../src/export/waterfall-figure.ts"
import { FrameWriter } from "../../../../src/guest/frame-writer.ts"
import { LogLines } from "../../../../src/guest/saved-log.ts"
import { textsInMemory } from "../../../../src/run/select/run-texts.ts"
import { blocksOf, parserOf, runFrom } from "../../../../test/guest/reading.ts"
import { decode } from "../../../wire/src/decode.ts"
import { chunksOf, ownLine } from "../../src/server/print-lines.ts"
import { parseStdoutLine } from "../../src/ui-parser.ts"
import { HOSTILE, lines, printable } from "../hostile-lines.ts"

test("the page reads each line that an agent prints as stdout (property)", () => {
  fc.assert(
    fc.property(lines, line => {
      const logged = ownLine(line)
      // The host trims a line before it is parsed.
      const entries = parseStdoutLine(logged.trim(), "T")
      expect(entries.map(entry => ({ ...entry, text: "text" in entry ? entry.text.trim() : null }))).toEqual(
        line.trim() === "" ? [] : [{ kind: "stdout", ts: "T", text: line.trim() }],
      )
      if (logged === line) return
      expect(logged).toBe(`run ⋮ ${line}`)
      expect(parseStdoutLine(line, "T")).not.toEqual([{ kind: "stdout", ts: "T", text: line }])
    }),
    { numRuns: 3000, examples: HOSTILE.map(line => [line]) },
  )
})

test("ordinary output stays byte for byte", () => {
  const ordinary = ["", "plain", "  at x.ts:12", "12 | code", "│ a box │", "✓ passes", "a b │ c", "[", "{}"]
  expect(ordinary.map(ownLine)).toEqual(ordinary)
})

describe("the viewer, and its exports", () => {
  const title = { title: "t", session: null, where: null, redactor: null, read: null, recall: null }
  test("show each line that an agent prints as stdout, and count nothing that it says (property)", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(printable, { minLength: 20, maxLength: 60 }), async printed => {
        const own = [...HOSTILE, ...printed]
        const end = { event: "runner/done", data: { status: "done", "adapter/totals": { input: 10, output: 5 } } }
        const chunks = [...own.map(line => `${ownLine(line)}\n`), ...chunksOf(end)]
        const log = new LogLines()
        const timed = chunks.flatMap(chunk => log.push(JSON.stringify({ ts: "T", stream: "stdout", chunk })))
        const parser = await parserOf("escapement")
        const writer = new FrameWriter("guest")
        const frames = [...writer.begin(0), ...(await writer.write(parser, timed)), ...writer.pause(1)]
        parser.close()
        const run = runFrom(frames)
        // The last block is the run's result.
        const shown = blocksOf(run).slice(0, -1)
        const texts = shown.map(block => /^note stdout: \s*(.*)$/.exec(block)?.[1])
        expect(texts).toEqual(own.map(line => line.trim()))

        const document = documentOf(textsInMemory(run), title)
        expect(new Map(document.facts.map(({ name, value }) => [name, value])).get("Tokens in")).toBe("10")
        const pieces: string[] = []
        for await (const piece of html(document)) pieces.push(piece)
        const page = pieces.join("")
        const jsonl = new JsonLines({ redactor: null, shown: false })
        const exported = jsonl.push(frames.map(text => ({ text, frame: decode(text), last: false }))) + jsonl.end()
        for (const line of own) {
          expect(exported).toContain(JSON.stringify(line.trim()).slice(1, -1))
          expect(page).toContain(escaped(line.trim()))
        }
      }),
      { numRuns: 10 },
    )
  })
})
