// Tests how the tokens of a run are counted by time.
import { expect, test } from "bun:test"
import fc from "fast-check"
import { addTokens, noPulse, type OwnPulse, secondsWith, tokensIn } from "../../../src/run/model/pulse.ts"
import { forAll } from "../../for-all.ts"

const empty = (): OwnPulse => ({ ...noPulse, tokens: [] })
const sum = (tokens: readonly number[]) => tokens.reduce((all, one) => all + one, 0)

test("tokens are counted when they came, and those of a reply that didn't stream evenly over its time", () => {
  const pulse = empty()
  addTokens(pulse, 1000, 1000, 3)
  addTokens(pulse, 1500, 2499, 8)
  expect(pulse.tokens).toEqual([3, 0, 2, 2, 2, 2])
  expect(tokensIn(pulse, 2500, 3)).toEqual([3, 4, 4])
  addTokens(pulse, 10, 20, 5)
  addTokens(pulse, 9000, 1300, 1)
  expect(pulse.tokens).toEqual([8, 1, 2, 2, 2, 2])
  expect([tokensIn(pulse, 1000, 3), tokensIn(noPulse, 9, 3), tokensIn(pulse, 1125, 1)]).toEqual([[], [], [4]])
  addTokens(pulse, 32_999, 32_999, 1)
  expect(pulse.spanMs).toBe(250)
  addTokens(pulse, 33_000, 33_000, 1)
  expect(pulse.spanMs).toBe(500)
})

test("times far apart cost no more, and hold nothing up", () => {
  const pulse = empty()
  addTokens(pulse, -1e308, 0, 1)
  addTokens(pulse, 1e308, 1e308, 2)
  expect(sum(pulse.tokens)).toBeCloseTo(3, 3)
  expect(tokensIn({ from: 0, spanMs: 250, tokens: [4] }, 1e15, 12)).toEqual([4, ...Array(11).fill(0)])
})

test("a run of any length has as many spans at most, and loses no token", async () => {
  const came = fc.record({ since: fc.nat(10 ** 8), took: fc.nat(10 ** 5), tokens: fc.integer({ min: 1, max: 500 }) })
  await forAll(
    [fc.array(came, { minLength: 1, maxLength: 60 }), fc.integer({ min: 12, max: 200 })],
    { seed: 33 },
    (all, cells) => {
      const pulse = empty()
      for (const { since, took, tokens } of all) addTokens(pulse, since, since + took, tokens)
      expect(pulse.tokens.length).toBeLessThanOrEqual(128)
      const total = sum(all.map(one => one.tokens))
      expect(sum(pulse.tokens)).toBeCloseTo(total, 3)
      const end = (pulse.from ?? 0) + pulse.spanMs * pulse.tokens.length
      expect(sum(tokensIn(pulse, end, cells))).toBeCloseTo(total, 3)
    },
  )
})

test("the tokens of the latest eight seconds are kept, of which none are where nothing came since", () => {
  for (const length of [0, 1, 7, 8])
    for (let silent = 0; silent < 10; silent++) {
      const before = Array.from({ length }, (_, i) => i + 1)
      const all = [...before, 99, ...Array<number>(silent).fill(0)].slice(-8)
      expect(secondsWith(before, 99, silent)).toEqual(silent < 8 ? all : [])
    }
})
