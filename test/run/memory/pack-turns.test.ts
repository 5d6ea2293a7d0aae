// Tests that packed lists of a turn are read back as they were.
import { expect, test } from "bun:test"
import fc from "fast-check"
import { rewound, withReply, withStage, withStateEntry } from "../../../src/run/memory/pack-turns.ts"
import { PackedNumbers } from "../../../src/run/memory/packed-numbers.ts"
import { at, type ChunkedList, emptyList, isPacked, slice } from "../../../src/run/model/chunked-list.ts"
import { noAccount } from "../../../src/run/model/ledger.ts"
import type { Reply, Stage } from "../../../src/run/model/session.ts"
import type { StateEntry } from "../../../src/run/model/visits.ts"
import { forAll } from "../../for-all.ts"

const count = fc.integer({ min: 0, max: 2 ** 40 })
const maybe = fc.option(fc.integer({ min: 0, max: 1_000_000 }), { nil: null })
const stage: fc.Arbitrary<Stage> = fc.record({
  kind: fc.constantFrom("waiting", "first-token", "generation", "tool", "human", "failed", "over", "tool-failed"),
  ts: fc.oneof(
    count, // A moment is never -0 that means anything else than 0.
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(ms => ms + 0),
  ),
  turn: fc.integer({ min: 0, max: 1000 }),
})
const cut = { requestTs: 1, firstTs: null, endTs: null, deltas: 2, tokens: 2, hasReportedTokens: false }
const reply: fc.Arbitrary<Reply> = fc.record({
  turn: fc.integer({ min: 0, max: 1000 }),
  model: fc.option(fc.constantFrom("small", "large", ""), { nil: null }),
  usage: fc.record({ input: maybe, output: maybe, cached: maybe }),
  context: fc.record({ first: maybe, latest: maybe, cached: maybe }),
  stopReason: fc.option(fc.constantFrom("end_turn", "refusal", ""), { nil: null }),
  failedTools: fc.nat(1000),
  captured: fc.boolean(),
  account: fc.constantFrom(noAccount, { ...noAccount, nanos: 7, input: 3 }),
  models: fc.constantFrom(null, new Map([["small", noAccount]])),
  state: fc.option(fc.constantFrom("plan", ""), { nil: null }),
  startSeq: fc.integer({ min: -1, max: 2 ** 40 }),
  systemOrder: fc.integer({ min: -1, max: 2 ** 40 }),
  cut: fc.constantFrom(null, cut),
})
const entered: fc.Arbitrary<StateEntry> = fc.record({
  ids: fc.array(fc.constantFrom("a", "b"), { maxLength: 2 }),
  ts: count,
})

/** Checks that a list has the items pushed, and that a shortened one equals one that was never longer. */
async function holds<T>(
  item: fc.Arbitrary<T>,
  grown: (list: ChunkedList<T>, item: T) => ChunkedList<T>,
): Promise<void> {
  const items = fc.array(item, { minLength: 1, maxLength: 300, size: "max" })
  await forAll([items, fc.double({ min: 0, max: 1, noNaN: true })], 100, (items, part) => {
    const length = Math.floor(part * items.length)
    const listOf = (all: readonly T[]) => all.reduce<ChunkedList<T>>(grown, emptyList)
    const whole = listOf(items)
    expect(slice(whole, 0, items.length + 1)).toEqual(items)
    const short = rewound(whole, length)
    expect(short).toEqual(listOf(items.slice(0, length)))
    expect(listOf(items.slice(0, length))).toEqual(short)
    expect(items.slice(length).reduce<ChunkedList<T>>(grown, short)).toEqual(whole)
  })
}

test("packed stages are read back as they were", () => holds(stage, withStage))
test("packed replies are read back as they were", () => holds(reply, withReply))
test("packed entered states are read back as they were", () => holds(entered, withStateEntry))

test("a long packed list has chunks of 32, each packed when the next begins, and no item before the first", () => {
  const all = Array.from({ length: 200 }, (_, ts): Stage => ({ kind: "tool", ts, turn: 1 }))
  const lists = all.map((_, i) => all.slice(0, i + 1).reduce<ChunkedList<Stage>>(withStage, emptyList))
  const whole = lists.at(-1) ?? emptyList
  const { full, starts, tail } = whole
  const begins = [0, 32, 64, 96, 128, 160]
  expect([full.map(({ length }) => length), starts, tail.length]).toEqual([begins.map(() => 32), begins, 8])
  expect(lists.map(list => list.full.length)).toEqual(all.map((_, i) => Math.floor(i / 32)))
  expect(lists.map(list => at(list, -1))).toEqual(lists.map(() => undefined))
  const [first] = full
  expect(first !== undefined && isPacked(first) && [first.get(31)?.ts, first.get(32)]).toEqual([31, undefined])
  expect(lists.map(list => rewound(whole, list.length))).toEqual(lists)
  expect(rewound(whole, whole.length)).toBe(whole)
})

test("packed numbers are read back, however far apart they are", () => {
  for (const range of [0, 0.5, 255, 256, 65_535, 65_536, 2 ** 32 - 1, 2 ** 32, 2 ** 53])
    for (const least of [0, 7, -3, 0.25, 0.1, -(2 ** 60), 2 ** 60, -Infinity]) {
      const values = [least + range, least, least + Math.floor(range / 2), least]
      expect(new PackedNumbers(values).all()).toEqual(values)
    }
})
