// Tests the pager: moving, finding, folding, wrapping, and texts of any length.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { shownLines } from "../../../../src/panels/common/pager/PagePane.tsx"
import { jsonText, plainText } from "../../../../src/panels/common/pager/pager-text.ts"
import { above, below, lastTop, type ReadingPlace, topOf } from "../../../../src/panels/common/pager/reading-place.ts"
import { PageSheet } from "../../../../src/panels/common/pager/sheet.ts"
import { jsonLines } from "../../../../src/run/select/json-lines.ts"
import { unicode } from "../../../../src/ui/glyphs.ts"
import { wrap } from "../../../../src/ui/line.ts"
import type { PagerReading } from "../../../../src/view/reading.ts"
import { forAll } from "../../../for-all.ts"
import { event } from "../../../run/lines.ts"
import { type Shown, show } from "../../../screen/screen.tsx"
import { testWalks } from "../../scripted.ts"
import { walked } from "../../steps.ts"

const context = { glyphs: unicode, now: 0, motion: false }
const long = "word ".repeat(20).trim()

/** The entry of one event with this data, opened from the log. */
async function entry(
  data: object,
  size: { columns: number; rows: number } = { columns: 80, rows: 24 },
): Promise<Shown> {
  const screen = await show(size)
  screen.feed(event(7, "kettle/whistled", { ...data }, 1000)).press("tab", "tab", "enter", "m")
  return screen
}

test("an entry shows its data as JSON that folds by blocks, and finds what is sought, also in folded ones", async () => {
  const folds = await entry({ loud: true, steam: { text: long, needle: 1 }, last: 1 })
  const list = Array.from({ length: 60 }, (_, i) => `${i} ${i % 20 === 7 ? "tea" : "milk"} ${long}`)
  const finds = await entry({ list })
  const tall = await entry({ text: `${"x ".repeat(600)}END`, last: "LAST" }, { columns: 40, rows: 10 })
  const wraps = await entry({ ["k".repeat(50)]: { n: long } }, { columns: 40, rows: 12 })
  const begun = (ts: number) => event(0, "runner/started", {}, ts)
  const anew = await show(
    { columns: 60, rows: 24 },
    begun(1),
    begun(900),
    event(1, "kettle/whistled", { loud: 1 }, null),
  )
  expect([
    await walked(anew, "shift-tab enter", "D", "D", "shift-tab D", "escape shift-tab g enter"),
    await walked(wraps, "", "z"),
    await walked(await entry({ x: "x".repeat(100_001) }), "/ 'x' enter"),
    await walked(folds, "", "/ '\"needle' enter", "h", "l", "z", "z", "z / 'NEEDLE' enter", "/ 'q?z' escape", "escape"),
    await walked(finds, "/ 'tea' enter", "n n", "n", "N", "/ 'coffee' enter", "escape"),
    await walked(tall, ...Array.from({ length: 6 }, () => "j j j j j j"), "pagedown", "G", "k", "g", "end"),
  ]).toMatchSnapshot()
})

describe("a text in the pager", () => {
  /** Every row of a text, as if all were drawn. */
  const flat = (text: string, columns: number): readonly string[] =>
    text.split("\n").flatMap(line => wrap(line.replaceAll("\t", "    "), columns))

  const texts = fc.array(fc.string({ unit: fc.constantFrom("a", "b ", "word ", "日", "\t"), maxLength: 60 }), {
    minLength: 1,
    maxLength: 30,
  })

  test("shows after any moves the rows that a flat list has there (property)", async () => {
    const moves = fc.array(fc.integer({ min: -40, max: 40 }), { maxLength: 12 })
    await forAll(
      [texts, fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 12 }), moves],
      100,
      (parts, columns, rows, steps) => {
        const text = plainText(parts.join("\n"))
        const all = flat(parts.join("\n"), columns)
        let reading: PagerReading = { top: 0 }
        let at = 0
        for (const step of steps) {
          const sheet = new PageSheet(text, reading, columns, rows)
          const from = topOf(sheet, reading)
          const last = lastTop(sheet)
          const to = step < 0 ? above(sheet, from, -step) : below(sheet, from, step)
          const next: ReadingPlace = to.index > last.index || (to.index === last.index && to.row > last.row) ? last : to
          reading = { top: next.index, row: next.row }
          at = Math.max(0, Math.min(at + step, all.length - rows))
          const shown = shownLines(sheet, next, context).map(one => one.spans.map(span => span.text).join(""))
          expect(shown).toEqual(all.slice(at, at + rows))
        }
      },
    )
  })

  test("reads only the lines that it shows, of a million as of a hundred", () => {
    for (const length of [100, 1_000_000]) {
      const plain = plainText("x\n".repeat(length))
      let asked = 0
      const text = {
        ...plain,
        plain: (index: number) => {
          asked++
          return plain.plain(index)
        },
      }
      for (const top of [0, 50, length]) {
        const sheet = new PageSheet(text, { top }, 80, 20)
        shownLines(sheet, topOf(sheet, { top }), context)
      }
      expect(asked).toBeLessThan(300)
    }
  })

  test("shows and searches a line of sixteen million characters at once", () => {
    const text = plainText(`${"abcdefgh".repeat(2_000_000)}needle`)
    const reading = { top: 0, find: "needle" }
    const sheet = new PageSheet(text, reading, 80, 20)
    expect(shownLines(sheet, topOf(sheet, reading), context)).toHaveLength(20)
    expect(sheet.hits("needle").count).toBe(1)
    expect(sheet.hits("habc").count).toBe(100_000)
    // The parts of a long text in JSON are indented, and what is sought may go on in the next.
    const json = jsonText([], jsonLines(["abcdefgh".repeat(9000)]))
    expect(new PageSheet(json, reading, 80, 20).hits("ghab").count).toBe(8999)
    expect([1, 2].map(line => json.plain(line).search(/\S/))).toEqual([2, 4])
  })
})

await testWalks("pager")
