// Tests what can be watched, and what the list of its changes says.
import { describe, expect, test } from "bun:test"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { changesIn } from "../../src/query/watch-changes.ts"
import { MOST_WATCHES, noWatches, withoutWatch, withWatch } from "../../src/query/watches.ts"
import { emptyRun } from "../../src/run/model/run.ts"
import { event } from "../run/lines.ts"
import { read } from "./filter/parsed.ts"

/** The list after a watch for each of these texts. */
const watching = (...texts: readonly string[]) => texts.reduce((all, text) => withWatch(all, read(text)), noWatches)

test("a watch is added once, up to a number, and taken away by its key alone", () => {
  const two = watching("turn=1", "error", "turn=1")
  expect(two.list.map(({ text, key }) => [text, key])).toEqual([
    ["turn=1", 1],
    ["error", 2],
  ])
  expect(two.read).toBe(0)
  expect(withoutWatch(two, 1).list.map(({ text }) => text)).toEqual(["error"])
  const many = watching(...Array.from({ length: MOST_WATCHES + 1 }, (_, i) => `turn=${i}`))
  expect(many.list).toHaveLength(MOST_WATCHES)
})

describe("the changes of a watch", () => {
  const start = (seq: number, session: string) => event(seq, "llm/start", { invokeid: session, "session-id": session })
  const config = (seq: number, ...states: string[]) => event(seq, "runner/start-config", { config: states })
  const says = (text: string, ...lines: readonly Decoded[]) =>
    [...changesIn(emptyRun, lines, watching(text).list, 0).found.values()]
      .flat()
      .map(({ frame, seq, ts, to, words }) => {
        return [frame, seq, ts, to, words]
      })

  test("of a condition are where it starts and where it stops, with who it was", () => {
    expect(says("state=review", config(1, "draft"), config(2, "review"), config(3, "draft"))).toEqual([
      [2, 2, 1002, true, ""],
      [3, 3, 1003, false, ""],
    ])
    expect(says("turn=1", start(1, "a"), start(2, "b"), start(3, "a"))).toEqual([
      [1, 1, 1001, true, "a"],
      [2, 2, 1002, true, "b"],
      [3, 3, 1003, false, "a"],
    ])
  })
})
