// Tests which moment the state that is drawn shows, and which question a row stands for.
import { expect, test } from "bun:test"
import { features } from "../../../src/panels/plan.ts"
import { assembled, at, emptyList, itemsOf, slice } from "../../../src/run/model/chunked-list.ts"
import { entryIdAfter } from "../../../src/run/model/id.ts"
import { emptyRun } from "../../../src/run/model/run.ts"
import { type OutlineReading, unread } from "../../../src/view/block-reading.ts"
import { sessionsToRecall, unreadChunks } from "../../../src/view/recalled-texts.ts"
import { promptOf } from "../../../src/view/select/shown-session.ts"
import { atPresent, createStore } from "../../../src/view/store.ts"
import type { ViewChange } from "../../../src/view/view.ts"
import { open } from "../../panels/planned.ts"
import { delta, event, idAt, ids, line, tell } from "../../run/lines.ts"

const said = (_: unknown, i: number) => event(2 + i, "llm/user-message", { ...ids, text: "so" })
const lines = [event(0, "llm/start", ids), delta(1, "First snow"), ...Array.from({ length: 40 }, said)]

test("the state that is drawn is the same until something changes, and has the moment shown beside everything", () => {
  const store = createStore({ ...features, link: open, zone: 60_000 })
  const { shown } = store
  const before = shown()
  store.dispatch({ type: "frames", frames: [] })
  expect(shown()).toBe(before)
  store.dispatch({ type: "frames", frames: lines })
  expect(shown()).not.toBe(before)
  expect(shown().run).toBe(store.get().run)
  expect(shown()).toMatchObject({ isPast: false, present: store.get().run, zone: 60_000 })
  expect(atPresent(shown())).toBe(shown())
  store.dispatch({ type: "show", run: emptyRun })
  store.dispatch({ type: "time", change: { playing: true } })
  const past = shown()
  expect(past).toMatchObject({ isPast: true, run: { sessions: [] }, present: { sessions: [{}] } })
  expect(atPresent(past)).toMatchObject({ isPast: false, run: past.present, time: { playing: false } })
  store.dispatch({ type: "show", run: past.present })
  expect(shown().isPast).toBe(true)
})

test("the texts that memory has let go of are read back for a session once its reader is in front", () => {
  const store = createStore({ ...features, link: open, given: { rowWindow: 0, textBudget: 0 } })
  const turn = (seq: number, blocks: number) => {
    const content = Array.from({ length: blocks }, () => ({ type: "text", text: "a reply" }))
    return [event(seq, "llm/start", ids), event(seq + 1, "llm/response", { ...ids, content })]
  }
  store.dispatch({ type: "frames", frames: [turn(0, 33), turn(2, 1), turn(4, 1), turn(6, 1)].flat() })
  const wanted = (change: ViewChange) => {
    store.dispatch({ type: "view", change })
    return sessionsToRecall(store.shown())
  }
  const views: readonly ViewChange[] = [
    {},
    { focus: "text" },
    { overlays: [{ type: "palette" }], focus: "live" },
    { overlays: [{ type: "waterfall" }], focus: "live" },
    { overlays: [], focus: "live" },
  ]
  expect([store.shown().missingTexts, ...views.map(wanted)]).toEqual([[0], [], [0], [], [0], []])
  // Whose end is followed needs none while what is in memory fills the screen.
  store.dispatch({ type: "frames", frames: [event(8, "llm/user-message", { ...ids, text: "x".repeat(65_536) })] })
  const place = { block: "0.0", row: 0 }
  const reads = (how: Partial<OutlineReading>) =>
    wanted({ focus: "text", reader: { text: { ...unread, session: idAt(store.get().run, 0), ...how } } })
  expect([{}, { find: "x" }, { at: place }, { first: place }].map(reads)).toEqual([[], [0], [0], [0]])
  expect(wanted({ focus: "live" })).toEqual([])
  // A comparison needs the texts of its own session too.
  const other = { ...ids, "session-id": "t" }
  const spoken = (seq: number) => [event(seq, "llm/start", other), event(seq + 1, "llm/user-message", other)]
  store.dispatch({ type: "frames", frames: [10, 12, 14, 16].flatMap(spoken) })
  const compared = { session: idAt(store.get().run, 0), turn: entryIdAfter(null) }
  const latest = { ...compared, session: idAt(store.get().run, 1) }
  for (const [before, after] of [
    [compared, latest],
    [latest, compared],
  ] as const) {
    wanted({ overlays: [{ type: "turn-diff", before, after, top: 0 }] })
    expect(store.shown().missingTexts).toEqual([1, 0])
  }
  wanted({ overlays: [], list: { selected: { type: "session", session: compared.session }, pinned: true } })
  const chunks = unreadChunks(store.get(), 0)
  expect(chunks.map(({ length }) => length)).toEqual([1, 33])
  const read = [...chunks, ...chunks.slice(0, 1)].map((chunk, i) => {
    const entries = itemsOf(assembled([chunk, []]), 0).map(entry => ({ ...entry, text: [`read ${i}`] }))
    store.dispatch({ type: "texts-recalled", texts: new Map([[chunk, entries]]) })
    const [session] = store.shown().run.sessions
    const texts = [0, 32, 33, 34].map(place => at(session?.entries ?? emptyList, place)?.text[0])
    return [...texts, ...store.shown().missingTexts]
  })
  expect(read).toEqual([
    [undefined, undefined, "read 0", "a reply", 0],
    ["read 1", "read 1", "read 0", "a reply"],
    ["read 1", "read 1", "read 2", "a reply"],
  ])
  const [known] = store.shown().run.sessions
  expect([wanted({ focus: "text" }), store.shown().missingTexts]).toEqual([[], []])
  expect(store.shown().run.sessions[0]).toBe(known)
  store.dispatch({ type: "frames", frames: [event(20, "llm/error", { invokeid: "b" })] })
  expect(store.shown().run.sessions[0]).toBe(known)
})

test("a row that asks stands for the question of its own asker, of two alike for the one nearest in time", () => {
  const ask = (seq: number, id: string, invokeid: string) => [
    event(seq, "human-input/start", { invokeid, prompt: "Which?" }),
    line({ kind: "prompt", "prompt-id": id, invokeid, type: "text", opts: { prompt: "Which?" } }),
  ]
  const run = tell([
    ...ask(1, "other", "b"),
    ...ask(2, "first", "a"),
    ...ask(5000, "second", "a"),
    event(6000, "human-input/start", { invokeid: "b" }),
  ])
  const found = slice(run.log.rows, 0, run.log.rows.length).map(row => promptOf(run, row)?.frame.promptId ?? null)
  expect(found.filter(id => id !== null)).toEqual(["other", "first", "second", "other"])
})
