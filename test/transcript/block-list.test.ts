// Keeps which blocks entries become as they grow, are replaced, leave memory, are read back, or are captured.
import { expect, test } from "bun:test"
import { emptyList, pushedAll } from "../../src/run/model/chunked-list.ts"
import type { Entry } from "../../src/run/model/session.ts"
import { BlockList } from "../../src/transcript/block-list.ts"
import { unicode as glyphs } from "../../src/ui/glyphs.ts"

/** `a1` is the first text that event a made, `A1` the same without its text, which has left memory. */
function entryOf(word: string): Entry {
  const [event = "", part = ""] = word.toLowerCase()
  const order = event.charCodeAt(0) - 97
  const place = { turn: 1, streamed: false, ref: event, line: order, order, part: Number(part) }
  const gone = word < "a" && ({ evicted: "unread" } as const)
  return { type: "text", name: null, isError: false, ...place, text: gone ? [] : [`${word} said`], ...gone }
}

const captured = (event: string) => {
  const blocks = [1, 2].map(n => ({ type: "text", text: `${event}${n} said in full` }) as const)
  return { capture: { type: "response", blocks } } as const
}

/** What is shown, step by step: entries, events that are captured by then behind `|`, columns behind `@`. */
test.each([
  "a1, a1 b1, a1 b1, a1 b1 c1 c2, a1 b1 c1 c2 d1, a1 b1, a1 c1, d1 c1, a1 c1 e1, b1 c1 e1, a1, , a1",
  "a1, a1 a2, a1 a2 b1 | a, b1 a1 a2 | a, b1 a1 a2 c1 | a",
  "a1 b1, a1 b1 | a, a1 b1 | ab, a1 b1 c1 d1 | ab, a1 b1 c1 d1 d2 | ab, a1 b1 | b",
  "a1 b1 c1, A1 b1 c1, A1 B1 c1, A1 B1 c1 d1, A1 b1 c1 d1, A1 b1 c1 d1, A1 B1 c1 d1, a1 b1 c1 d1, a1 b1 c1 d1 e1",
  "a1 b1, c1 b1, C1 b1, C1 B1, C1 b1, C1 b1 d1, @30 C1 b1 d1, @30 C1 b1 d1 e1, @30 a1 B2 d1 e1",
  "A1 b1 c1 d1 e1, A1 B1 c1 d1 e1, A1 B1 C1 d1 e1, A1 B1 C1 D1 e1, A1 b1 C1 D1 e1, @3 c1 e1, @3 C2 e1, @3 D2 e1",
])("the blocks of %s", script => {
  const [list, known] = [new BlockList(), new Map<string, unknown>()]
  const once = <T>(name: string, make: () => T) => known.set(name, known.get(name) ?? make()).get(name) as T
  const told = script.split(", ").map(step => {
    const [, columns = "80", words = "", events = ""] = /^(?:@(\d+) ?)?([^|]*?)(?: \| (.*))?$/.exec(step) ?? []
    const entries = words.split(" ").flatMap(word => (word === "" ? [] : once(word, () => entryOf(word))))
    const captures = once(`| ${events}`, () => new Map([...events].map(event => [event, captured(event)])))
    const shape = { session: 0, columns: Number(columns), strategy: "api_tool_call", glyphs } as const
    const [before, changed] = [[...list.blocks], list.take(pushedAll(emptyList, entries), captures, shape)]
    const shown = list.blocks.map(one => [before.includes(one) ? "" : "new", one.key, one.body.text, one.body.length])
    return `${step}\n  from ${changed}: ${shown.map(one => one.join(" ").trim()).join(", ")}`
  })
  expect(`\n${told.join("\n")}\n`).toMatchSnapshot()
})
