// Tests which questions may have ended after events that name none, against lists worked out by hand.
import { expect, test } from "bun:test"
import * as histories from "../../../src/run/identity/histories.ts"
import type { History } from "../../../src/run/model/prompts.ts"

type Histories = readonly History[]
/** Histories in words: "a b?, c" are one in which `a` ended and `b` was refused, and one in which `c` ended. */
const of = (words: string): Histories =>
  words.split(",").map(one => {
    const keys = one.split(" ").filter(Boolean)
    return new Map(keys.map(key => [key.replace("?", ""), { state: key.endsWith("?") ? "open" : "closed" }]))
  })
const wordsOf = (all: Histories): string =>
  all
    .map(one =>
      Array.from(one, ([key, { state }]) => (state === "open" ? `${key}?` : key))
        .sort()
        .join(" "),
    )
    .join(",")
const keys = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `k${i}`)

test("after each event those histories are left that fit it", () => {
  const { endedOne, hadEnded, renamed, wasOpen } = histories
  const to = { state: "closed" } as const
  const rows: readonly (readonly [before: string, (all: Histories) => Histories, after: string])[] = [
    ["", all => endedOne(all, ["a", "b"], to), "a,b"],
    ["a,b", all => endedOne(all, ["a", "b"], to), "a b"],
    ["a,b", all => endedOne(all, ["a", "b", "c"], to), "a b,a c,b c"],
    ["a b", all => endedOne(all, ["a", "b"], to), "a b"],
    ["a", all => endedOne(all, ["b"], { state: "open" }), "a b?"],
    ["a?,b", all => endedOne(all, ["a", "b"], to), "a b"],
    ["a,b", all => wasOpen(all, "a"), "b"],
    ["a b?,a c", all => wasOpen(all, "a"), "b?,c"],
    ["a b,a b?", all => wasOpen(all, "a"), "b"],
    ["a,b,a b", all => hadEnded(all, ["a", "b"]), "a b"],
    ["a,b", all => hadEnded(all, ["a", "b"]), "a,b"],
    ["a b,c", all => renamed(all, "a", "d"), "b d,c"],
    ["a b?,c", all => renamed(all, "b", null), "a,c"],
  ]
  const told = rows.map(([before, event]) => wordsOf(event(of(before))))
  expect(told).toEqual(rows.map(([, , after]) => after))
  const some = of("a b,b c?")
  expect(renamed(some, "z", null)).toBe(some)
  expect(histories.surelyEnded(some)).toEqual([["b", to]])
  expect(["a", "c", "z"].map(key => histories.isAmong(some, key))).toEqual([true, true, false])
  expect([histories.surelyEnded([]), histories.surelyEnded(of("a,"))]).toEqual([[], []])
  const none = of("")
  expect([256, 257].map(count => endedOne(none, keys(count), to).length)).toEqual([256, 1])
  expect(endedOne(none, keys(257), to)).toBe(none)
})
