// Tests what can be watched, and what the list of its changes says.
import { describe, expect, test } from "bun:test"
import type { Decoded } from "../../packages/wire/src/frame.ts"
import { changesIn } from "../../src/query/condition-changes.ts"
import {
  MOST_CONDITIONS,
  noConditions,
  opened,
  withCondition,
  withNextReaction,
  withoutCondition,
} from "../../src/query/conditions.ts"
import { emptyRun } from "../../src/run/model/run.ts"
import { event } from "../run/lines.ts"
import { read } from "./filter/parsed.ts"
import { watching } from "./watching.ts"

describe("a list of conditions", () => {
  test("is added once, up to a number, and taken away by its key alone", () => {
    const two = watching("state=a", "error", "state=a")
    expect(two.list.map(({ text, key }) => [text, key])).toEqual([
      ["state=a", 1],
      ["error", 2],
    ])
    expect(two.read).toBe(0)
    // One that is watched again was searched already.
    expect(withCondition({ ...two, read: 1 }, read("state=a"), "watch").read).toBe(1)
    expect(withoutCondition(two, 1).list.map(({ text }) => text)).toEqual(["error"])
    const many = watching(...Array.from({ length: MOST_CONDITIONS + 1 }, (_, i) => `turn=${i}`))
    expect(many.list).toHaveLength(MOST_CONDITIONS)
  })

  test("pauses as a breakpoint, and keeps the changes of a watch with its text", () => {
    const broken = withCondition(watching("error"), read("error"), "pause")
    expect(broken.list.map(({ reaction, open }) => [reaction, open])).toEqual([["pause", true]])
    expect(opened({ ...broken, read: 1 }, 1).read).toBe(1)
    const closed = { ...withCondition(noConditions, read("error"), "pause"), read: 1 }
    expect(opened(closed, 1)).toMatchObject({ read: 0, list: [{ open: true }] })
    expect([1, 2, 3, 4].reduce(all => withNextReaction(all, 1), broken)).toEqual(broken)
  })
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

  test("are where it starts and where it stops, with who it was", () => {
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
