// Tests that filters and the search agree with a walk over all rows, in bounded steps.
import { describe, expect, spyOn, test } from "bun:test"
import fc from "fast-check"
import { plan } from "../../src/panels/plan.ts"
import { compile } from "../../src/query/filter/predicate.ts"
import * as rowFacts from "../../src/query/filter/row-facts.ts"
import {
  foundMatches,
  isScanned,
  matchIndexes,
  needsText,
  noFilters,
  shownMatches,
  toggledFilter,
  withFilter,
} from "../../src/query/filters.ts"
import { wholeLog } from "../../src/query/match-index.ts"
import { fold } from "../../src/run/fold.ts"
import { emptyList, ListBuilder, slice } from "../../src/run/model/chunked-list.ts"
import { emptyRun, type Row } from "../../src/run/model/run.ts"
import type { Intent } from "../../src/view/intent.ts"
import { reduce } from "../../src/view/reduce.ts"
import { cursorIndex, nextShown, shownFrom } from "../../src/view/select/log-rows.ts"
import { emptyState, type StoreState } from "../../src/view/state.ts"
import { shownState } from "../../src/view/store.ts"
import { forAll } from "../for-all.ts"
import { event, rowsOf } from "../run/lines.ts"
import { read } from "./filter/parsed.ts"

const start = emptyState({ state: "open", url: "ws://127.0.0.1:1/ws", since: 0 })
const facts = { now: 0, page: 10, lines: 0 }

/** The state after an intent, and whether more remains to be scanned. */
function ask(state: StoreState, intent: Intent): { readonly state: StoreState; readonly goesOn: boolean } {
  const { actions, effects } = plan(shownState(state), intent, facts)
  return { state: actions.reduce(reduce, state), goesOn: effects.some(one => one.type === "log/scan") }
}

function askAll(state: StoreState, ...intents: readonly Intent[]): StoreState {
  let now = state
  for (const intent of intents) {
    let goesOn: boolean
    ;({ state: now, goesOn } = ask(now, intent))
    while (goesOn) ({ state: now, goesOn } = ask(now, { type: "log/scan" }))
  }
  return now
}

const filter = (text: string): readonly Intent[] => [
  { type: "filters/toggle" },
  { type: "filters/add" },
  { type: "typing/text", text },
  { type: "typing/take" },
]
const search = (text: string): readonly Intent[] => [
  { type: "pane/focus", pane: "log" },
  { type: "find/begin" },
  { type: "typing/text", text },
  { type: "typing/take" },
]

function row(seq: number, ts = 1000): Row {
  const [made] = rowsOf(fold(emptyRun, [event(seq, "note", { n: seq }, ts)]))
  if (made === undefined) throw new Error("no row")
  return made
}

/** A log of `length` rows, of which every row whose index passes `is` has `marked`. */
function longState(length: number, is: (index: number) => boolean): StoreState {
  const [plain, marked] = [row(1), row(7)]
  const rows = new ListBuilder<Row>(emptyList)
  for (let i = 0; i < length; i++) rows.push({ ...(is(i) ? marked : plain), order: i })
  return { ...start, run: { ...emptyRun, log: { ...emptyRun.log, rows: rows.done() } } }
}

describe("the filters of the log", () => {
  test("show a row if it passes all that are on (property)", async () => {
    const terms = fc.constantFrom("error", "seq>5", "not seq=7", "event=note", "warning or seq<3", "invokeid=a*")
    const frames = fc.array(
      fc.tuple(fc.nat(12), fc.constantFrom("note", "llm/error", "llm/retry"), fc.constantFrom("a1", "b")),
      { maxLength: 20 },
    )
    await forAll(
      [fc.array(fc.tuple(terms, fc.boolean()), { maxLength: 3 }), fc.array(frames, { maxLength: 3 })],
      60,
      (all, batches) => {
        let state = start
        all.forEach(([text, on], i) => {
          state = askAll(state, ...filter(text))
          if (on) return
          const listed = reduce(state, { type: "view", change: { overlays: [{ type: "filters", cursor: i }] } })
          const off = askAll(listed, { type: "filters/switch" })
          state = reduce(off, { type: "view", change: { overlays: [] } })
        })
        for (const batch of batches) {
          const lines = batch.map(([seq, name, invokeid]) => event(seq, name, { invokeid, "session-id": "s", seq }))
          state = reduce(state, { type: "frames", frames: lines })
          const { run } = state
          const tests = state.view.log.filters.list.filter(one => one.on).map(one => compile(one.filter))
          const expected = slice(run.log.rows, 0, run.log.rows.length).flatMap((one, i) =>
            tests.every(predicate => predicate.row(run, one)) ? [i] : [],
          )
          expect(shownFrom(shownState(state), 0, Infinity)).toEqual(expected)
          expect(shownFrom(shownState(state), run.log.rows.length - 1, Infinity, -1).toReversed()).toEqual(expected)
        }
      },
    )
  })

  test("move the cursor to the nearest visible row, and back once its own is visible, and stay for a new run", () => {
    const tenth = longState(100, i => i % 10 === 0)
    const state = askAll(tenth, { type: "pane/next", step: -1 })
    const at = reduce(state, { type: "view", change: { log: { cursor: { epoch: 0, order: 57, nth: 0 } } } })
    expect(cursorIndex(shownState(at))).toBe(57)
    const filtered = askAll(at, ...filter("seq=7"))
    expect(cursorIndex(shownState(filtered))).toBe(50)
    expect(reduce(filtered, { type: "restart", now: 0 }).view.log.filters.list).toHaveLength(1)
    expect(nextShown(shownState(filtered), 50, 1)).toBe(60)
    expect(cursorIndex(shownState(askAll(filtered, { type: "cursor/move", by: { unit: "row", count: 2 } })))).toBe(70)
    const listed = askAll(filtered, { type: "filters/toggle" }, { type: "filters/delete" })
    expect(listed.view.log.filters.list).toEqual([])
    expect(cursorIndex(shownState(listed))).toBe(57)
  })

  test("test a log of a million rows a few thousand at a time, the latest first", () => {
    const state = longState(1_000_000, i => i % 1000 === 999)
    const asked = spyOn(rowFacts.rowFacts, "number")
    const typed = [...filter("seq=7")].slice(0, -1).reduce((one, intent) => ask(one, intent).state, state)
    let step = ask(typed, { type: "typing/take" })
    expect(step.goesOn).toBe(true)
    expect(asked.mock.calls.length).toBeLessThan(10_000)
    expect(shownFrom(shownState(step.state), 999_999, 3, -1)).toEqual([999_999, 998_999, 997_999])
    expect(nextShown(shownState(step.state), -1, 1)).toBeGreaterThan(990_000)
    for (let slices = 0; step.goesOn; slices++) {
      const before = asked.mock.calls.length
      step = ask(step.state, { type: "log/scan" })
      expect(asked.mock.calls.length - before).toBeLessThan(10_000)
      expect(slices).toBeLessThan(1000)
    }
    expect(isScanned(step.state.view.log.filters.scanned)).toBe(true)
    expect(nextShown(shownState(step.state), -1, 1)).toBe(999)
    // Each row was tested once, also by drawing; a new row is tested once.
    expect(asked.mock.calls.length).toBe(1_000_000)
    shownFrom(shownState(step.state), 0, 40)
    reduce(step.state, { type: "frames", frames: [event(1, "note", {})] })
    const grown = reduce(step.state, { type: "frames", frames: [event(7, "note", {})] })
    shownFrom(shownState(grown), 0, 40)
    expect(cursorIndex(shownState(grown))).toBe(1_000_000)
    expect(asked.mock.calls.length).toBeLessThan(1_000_004)
    asked.mockRestore()
  })
})

test("the search of the log continues until it finds a hit, however far", () => {
  const twelfth = longState(100_000, i => i === 12)
  expect(cursorIndex(shownState(askAll(twelfth, ...search("seq=7"))))).toBe(12)
})

test("the rows that a time of day shows follow a change of the offset of the time zone, of one filter and of two", () => {
  const hour = 3_600_000
  const run = fold(
    emptyRun,
    [12, 13, 14].map(at => event(at, "test/note", {}, at * hour)),
  )
  const one = withFilter(noFilters, read("ts>=14:00"), "", null)
  for (const filters of [one, withFilter(one, read("event=test/note"), "", null)]) {
    const shown = (zone: number) => slice(run.log.rows, 0, 3).filter((_, i) => shownMatches(filters, zone)?.has(run, i))
    const hours = (zone: number) => shown(zone).map(({ seq }) => seq)
    expect([hours(0), hours(hour), hours(2 * hour), hours(0)]).toEqual([[14], [13, 14], [12, 13, 14], [14]])
  }
})

test("what is scanned for filters that are on and a search, and that one that is edited is on again", () => {
  const one = withFilter(noFilters, read("text~a"), "text~a", null)
  const two = withFilter(one, read("error"), "error", null)
  const off = toggledFilter(two, 1)
  const sought = { ...off, search: { filter: read("seq=1"), text: "seq=1", wanted: null } }
  const all = [noFilters, one, two, off, sought]
  const scanned = all.map(filters => `${matchIndexes(filters, 0).length} ${needsText(filters)}`)
  expect(scanned).toEqual(["0 false", "1 true", "3 true", "1 false", "2 false"])
  const edited = withFilter(off, read("warning"), "warning", 1)
  expect(edited.list.map(({ key, text, on }) => [key, text, on])).toEqual([
    [1, "warning", true],
    [2, "error", true],
  ])
  const ranges = [wholeLog, { from: 0, to: 5 }, { from: 1, to: Infinity }]
  expect(ranges.map(isScanned)).toEqual([true, false, false])
})

test("what a search finds follows the filters that come after it", () => {
  const run = fold(emptyRun, [event(1, "test/note"), event(2, "test/note"), event(3, "test/note")])
  const search = { filter: read("seq>1"), text: "seq>1", wanted: null }
  const first = { ...noFilters, search }
  const then = withFilter(first, read("seq<3"), "seq<3", null)
  const all = [first, then, toggledFilter(then, 1), withFilter(then, read("seq=3"), "seq=3", 1)]
  expect(all.map(filters => foundMatches(filters, 0)?.hits(run, 0))).toEqual([[1, 2], [1], [1, 2], [2]])
})
