// Keeps how far a search comes with each part of its work, and what it has found by then.
import { expect, test } from "bun:test"
import { TranscriptFinder } from "../../src/transcript/find.ts"
import { LazyBody } from "../../src/transcript/lazy-body.ts"
import { wrappedText } from "../../src/ui/growing-lines.ts"

test.each([
  ["red kettle", 40, "a red kettle|no|kettle=red|a kettle of a red ×9|red kettle red kettle ×30|the red|kettle"],
  ["kettle", 7, "kettle ×12|no word of it ×20"],
])("a search for %s by %d units in %s", (query, units, texts) => {
  /** Blocks of 20 columns, whose head has a row; `a=b` has `b` beside it. */
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
    const searched = { blocks, headRows: () => 1, tailHead: 0 }
    const counts = blocks.map((_, place) => finder.countTo({ place, row: 1 }, searched))
    told.push(`next ${finder.next}, ${counts[0]?.count} found, ${counts.map(({ nth }) => nth ?? "-").join(" ")}`)
  }
  const taken = blocksOf().map(block => [1, 1, 20, 50].map(parts => finder.searchBlock(block, parts * units)).join(" "))
  expect(`\n${told.join("\n")}\ntaken: ${taken.join(", ")}\n`).toMatchSnapshot()
})
