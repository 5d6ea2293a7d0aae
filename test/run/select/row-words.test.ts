// Tests what the words of the log leave out of a text, and what they keep.
import { expect, test } from "bun:test"
import { decode } from "../../../packages/wire/src/decode.ts"
import type { Row } from "../../../src/run/model/run.ts"
import { eventTexts, promptTexts } from "../../../src/run/select/event-texts.ts"
import { beginOf, rowData, rowName, rowWords, withoutMarks } from "../../../src/run/select/row-words.ts"
import { storiesOf } from "../kept.ts"
import { event, rowsOf, tell } from "../lines.ts"

test("a row whose event has left memory keeps its name, and says so once it can't be read; its color is its group's", () => {
  const of = (id: string) => ({ invokeid: "a", "session-id": id })
  const run = tell([event(1, "llm/start", of("s")), event(2, "brand/new", {}), event(3, "llm/start", of("t"))])
  const gone = { kind: "evicted", type: "other", name: "brand/new", changesState: false, hasSessionIds: true } as const
  const told = [{}, { name: null }, { unrecoverable: true }, { unrecoverable: false }].map(more =>
    rowsOf(run).map(row => {
      const one: Row = { ...row, what: { ...gone, ...more } }
      const { source, invocation, what, text } = rowWords(run, one)
      return [rowName(one), source, invocation, what, text, ...Object.keys(rowData(one) ?? {})].join(" ")
    }),
  )
  expect(told).toEqual([
    ["brand/new a 1 0 brand/new ", "brand/new agent  brand/new ", "brand/new a 2 0 brand/new "],
    ["other a 1 0 other ", "other agent  other ", "other a 2 0 other "],
    ["a 1 0", "agent ", "a 2 0"].map(who => `brand/new ${who} brand/new this line can no longer be read`),
    ["brand/new a 1 0 brand/new ", "brand/new agent  brand/new ", "brand/new a 2 0 brand/new "],
  ])
  const data = rowsOf(tell([event(1, "app/note", { n: 1 }), event(5, "app/note")])).map(rowData)
  expect(data).toEqual([{ n: 1 }, { kind: "gap", from: 2, to: 4, missing: 3 }, {}])
  expect(beginOf("word ".repeat(100))).toBe("word ".repeat(80).trim())
})

const oneLine = (text: string) => withoutMarks(text).replace(/\s+/g, " ").trim()

test("a text is shown on one line without the marks of headings, bold, quotes, fences and tables", () => {
  expect(oneLine("## Plan\n\n1. **Timeline** - minute by minute")).toBe("Plan 1. Timeline - minute by minute")
  expect(oneLine("> The fault lasted a millisecond.\n> Then it was over.")).toBe(
    "The fault lasted a millisecond. Then it was over.",
  )
  expect(oneLine("so:\n\n```ts\nreturn a || b\n```\nDone")).toBe("so: return a || b Done")
  expect(oneLine("| time  | what |\n|-------|:----:|\n| 06:41 | import |")).toBe("time | what 06:41 | import")
})

test("a word that stands out loses its marks, but for code", () => {
  expect(oneLine("*It* was *the pier*, said `a *b* c`.")).toBe("It was the pier, said `a *b* c`.")
})

test("what only looks like a mark stays, also a long line of dashes, which takes no longer than one of letters", () => {
  const texts = ["a # b", "C# and #5", "a > b", "2 * 3 ^ 4", "a | b", "x -- y", "__init__", "a*b*c", "* a", "*a"]
  for (const text of [...texts, `${"-".repeat(50_000)}x`]) expect(oneLine(text)).toBe(text)
})

test("a search looks at each text of events and questions by its kind", () => {
  const texts = ["events", "notes", "edges"].flatMap(storiesOf).flatMap(([, lines]) => {
    const run = tell(lines.map(decode))
    const said = rowsOf(run).flatMap(({ what }) => (what.kind === "event" ? eventTexts(what) : []))
    return [...said, ...run.prompts.flatMap(({ frame }) => promptTexts(frame))].map(
      ({ what, text }) => `${what}: ${text}`,
    )
  })
  expect([...new Set(texts)].join("\n")).toMatchSnapshot()
})
