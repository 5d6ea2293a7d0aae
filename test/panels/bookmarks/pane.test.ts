// Tests how rows are marked with notes, found again and listed.
import { expect, test } from "bun:test"
import { event, ids, tell } from "../../run/lines.ts"
import { replay, show } from "../../screen/screen.tsx"
import { testWalks } from "../scripted.ts"
import { type Step, walked } from "../steps.ts"

const notes = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => event(from + i, "test/note", { n: from + i }, 1000 * (from + i)))
const small = { columns: 90, rows: 24 }
const next = ": 'next bookmark' enter"
const previous = ": 'previous bookmark' enter"

test("a bookmark has a note, is found again, listed, written and deleted", async () => {
  const screen = await show(small, ...notes(0, 100))
  const more: Step = ["more rows", () => screen.feed(...notes(100, 120), event(120, "llm/start", ids, 120_000))]
  const steps = ["M ' look here ' enter", "g M enter", more, "end", previous, previous, previous, "escape", next]
  const list = "escape L|j|enter|M ctrl-u 'there' enter|L enter".split("|")
  const open = [next, "enter M 'open'", "enter escape f 'seq<50' enter"]
  const end = [next, "escape", "L", "d", "G d", "d", "L", "M escape"]
  expect(await walked(screen, ...steps, ...list, ...open, ...end)).toMatchSnapshot()
})

test("bookmarks from disk are merged with those made meanwhile, once each, and one whose row is gone says so", async () => {
  const screen = await show(small, ...notes(0, 10))
  const known = (...seqs: readonly number[]): Step => [
    `from disk: ${seqs}`,
    () => {
      const list = [0, 1].flatMap(epoch => seqs.map(seq => ({ epoch, seq, note: `kept ${seq}\u001b[2J` })))
      screen.effects.push(...screen.store.ask({ type: "bookmarks/known", list }, { now: 0, page: 0, lines: 0 }))
    },
  ]
  // The row is that on which the note was begun.
  const more: Step = ["more rows", () => screen.feed(...notes(10, 14))]
  const steps = [known(3), known(3), "M 'mine'", more, "enter", known(3, 9, 99), "L", "G", "enter"]
  const filtered = ["escape g", next, "f 'seq<5' enter", "g", next, next, "escape", "! L g enter", "L G d", "k", "d"]
  expect(await walked(screen, ...steps, ...filtered)).toMatchSnapshot()
})

test("rows of two runs with the same number are marked apart, and a row without a number can't be", async () => {
  const begun = (ts: number) => event(0, "runner/started", { "chart-id": "c" }, ts)
  const screen = await show(small, begun(1), begun(2))
  const past = await show({ ...small, link: replay }, event(1, "llm/start", ids))
  const asks = event(4, "llm/request", { ...ids, "user-blocks": ["?"] }, 4000)
  const data = await show(small, ...notes(0, 3), event(3, "llm/start", ids, 3000), asks)
  const back: Step = ["the past", () => data.store.dispatch({ type: "show", run: tell(notes(0, 2)) })]
  expect([
    await walked(screen, "M 'second' enter", "k M 'first' enter", "L", "j", "escape", "s", "end M"),
    // The row that is open is marked, and has the cursor from then on.
    await walked(data, "shift-tab g", "shift-tab D", "M 'data' enter", "escape", "tab", "end", back, next),
    await walked(past, "tab enter L", "q q T L"),
  ]).toMatchSnapshot()
})

await testWalks("bookmarks")
