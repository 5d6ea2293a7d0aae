// Tests what can be watched, and how the list of it is edited.
import { describe, expect, test } from "bun:test"
import {
  conditionRows,
  ENDS,
  MOST_CONDITIONS,
  noConditions,
  opened,
  withChanges,
  withCondition,
  withNextReaction,
  withoutCondition,
} from "../../src/query/conditions.ts"
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

  test("has rows for the first and latest changes, and one that counts those between", () => {
    const change = { frame: 1, epoch: 0, seq: 0, ts: null, to: true, words: "" }
    const changes = Array.from({ length: 2 * ENDS + 3 }, () => change)
    const rows = conditionRows(withChanges(watching("error"), new Map([[1, changes]]), 1))
    expect(rows.flatMap(({ hidden }, at) => (hidden > 0 ? [[at, hidden]] : []))).toEqual([[1 + ENDS, 3]])
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
