// Tests that a growing transcript costs only what is new.
import { expect, spyOn, test } from "bun:test"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { features } from "../../src/panels/plan.ts"
import { fold } from "../../src/run/fold.ts"
import { hasEvicted } from "../../src/run/memory/pack-rows.ts"
import { findBlocks, moveBlocks } from "../../src/transcript/block-moves.ts"
import { LazyBody } from "../../src/transcript/lazy-body.ts"
import { SessionOutline } from "../../src/transcript/session-outline.ts"
import { unicode } from "../../src/ui/glyphs.ts"
import { lineText } from "../../src/ui/mark-hits.ts"
import { folding, type OutlineReading, readingAt, unread } from "../../src/view/block-reading.ts"
import { emptyState, type State } from "../../src/view/state.ts"
import { createStore, type StoreOptions, shownState } from "../../src/view/store.ts"
import { ReadCounter } from "../read-counter.ts"
import { delta, event, idAt, ids } from "../run/lines.ts"

const link = { state: "replaying", path: "run.jsonl", incompleteLength: 0 } as const
const size = { columns: 80, rows: 20 }
const context = { glyphs: unicode, now: 0, motion: false }

/** The frames of so many turns of a session, each with a reply and the result of its tool, and of the next's beginning. */
function framesOfTurns(turns: number): readonly Decoded[] {
  const content = (i: number) => [
    { type: "text", text: `a word of reply ${i}` },
    { type: "tool-use", id: `call-${i}`, name: "look", input: {} },
  ]
  const result = { ...ids, tool: "look", "content-preview": "seen" }
  const lines = Array.from({ length: turns }, (_, i) => [
    event(3 * i, "llm/start", ids),
    event(3 * i + 1, "llm/response", { ...ids, content: content(i) }),
    event(3 * i + 2, "llm/tool-result", { ...result, "tool-use-id": `call-${i}` }),
  ]).flat()
  return [...lines, event(3 * turns, "llm/start", ids), delta(3 * turns + 1, "begun ", ids)]
}

/** Shows a transcript as the screen does, and counts how much of it that reads. */
class CountedOutline {
  readonly counter = new ReadCounter()
  readonly outline = new SessionOutline()

  show(state: State, reading: OutlineReading): void {
    const { counter, outline } = this
    do outline.update(counter.wrap(state), reading, size, context)
    while (outline.isUnfinished)
    expect(outline.window(reading.at).length).toBeLessThanOrEqual(size.rows)
    if (reading.find !== null) outline.foundAt(reading.find, outline.top)
    outline.turnAt(outline.top)
  }

  /** The reads of the last five of ten updates, of what the outline itself keeps too. */
  readsOf(update: (nth: number) => void): number {
    this.counter.watch(Reflect.get(Reflect.get(this.outline, "list"), "cards"), "blocks")
    this.counter.watch(this.outline, "starts")
    for (let i = 0; i < 10; i++) {
      if (i === 5) this.counter.reads = 0
      update(i)
    }
    return this.counter.reads
  }
}

type Reads = (of: OutlineReading, outline: SessionOutline, state: State) => OutlineReading
/** The frames that come from a number on. */
type Updates = (next: number) => readonly Decoded[]

/** What reads the end of a transcript, its beginning, a turn, what was found in it, and its headings alone. */
const READ: { readonly [how: string]: Reads } = {
  "followed at its end": reading => reading,
  "read from its beginning": (reading, outline) => ({ ...reading, ...moveBlocks(reading, { unit: "first" }, outline) }),
  "read at a turn": (reading, _, { run }) => {
    const [session] = run.sessions
    return session === undefined ? reading : readingAt(reading, session, session.turns - 2)
  },
  searched: (reading, outline) => ({ ...reading, ...findBlocks(reading, "word", -1, outline), find: "word" }),
  "folded as a whole": reading => ({ ...reading, folds: folding("all") }),
}

const UPDATES: { readonly [what: string]: Updates } = {
  delta: next => [delta(next, "more ", ids)],
  "turn that ends": next => [
    event(next, "llm/response", { ...ids, content: [{ type: "text", text: "said" }] }),
    event(next + 1, "llm/start", ids),
    delta(next + 2, "begun ", ids),
  ],
}

/** What an update reads of the transcript of a session of so many turns. */
function readsBehind(turns: number, framesOf: Updates, readBy: Reads, given: StoreOptions["given"] = {}): number {
  const store = createStore({ ...features, link, given })
  store.dispatch({ type: "frames", frames: framesOfTurns(turns) })
  expect(hasEvicted(store.get().run)).toBe("textBudget" in given)
  const opened = { ...unread, session: idAt(store.get().run, 0) }
  const counted = new CountedOutline()
  counted.show(store.shown(), opened)
  const reading = readBy(opened, counted.outline, store.shown())
  return counted.readsOf(i => {
    store.dispatch({ type: "frames", frames: framesOf(3 * turns + 2 + 3 * i) })
    counted.show(store.shown(), reading)
  })
}

// A binary search takes some more steps.
for (const [what, framesOf] of Object.entries(UPDATES)) {
  test.each(Object.entries(READ))(
    `a ${what} reads as little of a transcript of a thousand turns as of ten, %s`,
    (_, readBy) => expect(readsBehind(1000, framesOf, readBy)).toBeLessThan(readsBehind(10, framesOf, readBy) * 2.5),
  )

  test(`a ${what} reads as little of a transcript of three thousand turns whose texts have left memory`, () => {
    const reads = (turns: number) =>
      readsBehind(turns, framesOf, reading => reading, { rowWindow: 64, textBudget: 2000 })
    expect(reads(3000)).toBeLessThan(reads(100) * 2.5)
  })
}

/** A run whose one session said these texts, one in each turn. */
function saidIn(texts: readonly string[]): { readonly state: State; readonly reading: OutlineReading } {
  const frames = texts.flatMap((text, i) => [
    event(i * 2, "llm/start", ids),
    event(i * 2 + 1, "llm/response", { ...ids, content: [{ type: "text", text }] }),
  ])
  const empty = emptyState(link)
  const run = fold(empty.run, frames)
  return { state: shownState({ ...empty, run }), reading: { ...unread, session: idAt(run, 0) } }
}

const shownIn = (outline: SessionOutline) => outline.window(null).map(lineText).join("\n")

test("opening a session of ten thousand turns makes the lines around the screen only, and pages through all of them", () => {
  const { state, reading } = saidIn(
    Array.from({ length: 10_000 }, (_, i) => `# Reply ${i}\n\n${"some **words** ".repeat(30)}`),
  )
  const outline = new SessionOutline()
  const made = spyOn(LazyBody.prototype, "make")
  outline.update(state, reading, size, context)
  expect(shownIn(outline)).toContain("Reply 9999")
  expect(made.mock.calls.length).toBeLessThan(40)
  made.mockRestore()
  let read: OutlineReading = { ...reading, ...moveBlocks(reading, { unit: "first" }, outline) }
  const seen: string[] = []
  for (let page = 0; page < 30; page++) {
    outline.update(state, read, size, context)
    seen.push(...outline.window(null).flatMap(line => /Reply \d+/.exec(lineText(line))?.[0] ?? []))
    read = { ...read, ...moveBlocks(read, { unit: "page", count: 1 }, outline) }
  }
  const replies = [...new Set(seen)]
  expect(replies.length).toBeGreaterThan(30)
  expect(replies).toEqual(replies.map((_, i) => `Reply ${i}`))
})

/** The greatest number of UTF-16 units that an update made into lines, until nothing is left to make. */
function longestPart(update: () => void, outline: SessionOutline): number {
  const made = spyOn(LazyBody.prototype, "make")
  let longest = 0
  do {
    made.mockClear()
    update()
    const units = made.mock.results.reduce((sum, { value }) => sum + Number(value), 0)
    longest = Math.max(longest, units)
  } while (outline.isUnfinished)
  made.mockRestore()
  return longest
}

test("the search of a long session goes on part by part, tells what it found so far, and comes to the same", () => {
  const text = "a **word** of it\n\n".repeat(2000)
  const { state, reading } = saidIn(Array.from({ length: 20 }, () => text))
  const more = event(40, "llm/response", { ...ids, content: [{ type: "text", text }] })
  const grown = { ...state, run: fold(state.run, [more]) }
  const outline = new SessionOutline()
  const counts: number[] = []
  const longest = longestPart(() => {
    outline.update(counts.length < 3 ? state : grown, { ...reading, find: "a word" }, size, context)
    counts.push(outline.foundAt("a word", 0).count)
  }, outline)
  expect(longest).toBeLessThan(150_000)
  expect(counts.length).toBeGreaterThan(10)
  expect(counts).toEqual(counts.toSorted((a, b) => a - b))
  expect(counts.at(-1)).toBe(42_000)
  expect(outline.isSearching).toBe(false)
  // A key looks through as much at most, and the next one goes on.
  const keys: unknown[] = []
  do keys.push(outline.hitFrom("word a of", 0, 1))
  while (outline.isSearching && keys.length < 99)
  expect([keys.length > 3, keys.length < 99, keys.filter(Boolean)]).toEqual([true, true, []])
})

test.each([
  ["a reply of a megabyte", `begin\n\n${"some **bold** words and `code`\n\n".repeat(33_000)}the end`],
  ["a reply of five megabytes in one line", `${"a line of a log ".repeat(320_000)}the end`],
])("%s is made into lines part by part", (_, text) => {
  const { state, reading } = saidIn([text])
  const outline = new SessionOutline()
  let parts = 0
  const longest = longestPart(() => {
    outline.update(state, reading, size, context)
    parts++
  }, outline)
  expect(longest).toBeLessThan(150_000)
  expect(parts).toBeGreaterThan(10)
  expect(shownIn(outline)).toContain("the end")
})
