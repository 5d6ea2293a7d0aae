// Tests that frames with other contents have other fingerprints.
import { expect, test } from "bun:test"
import { fingerprint, type Numbered } from "../../../src/run/identity/fingerprint.ts"
import { openEpoch, SeenHashesBuilder, WINDOW } from "../../../src/run/identity/seen-hashes.ts"
import { delta, event } from "../lines.ts"

const VALUES = [true, false, null, 0, 1, 0.5, "", "0", "true", "null", [], [[]], [0], [0, 1], [1, 0], {}, { a: 0 }]
const MORE = [
  ...[{ a: 1 }, { b: 0 }, { a: { b: 0 } }, { a: [0] }],
  ...["0.5", [0.5], ["0.5"], "ac", "abc", "abd", "abcd", "abce", "abdd", "accd", "bbcd"],
  ...[["a", 0], [true], [false], [null], [[1], 2], [[1, 2]], ["a", "b"], ["ab"], "1", "1\0"],
]

test("the fingerprints of events that differ in one value, whatever its kind, differ", () => {
  const all = [...VALUES, ...MORE].map(value => fingerprint(event(1, "app/note", { value }, 1) as Numbered))
  expect(new Set(all).size).toBe(all.length)
  // The time at which the hash of an event would be 0, which stands for none: the factor of the hash is inverted.
  const note = (ts: number) => fingerprint(event(1, "app/note", {}, ts) as Numbered)
  expect(note((Math.imul(note(0), 899_433_627) >>> 0) * 65_536)).toBe(1)
})

test("the fingerprints of deltas that differ in one thing, whatever it is, differ, and deeper values don't count", () => {
  const keys = [{}, { type: "thinking-delta" }, { coalesced: 2 }, { coalesced: 3 }, { "session-id": null }, { ts: 5 }]
  const owners = [{}, { "session-id": "s" }, { invokeid: "s" }, { "session-id": "" }, { invokeid: "" }]
  const unowned = owners.map(who => event(1, "llm/delta", { type: "text-delta", text: "ab", ...who }))
  const others = [delta(1, "ab", { "session-id": "a" }), delta(1, "ba"), delta(1, "a")]
  const all = [...keys.map(key => delta(1, "ab", key as object)), ...others, ...unowned]
  expect(new Set(all.map(one => fingerprint(one as Numbered))).size).toBe(all.length)
  type Nest = (inner: unknown) => unknown
  const deep = (depth: number, end: string, nest: Nest): unknown =>
    depth === 0 ? end : nest(deep(depth - 1, end, nest))
  const of = (...told: Parameters<typeof deep>) => fingerprint(event(1, "x", { value: deep(...told) }, 1) as Numbered)
  for (const nest of [inner => [inner], a => ({ a })] satisfies Nest[])
    expect([32, 33].map(depth => of(depth, "a", nest) === of(depth, "b", nest))).toEqual([false, true])
})

test("the hashes of the latest numbers are known, of no more than twice as many, and of lower ones that come late", () => {
  const hashes = new SeenHashesBuilder({ base: 1000, list: openEpoch().seenHashes.done().list })
  const known = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => hashes.of(from + i))
  for (let seq = 1000; seq < 1010; seq++) hashes.push(seq)
  hashes.put(999, 999)
  expect([hashes.base, ...known(989, 1011)]).toEqual([990, ...Array(10).fill(0), ...known(999, 1010), 0])
  expect(known(999, 1010)).toEqual(Array.from({ length: 11 }, (_, i) => 999 + i))
  for (const seq of [990, 1009]) hashes.put(seq, 2 * seq)
  expect([hashes.base, hashes.of(990), ...known(1008, 1010)]).toEqual([990, 1980, 1008, 2018])
  const low = new SeenHashesBuilder({ base: 3, list: hashes.done().list })
  low.put(1, 7)
  expect([low.base, low.of(1), low.of(2), low.of(12)]).toEqual([0, 7, 0, 999])
  hashes.skip(3)
  for (let seq = 1013; seq < 990 + 2 * WINDOW - 1; seq++) hashes.push(seq)
  expect([hashes.base, hashes.of(1000), hashes.of(1012)]).toEqual([990, 1000, 0])
  hashes.push(990 + 2 * WINDOW - 1)
  expect(hashes.base).toBe(990 + WINDOW)
  expect(known(989 + WINDOW, 992 + WINDOW)).toEqual([0, 990 + WINDOW, 991 + WINDOW])
  for (let seq = 990 + 2 * WINDOW; seq < 990 + 2.5 * WINDOW; seq++) hashes.push(seq)
  hashes.put(985 + WINDOW, 7)
  const { length } = hashes.done().list
  expect([length, hashes.of(985 + WINDOW), hashes.of(990 + WINDOW)]).toEqual([2 * WINDOW, 7, 990 + WINDOW])
})
