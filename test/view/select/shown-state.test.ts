// Tests which moment the state that is drawn shows, and which question a row stands for.
import { describe, expect, test } from "bun:test"
import { features } from "../../../src/panels/plan.ts"
import { slice } from "../../../src/run/model/chunked-list.ts"
import { emptyRun } from "../../../src/run/model/run.ts"
import { sessionsToRecall } from "../../../src/view/recalled-texts.ts"
import { promptOf } from "../../../src/view/select/shown-session.ts"
import { atPresent, createStore } from "../../../src/view/store.ts"
import { open } from "../../panels/planned.ts"
import { delta, event, ids, line, tell } from "../../run/lines.ts"

const lines = [event(0, "llm/start", ids), delta(1, "First snow")]

describe("the state that is drawn", () => {
  test("is the same object until something changes", () => {
    const store = createStore({ ...features, link: open })
    const { shown } = store
    const before = shown()
    expect(shown()).toBe(before)
    store.dispatch({ type: "frames", frames: [] })
    expect(shown()).toBe(before)
    store.dispatch({ type: "frames", frames: lines })
    expect(shown()).not.toBe(before)
    expect(shown().run).toBe(store.get().run)
  })

  test("has the moment that is shown beside everything received", () => {
    const store = createStore({ ...features, link: open })
    store.dispatch({ type: "frames", frames: lines })
    expect(store.shown()).toMatchObject({ isPast: false, present: store.get().run })
    store.dispatch({ type: "show", run: emptyRun })
    const past = store.shown()
    expect(past).toMatchObject({ isPast: true, run: { sessions: [] } })
    expect(past.present.sessions).toHaveLength(1)
    expect(atPresent(past)).toMatchObject({ isPast: false, run: past.present, time: { playing: false } })
  })
})

test("the texts that memory has let go of are read back for a session once its reader is in front", () => {
  const store = createStore({ ...features, link: open, given: { rowWindow: 0, textBudget: 0 } })
  const content = [{ type: "text", text: "a reply" }]
  const turn = (seq: number) => [event(seq, "llm/start", ids), event(seq + 1, "llm/response", { ...ids, content })]
  store.dispatch({ type: "frames", frames: [0, 2, 4].flatMap(turn) })
  expect([store.shown().missingTexts, sessionsToRecall(store.shown())]).toEqual([[0], []])
  store.dispatch({ type: "view", change: { focus: "text" } })
  expect(sessionsToRecall(store.shown())).toEqual([0])
})

test("a row that asks stands for the question of its own asker, of two alike for the one nearest in time", () => {
  const ask = (seq: number, id: string, invokeid: string) => [
    event(seq, "human-input/start", { invokeid, prompt: "Which?" }),
    line({ kind: "prompt", "prompt-id": id, invokeid, type: "text", opts: { prompt: "Which?" } }),
  ]
  const run = tell([...ask(1, "other", "b"), ...ask(2, "first", "a"), ...ask(5000, "second", "a")])
  const found = slice(run.log.rows, 0, run.log.rows.length).map(row => promptOf(run, row)?.frame.promptId ?? null)
  expect(found.filter(id => id !== null)).toEqual(["other", "first", "second"])
})
