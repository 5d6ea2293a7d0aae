// Tests what can be watched, and what the list of its changes says.
import { describe, expect, test } from "bun:test"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { changesIn } from "../../src/query/watch-changes.ts"
import { MOST_WATCHES, noWatches, readWatched, type Watches, withoutWatch, withWatch } from "../../src/query/watches.ts"
import { emptyRun } from "../../src/run/model/run.ts"
import { event } from "../run/lines.ts"

/** The list after a watch for each of these texts. */
function watching(...texts: readonly string[]): Watches {
  return texts.reduce((all, text) => {
    const watched = readWatched(text)
    if ("error" in watched) throw new Error(watched.error.message)
    return withWatch(all, watched)
  }, noWatches)
}

describe("what is typed to watch", () => {
  test.each([
    [" state ", { type: "value", key: "state" }],
    ["tokens", { type: "value", key: "tokens" }],
    ["state=review", { type: "condition", filter: { type: "glob", key: "state", op: "=", glob: "review" } }],
    [" ", { error: { at: 0, length: 0, message: expect.stringContaining("expected a condition, or one of state, ") } }],
    [" text", { error: { at: 1, length: 4, message: expect.stringContaining("expected a condition, or one of ") } }],
    ["tokens>x", { error: expect.anything() }],
  ])("%j", (text, expected) => expect<unknown>(readWatched(text)).toEqual(expected))

  test("is added once, up to a number, and taken away by its key alone", () => {
    const two = watching("state", "error", "state")
    expect(two.list.map(({ text, key }) => [text, key])).toEqual([
      ["state", 1],
      ["error", 2],
    ])
    expect(two.read).toBe(0)
    expect(withoutWatch(two, 1).list.map(({ text }) => text)).toEqual(["error"])
    const many = watching(...Array.from({ length: MOST_WATCHES + 1 }, (_, i) => `turn=${i}`))
    expect(many.list).toHaveLength(MOST_WATCHES)
  })
})

describe("the changes of a watch", () => {
  const start = (seq: number, session: string, model?: string) =>
    event(seq, "llm/start", { invokeid: session, "session-id": session, ...(model === undefined ? {} : { model }) })
  const config = (seq: number, ...states: string[]) => event(seq, "runner/start-config", { config: states })
  const says = (text: string, ...lines: readonly Decoded[]) =>
    [...changesIn(emptyRun, lines, watching(text).list, 0).found.values()]
      .flat()
      .map(({ frame, seq, ts, to, words }) => {
        return [frame, seq, ts, to, words]
      })

  test("of the state are what was left and what was entered", () => {
    expect(says("state", config(1, "run", "draft"), config(2, "run", "draft"), config(3, "run", "review"))).toEqual([
      [1, 1, 1001, "value", "– → run draft"],
      [3, 3, 1003, "value", "draft → review"],
    ])
  })

  test("of a session's value name it, and a new session without one is no change", () => {
    expect(says("model", start(1, "a"), start(2, "a", "m1"), start(3, "a", "m2"))).toEqual([
      [2, 2, 1002, "value", "a: – → m1"],
      [3, 3, 1003, "value", "a: m1 → m2"],
    ])
    expect(says("turn", start(1, "a"), start(2, "a")).map(([, , , , words]) => words)).toEqual(["a: – → 1", "a: 1 → 2"])
  })

  test("of a session's tools name each", () => {
    const content = ["ls", "grep"].map(name => ({ type: "tool_use", id: name, name, input: {} }))
    const said = event(2, "llm/response", { invokeid: "a", "session-id": "a", content })
    expect(says("tool", start(1, "a"), said).map(([, , , , words]) => words)).toEqual(["a: – → grep ls"])
  })

  test("of the run's reason are told once, and a long one is cut", () => {
    const why = "x".repeat(81)
    expect(says("reason", event(1, "runner/aborted", { reason: why }))).toEqual([
      [1, 1, 1001, "value", `– → ${"x".repeat(80)}…`],
    ])
    expect(says("reason", event(1, "runner/aborted", { reason: "x".repeat(80) }))[0]?.[4]).toBe(`– → ${"x".repeat(80)}`)
  })

  test("of a condition are where it starts and where it stops, with who it was", () => {
    expect(says("state=review", config(1, "draft"), config(2, "review"), config(3, "draft"))).toEqual([
      [2, 2, 1002, "true", ""],
      [3, 3, 1003, "false", ""],
    ])
    expect(says("turn=1", start(1, "a"), start(2, "b"), start(3, "a"))).toEqual([
      [1, 1, 1001, "true", "a"],
      [2, 2, 1002, "true", "b"],
      [3, 3, 1003, "false", "a"],
    ])
  })
})
