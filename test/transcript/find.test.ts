// Keeps how far a search comes with each part of its work, and what it has found by then.
import { expect, test } from "bun:test"
import { TranscriptFinder } from "../../src/transcript/find.ts"
import { LazyBody } from "../../src/transcript/lazy-body.ts"
import type { StreamingTail } from "../../src/transcript/tail.ts"
import { wrappedText } from "../../src/ui/growing-lines.ts"
import { line, span } from "../../src/ui/line.ts"

test.each([
  ["red kettle", 40, "a red kettle|no|kettle=red|a kettle of a red ×9|red kettle red kettle ×30|the red|kettle"],
  ["kettle", 7, "kettle ×12|no word of it ×20"],
])("a search for %s by %d units in %s", (query, units, texts) => {
  // Blocks of 20 columns, whose head has a row; `a=b` has `b` beside it.
  const blocksOf = () =>
    texts.split("|").map(one => {
      const [written = "", aside = ""] = one.split("=")
      const text = written.replace(/(.+)×(\d+)/, (_, part: string, times: string) => part.repeat(Number(times)))
      const grows = (columns: number) => wrappedText(columns, "dim")
      return { aside, body: new LazyBody({ text, grows, lines: () => [] }, 20, () => []) }
    })
  const [finder, blocks, told] = [new TranscriptFinder(), blocksOf(), [] as string[]]
  for (let isOver = false; !isOver && told.length < 99; ) {
    finder.begin(query)
    isOver = finder.searchOn(blocks, units)
    const counts = blocks.map((_, place) =>
      finder.countTo({ place, row: 1 }, { blocks, headRows: () => 1, tailHead: 0 }),
    )
    told.push(`next ${finder.next}, ${counts[0]?.count} found, ${counts.map(({ nth }) => nth ?? "-").join(" ")}`)
  }
  const taken = blocksOf().map(block =>
    [units, units, units * 20, units * 50].map(some => finder.searchBlock(block, some)).join(" "),
  )
  expect(`\n${told.join("\n")}\ntaken: ${taken.join(", ")}\n`).toMatchSnapshot()
})

test("a tail is searched from shortly before what may change, and as a whole once it begins again", () => {
  const finder = new TranscriptFinder()
  finder.begin("a b")
  const steps = ["0 0 a b", "0 6 a b|x|a b|y|y|y|a", "0 9 a b|x|a b|y|y|y|a|b|a b|z", "1 1 x|a b|z", "1 3 x|a b|a"]
  const told = steps.map(step => {
    const [version, settled, ...words] = step.split(" ")
    const [rows, asked] = [words.join(" ").split("|"), new Set<number>()]
    const bodyAt = (row: number) => asked.add(row) && line(span(rows[row] ?? ""))
    const tail = { version: Number(version), settled: Number(settled), length: rows.length, bodyAt }
    finder.searchTail(tail as unknown as StreamingTail)
    const found = (row: number) => finder.countTo({ place: 0, row }, { blocks: [], headRows: () => 0, tailHead: 0 }).nth
    return `${step}: ${rows.map((_, row) => found(row) ?? "-").join(" ")}, asked for ${[...asked].toSorted().join(" ")}`
  })
  expect(`\n${told.join("\n")}\n`).toMatchSnapshot()
})
