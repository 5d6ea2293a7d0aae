// Tests that ids lead to their sessions, groups, rows, entries and turns, at a cost that does not grow with them.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { fold } from "../../../src/run/fold.ts"
import {
  entryIdAt,
  entryIdsFrom,
  entryIndex,
  groupIndex,
  promptByKey,
  rowIdOf,
  rowIndex,
  sessionById,
  sessionIndex,
  turnIdOf,
  turnNumber,
  turnPlace,
} from "../../../src/run/identity/find-by-id.ts"
import { at, slice } from "../../../src/run/model/chunked-list.ts"
import { entryIdAfter, isAfterLast, type PromptKey, promptKey } from "../../../src/run/model/id.ts"
import { emptyRun, type Run } from "../../../src/run/model/run.ts"
import { forAll } from "../../for-all.ts"
import { deepFreeze } from "../../freeze.ts"
import { event, groupAt, idAt, ids, line, rowsOf, tell } from "../lines.ts"

const start = (seq: number, session: string, invokeid: string | null = session) =>
  event(seq, "llm/start", { invokeid, "session-id": session })

describe("a session", () => {
  test("is found in each of two runs that continue the same one, and not in that one", () => {
    const base = tell([start(1, "a"), start(2, "b", "a")])
    const [one, other] = [fold(base, [start(3, "x")]), fold(base, [start(3, "y"), start(4, "x")])]
    expect([sessionIndex(one, idAt(one, 2)), groupIndex(one, groupAt(one, 1))]).toEqual([2, 1])
    expect([sessionIndex(other, idAt(one, 2)), groupIndex(other, groupAt(one, 1))]).toEqual([3, 2])
    expect([0, 1, 2].map(i => sessionIndex(other, idAt(other, i)))).toEqual([0, 1, 2])
    expect(sessionIndex(one, idAt(other, 2))).toBeNull()
    expect([sessionIndex(base, idAt(one, 2)), groupIndex(base, groupAt(other, 1))]).toEqual([null, null])
    expect([idAt(base, 1), null].map(id => sessionIndex(base, id))).toEqual([1, null])
    expect(sessionIndex(emptyRun, idAt(base, 0))).toBeNull()
    expect(tell([start(1, "a"), event(0, "runner/started"), start(1, "a")]).sessions).toHaveLength(2)
  })

  test("has the same id and group, and is found by both, whether rows from disk came before it or not", () => {
    const note = line({ kind: "sidecar", at: 1, what: "parser", why: "x" })
    const starts = ["", null, "", null].map((name, i) => start(i + 1, "x", name))
    const live = [...starts, event(5, "app/note"), event(null, "app/note")]
    const alone = tell([note, note, ...live])
    const disk = (told: object) => line({ kind: "sidecar", at: 1, what: "disk", ...told })
    const earlier = [disk({ rows: 1, earlier: 1 }), event(3, "llm/start", ids, 5), disk({ epoch: true })]
    const filled = tell([...earlier, ...live, disk({ rows: 0, earlier: 5 })])
    expect(alone.sessions.map(({ turns }) => turns)).toEqual([2, 2])
    const indexes = [0, 1].map(i => [sessionIndex(filled, idAt(alone, i)), groupIndex(filled, groupAt(alone, i))])
    expect(indexes.join(" ")).toBe("1,1 2,2")
    const names = (run: Run, from: number) => [from, from + 1].flatMap(i => [idAt(run, i), groupAt(run, i)])
    expect(names(filled, 1)).toEqual(names(alone, 0))
    for (const run of [alone, filled])
      expect(rowsOf(run).map(row => rowIndex(run, rowIdOf(run, row)))).toEqual([...rowsOf(run).keys()])
    const last = rowsOf(alone).at(-1)
    expect(last && rowIndex(filled, rowIdOf(alone, last))).toBe(rowsOf(filled).length - 2)
    expect(rowsOf(alone).map(row => rowIdOf(alone, row).epoch)).toEqual(Array(8).fill(0))
    const places = [emptyRun, alone].map(run => turnPlace(run, { session: idAt(alone, 1), turn: entryIdAfter(null) }))
    expect(places.map(({ session, turn }) => `${session} ${turn}`)).toEqual(["-1 0", "1 2"])
    expect(sessionById(alone, idAt(alone, 1))).toBe(alone.sessions[1])
  })

  test("is found without a look at the others, also if it has just begun", () => {
    const starts = Array.from({ length: 2000 }, (_, i) => start(i, `s${i}`, `i${i % 100}`))
    const many = deepFreeze(fold(emptyRun, starts))
    expect(sessionIndex(many, idAt(many, 1234))).toBe(1234)
    const grown = fold(many, [start(2000, "new", "i7")])
    let reads = 0
    const sessions = new Proxy(grown.sessions, {
      get(list, key, receiver) {
        if (typeof key === "string" && /^\d+$/.test(key)) reads++
        return Reflect.get(list, key, receiver)
      },
    })
    expect(sessionIndex({ ...grown, sessions }, idAt(grown, 2000))).toBe(2000)
    expect(reads).toBe(0)
  })
})

test("the id of a row that is gone leads to the last row of its place, or else to the next row", () => {
  const told = "1 one,5 five,- also five,- five too,6 six".split(",")
  const run = tell(told.map(one => event(/^\d/.test(one) ? Number(one[0]) : null, one.slice(2))))
  const names = (order: number, nth: number) => {
    const { what } = rowsOf(run)[rowIndex(run, { epoch: 0, order, nth })] ?? {}
    return what?.kind === "event" ? what.name : what?.kind
  }
  expect([names(5, 0), names(5, 1), names(5, 2)]).toEqual(["five", "also five", "five too"])
  expect(names(5, 7)).toBe("five too")
  expect([names(2, 0), names(4, 0), names(9, 0), names(0, 0)]).toEqual(["gap", "five", "six", "one"])
  expect(rowIndex(emptyRun, { epoch: 0, order: 1, nth: 0 })).toBe(0)
  const two = tell([event(1, "one"), event(0, "runner/started"), event(7, "seven"), event(null, "also seven")])
  expect([rowIndex(two, { epoch: 0, order: 7, nth: 2 }), rowIndex(two, { epoch: 1, order: 7, nth: 1 })]).toEqual([1, 4])
  expect(rowsOf(run).map(row => rowIndex(run, rowIdOf(run, row)))).toEqual([0, 1, 2, 3, 4, 5])
})

describe("an entry", () => {
  const said = fc.record({ numbered: fc.boolean(), blocks: fc.integer({ min: 0, max: 3 }), turn: fc.boolean() })
  const runOf = (all: readonly { numbered: boolean; blocks: number; turn: boolean }[]): Run => {
    let seq = 0
    return fold(
      emptyRun,
      all.map(({ numbered, blocks, turn }) => {
        const content = Array.from({ length: blocks }, (_, i) => ({ type: "text", text: `${i}` }))
        const number = numbered ? ++seq : null
        return turn ? event(number, "llm/start", ids) : event(number, "llm/response", { ...ids, content })
      }),
    )
  }

  test("is found by its id, with numbers and without, and so is what follows the last", () =>
    forAll([fc.array(said, { minLength: 1, maxLength: 30 })], 100, all => {
      const [session] = runOf(all).sessions
      if (session === undefined) throw new Error("expected a session")
      const { entries } = session
      const names = Array.from({ length: entries.length + 1 }, (_, index) => entryIdAt(entries, index))
      expect(new Set(names).size).toBe(names.length)
      expect(names.map(id => entryIndex(entries, id))).toEqual([...names.keys()])
      for (let from = 0; from <= entries.length; from++) {
        expect(entryIdsFrom(entries, from)).toEqual(names.slice(from, -1))
      }
      for (let turn = 0; turn <= session.turns; turn++) {
        const id = turnIdOf(session, turn)
        const first = slice(entries, 0, entries.length).findIndex(entry => entry.turn >= turn)
        expect(entryIndex(entries, id)).toBe(first < 0 ? entries.length : first)
        expect(turnNumber(session, id)).toBe(at(entries, first)?.turn ?? session.turns)
      }
    }))

  test("that has not come yet is found when it has, and the next one is found for one that is gone", () => {
    const lines = [start(1, "s", "a"), event(2, "llm/user-message", { ...ids, text: "one" })]
    const before = tell(lines)
    const after = tell([...lines, event(3, "llm/user-message", { ...ids, text: "two" })])
    const [first, later] = [before.sessions[0]?.entries, after.sessions[0]?.entries]
    if (first === undefined || later === undefined) throw new Error("expected entries")
    const next = entryIdAt(first, 1)
    expect([next, entryIndex(first, next), entryIndex(later, next)]).toEqual([entryIdAfter(entryIdAt(first, 0)), 1, 1])
    expect(["0.0", "0.1", "2.1", "2.3", "9.0"].map(id => entryIndex(later, id))).toEqual([0, 0, 1, 1, 2])
    expect([entryIndex(later, "2.0.1.3"), entryIndex(later, entryIdAfter(null))]).toEqual([0, 0])
    expect([entryIndex(later, ""), entryIndex(later, "turn 2.0")]).toEqual([null, null])
  })
})

test("the key of a prompt counts how often its id was used, and the id of an entry to come ends as one", () => {
  let key: PromptKey | null = null
  const keys = Array.from({ length: 12 }, () => (key = promptKey("p 1", key)))
  expect([keys[0], keys[9], keys[11]].map(String)).toEqual(["0 p 1", "9 p 1", "11 p 1"])
  const asked = tell(["p", "q"].map(id => line({ kind: "prompt", "prompt-id": id, type: "text" })))
  expect(asked.prompts.map(({ key }) => promptByKey(asked, key)?.frame.promptId)).toEqual(["p", "q"])
  expect([isAfterLast(entryIdAfter(null)), isAfterLast("1.0+"), isAfterLast("1.0")]).toEqual([true, true, false])
})
