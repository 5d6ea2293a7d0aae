// Tests which texts and rows leave memory at their limits, and what of them stays.
import { expect, test } from "bun:test"
import type { EventFrame } from "../../../packages/wire/src/frame.ts"
import { JUMPS } from "../../../src/query/jump.ts"
import { fold } from "../../../src/run/fold.ts"
import { withoutLines } from "../../../src/run/memory/delta-snapshot.ts"
import { evictTexts, packedCount, TEXT_BUDGET, textShare, withoutTexts } from "../../../src/run/memory/pack-entries.ts"
import { allPacked, chunkId, hasEvicted, packed } from "../../../src/run/memory/pack-rows.ts"
import {
  linesToRecall,
  mergeRecalled,
  type Recalled,
  recalledRowAt,
  withRecalledFrame,
} from "../../../src/run/memory/recalled-frames.ts"
import { at, CHUNK, emptyList, isPacked, pushedAll, slice } from "../../../src/run/model/chunked-list.ts"
import { emptySession } from "../../../src/run/model/empty-session.ts"
import { eventTypeOf } from "../../../src/run/model/row.ts"
import { emptyRun, initialRun, type Row } from "../../../src/run/model/run.ts"
import type { Entry, Mutable, Session } from "../../../src/run/model/session.ts"
import { event, ids } from "../lines.ts"

/** An entry of 300 units, or of as many as it is given. */
const entry = (order: number, turn: number, units = 300): Entry => ({
  ...{ type: order % 2 === 0 ? "text" : "tool-result", name: order % 3 === 0 ? "n".repeat(order % 2) : null },
  ...{ isError: order % 5 === 0, streamed: order % 7 === 0, text: ["x".repeat(units - 200)] },
  ...{ turn, ref: null, line: order + 3, part: order % 4, order },
})

/** A session in its `turns`th turn whose latest reply begins at the last of these entries. */
function sessionOf(turns: number, entries: readonly Entry[]): Mutable<Session> {
  const list = pushedAll<Entry>(emptyList, entries)
  const heldUnits = entries.reduce((sum, { text }) => sum + 200 + (text[0]?.length ?? 0), 0)
  return { ...emptySession, turns, entries: list, replyFrom: entries.length - 1, heldUnits }
}
const old = (count: number) => Array.from({ length: count }, (_, order) => entry(order, 1))
const LONG = [...old(9), entry(9, 1, TEXT_BUDGET), entry(10, 1)]

test.each<[what: string, session: Mutable<Session>, share: number, packed: number, held: number]>([
  ["all that fits", sessionOf(9, old(11)), 3300, 0, 3300],
  ["half of the share beside the latest reply, to the unit", sessionOf(9, old(11)), 2400, 6, 1500],
  ["less than half of the share where the next is too long", sessionOf(9, old(11)), 2399, 7, 1200],
  ["the latest two turns", sessionOf(2, [entry(0, 0), ...old(10)]), 400, 1, 3000],
  ["of the latest two turns no more than all have", sessionOf(1, LONG), 400, 9, TEXT_BUDGET + 300],
  ["its only reply", sessionOf(9, [entry(0, 1, 9000)]), 400, 0, 9000],
  ["the latest reply, however long", sessionOf(9, [entry(0, 1), entry(1, 1, 9000)]), 400, 1, 9000],
])("a session keeps %s", (_, session, share, packed, held) => {
  const before = slice(session.entries, 0, 99)
  evictTexts(session, share)
  expect([packedCount(session.entries), session.heldUnits]).toEqual([packed, held])
  expect(hasEvicted({ ...emptyRun, sessions: [emptySession, session] })).toBe(packed > 0)
  expect(withoutTexts(session).heldUnits).toBe(200 + (at(session.entries, session.replyFrom)?.text[0]?.length ?? 0))
  const gone = before.slice(0, packed).map((one): Entry => ({ ...one, text: [], evicted: "unread" }))
  expect(slice(session.entries, 0, 99)).toEqual([...gone, ...before.slice(packed)])
})

test("a short chunk of texts that left memory is made longer, a long one is not", () => {
  const session = sessionOf(9, old(33))
  const chunks = [0, 1, 2, 3].map(() => {
    evictTexts(session, 400)
    const lengths = session.entries.full.map(chunk => chunk.length)
    session.entries = pushedAll(session.entries, old(16))
    Object.assign(session, { replyFrom: session.entries.length - 1, heldUnits: 9999 })
    return lengths
  })
  expect(chunks).toEqual([[32], [32, 16], [32, 32], [32, 32, 16]])
})

test("a session may keep its part of the budget, and 2,048 units at least where there is a budget for that", () => {
  const share = (textBudget: number, count: number) =>
    textShare({ options: { ...emptyRun.options, textBudget }, sessions: Array(count).fill(emptySession) })
  expect([share(100_000, 2), share(100_000, 100), share(100, 2), share(0, 2)]).toEqual([50_000, 2048, 100, 0])
})

test("a row that left memory keeps its name, unless that is too long, and whether its ids are its session's", () => {
  const named = (units: number) => event(null, "n".repeat(units), {})
  const of = (invokeid: string | null, id: string | null) => ({ invokeid, "session-id": id })
  const told = [of("a", null), of(null, null), of(null, "s"), of("b", "t")].map(who => event(null, "app/note", who))
  const marks = [{ entered: ["a"] }, {}].map(data => event(null, "runner/event-processed", data))
  const results = [true, false].map(isError => event(null, "llm/tool-result", { ...of("b", "t"), "is-error": isError }))
  const run = fold(emptyRun, [
    event(1, "llm/start", { ...ids, model: "m" }),
    event(2, "llm/start", { ...of("b", "t"), model: "n" }),
    event(3, "llm/user-message", of("b", null)),
    named(128),
    named(129),
    ...[...told, ...marks, ...results],
  ])
  const rows = slice(allPacked(run.log.rows, run), 0, 99)
  const known = rows.map(({ what, session }) =>
    what.kind === "evicted"
      ? [session, eventTypeOf({ what }), what.name?.length ?? null, what.hasSessionIds].join(" ")
      : "",
  )
  expect(known.slice(0, 9)).toEqual([
    ...["0 llm/start 9 true", "1 llm/start 9 true", "1 llm/user-message 16 true", " other 128 true", " other  true"],
    ...[" other 8 false", " other 8 true", " other 8 false", " other 8 false"],
  ])
  const found = (row: Row) => ({ ...row, what: Object.values(JUMPS).map(({ test }) => test(row)) })
  expect(rows.map(found)).toEqual(slice(run.log.rows, 0, 99).map(found))
})

test("what its lines hold leaves a snapshot where memory would let go of it: texts, rows or both", () => {
  const reply = { ...ids, content: [{ type: "text", text: "so" }] }
  const lines = [event(1, "llm/start", ids), event(2, "llm/response", reply), event(3, "llm/response", reply)]
  const left = ["1e6 Infinity", "Infinity 1e6", "Infinity Infinity"].map(budgets => {
    const [textBudget = 0, rowWindow = 0] = budgets.split(" ").map(Number)
    const { sessions, log } = withoutLines(fold(initialRun({ textBudget, rowWindow }), lines))
    return [packedCount(sessions[0]?.entries ?? emptyList), log.rows.full.length]
  })
  expect(left.join(" ")).toBe("2,0 0,1 0,0")
})

test("a full chunk of rows before the window is packed once, and known by one id before and after", () => {
  const run = fold(
    emptyRun,
    Array.from({ length: 2 * CHUNK + 76 }, (_, seq) => event(seq, "app/note")),
  )
  const { rows } = run.log
  const count = (window: number) => packed(rows, window, run).full.filter(isPacked).length
  expect([0, 76, 77, CHUNK + 76, CHUNK + 77, 9999].map(count)).toEqual([2, 2, 1, 1, 0, 0])
  const [one, again] = [packed(rows, 0, run), packed(rows, 0, run)]
  expect([one.full[0] === again.full[0], packed(one, 0, run) === one]).toEqual([true, true])
  const [id, other] = [chunkId(one, 0), chunkId(one, 1)]
  expect([id === chunkId(rows, 0), id === other, chunkId(rows, 2)]).toEqual([true, false, null])
})

test("a frame that was read back is in its row, and the latest 1,024 stay, or as many as were read at once", () => {
  const run = fold(emptyRun, [event(0, "app/note"), event(1, "app/note")])
  const frames = slice(run.log.rows, 0, 2).map(({ what }) => what as EventFrame)
  const [first, other] = slice(allPacked(run.log.rows, run), 0, 2)
  if (first === undefined || other === undefined) throw new Error("expected rows")
  const read = (...lines: readonly number[]): Recalled => new Map(lines.map(line => [line, frames[0] ?? null]))
  expect<unknown>(withRecalledFrame(first, read(0)).what).toBe(frames[0])
  expect(withRecalledFrame(first, new Map([[0, null]])).what).toMatchObject({ name: "app/note", unrecoverable: true })
  expect(withRecalledFrame(first, read(1))).toBe(first)
  const present = { ...run, log: { ...run.log, rows: allPacked(allPacked(run.log.rows, run), run) } }
  expect([present.log.rows.full.length, hasEvicted(run), hasEvicted(present)]).toEqual([1, false, true])
  const recalledAt = (index: number) => recalledRowAt({ present, recalled: read(0) }, index)
  expect<unknown>([recalledAt(0)?.what, recalledAt(1), recalledAt(2)]).toEqual([frames[0], other, undefined])
  const whole = { ...first, what: frames[0] ?? first.what }
  expect(withRecalledFrame(whole, new Map([[0, null]]))).toBe(whole)
  for (const known of [read(0), new Map([[0, null]])]) expect(linesToRecall([first, other, whole], known)).toEqual([1])
  const many = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i)
  const gone = new Map([5, 2000].map<[number, null]>(line => [line, null]))
  const merged = mergeRecalled(read(...many(0, 1024)), gone)
  expect([...merged.keys()]).toEqual([...many(1, 5), ...many(6, 1024), 5, 2000])
  expect([merged.get(5), merged.get(6)]).toEqual([null, frames[0]])
  expect(mergeRecalled(merged, read(...many(3000, 4100))).size).toBe(1100)
})
