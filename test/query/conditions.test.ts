// Keeps how the list of what is watched is edited, and what becomes of its changes and hits.
import { expect, test } from "bun:test"
import {
  type Conditions,
  MOST_CONDITIONS,
  noConditions,
  opened,
  type Reaction,
  readCondition,
  toggled,
  withChanges,
  withCondition,
  withNextReaction,
  withoutChanges,
  withoutCondition,
  withoutHits,
} from "../../src/query/conditions.ts"
import { read } from "./filter/parsed.ts"
import { watching } from "./watching.ts"

const change = { frame: 1, epoch: 0, seq: 0, ts: null, to: true, words: "" }
const added = (text: string, reaction: Reaction) => (all: Conditions) => withCondition(all, read(text), reaction)
const found = (keys: readonly number[], share: number) => (all: Conditions) =>
  withChanges(all, new Map(keys.map(key => [key, [change, change]])), share)
const hit = (all: Conditions): Conditions => ({
  ...all,
  list: all.list.map(one => ({ ...one, hits: 3 })),
  pending: all.list.map(({ key }) => ({ key, count: 3, sessions: [] })),
})

const STEPS: { readonly [what: string]: (all: Conditions) => Conditions } = {
  "a breakpoint": added("state=a", "pause"),
  "what is watched is searched for": added("error", "watch"),
  "half is searched": found([], 0.5),
  "two changes, at the end": found([2], 1),
  "watched again: it was searched": added("error", "watch"),
  "another that is watched": added("turn>1", "watch"),
  "all is searched": found([3], 1),
  "a breakpoint where it is watched": added("error", "log"),
  "one that is off": all => toggled(all, 1),
  "one that is off pauses again, otherwise": added("state=a", "turn"),
  "each has hit": hit,
  "a breakpoint that is watched too": added("state=a", "watch"),
  "the run is folded again": withoutChanges,
  "each has hit once more": hit,
  "another is off": all => toggled(all, 2),
  "the run begins again": withoutHits,
  "the next reaction": all => withNextReaction(all, 1),
  "and the one after": all => withNextReaction(all, 1),
  "and again": all => withNextReaction(all, 1),
  "one is removed": all => withoutCondition(all, 2),
  "and the last one that is watched": all => withoutCondition(withoutCondition(all, 3), 1),
  "a breakpoint has a key of its own": added("error", "pause"),
  "the run is folded again, and nothing is searched": withoutChanges,
}

test("what becomes of a list, step by step", () => {
  let all = noConditions
  const told = Object.entries(STEPS).map(([what, step]) => {
    all = step(all)
    const rows = all.list.map(({ key, text, on, reaction, open, hits, first, latest, count }) => {
      const has = `${hits} hits, ${first.length} and ${latest.length} of ${count} changes`
      return `  ${key} ${text}: ${on ? "" : "off, "}${reaction}${open ? ", open" : ""}, ${has}`
    })
    const waits = all.pending.map(({ key }) => key).join(" ") || "none"
    return [`${what}: ${all.read} read, generation ${all.generation}, waiting ${waits}`, ...rows].join("\n")
  })
  expect(`\n${told.join("\n")}\n`).toMatchSnapshot()
})

test("a list that nothing is done to stays the same one", () => {
  const one = watching("error")
  const many = watching(...Array.from({ length: MOST_CONDITIONS + 1 }, (_, i) => `turn=${i}`))
  expect(many.list).toHaveLength(MOST_CONDITIONS)
  expect([opened(one, 1), withChanges(one, new Map(), one.read)].map(all => all === one)).toEqual([true, true])
  expect([withoutChanges(noConditions) === noConditions, added("turn=99", "log")(many) === many]).toEqual([true, true])
})

test("an empty text is no condition, as a filter it would match all", () => {
  expect(readCondition(" \t")).toEqual({ error: { at: 0, length: 0, message: "expected a condition" } })
  expect(readCondition("error")).toEqual({ filter: read("error") })
})
