// Tests that LiteLLM's price list is read as it is, and that no file can do harm.
import { describe, expect, test } from "bun:test"
import { truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import fc from "fast-check"
import { readPrices } from "../../../src/cli/option-value.ts"
import { noAccount, partsWith } from "../../../src/run/model/ledger.ts"
import {
  type ContextLimits,
  contextLimitOf,
  costOf,
  decodePrices,
  limitOfShare,
  priceOf,
  withContextLimit,
} from "../../../src/run/model/prices.ts"
import { root } from "../../fixtures.ts"
import { forAll } from "../../for-all.ts"
import { fileScratch } from "../../scratch.ts"
import { event, ids, tell } from "../lines.ts"

const directory = fileScratch()

const own = readPrices(join(root, "fixtures/failing-run/prices.json"))
const untold = { cached: null, reasoning: null, written: null, besideInput: null }
const counts = { ...untold, input: 0, output: 0, summed: false, requests: 1 }

describe("a model's price", () => {
  test("is that of its name, or of its provider's name", () => {
    expect(priceOf(own, "sable-2")?.input).toBe(3e-6)
    expect(priceOf(own, "opal/opal-large")?.limit).toBe(32_000)
    expect(priceOf(own, "opal/x/opal-large")).toBeNull()
  })

  test("is never another provider's, nor that of a name like it, nor of the sample", () => {
    for (const name of ["azure/opal-large", "opal", "opal-large-2", "OPAL-LARGE", "sample_spec", "__proto__", ""])
      expect(priceOf(own, name)).toBeNull()
  })

  test("says nothing of a reply whose tokens were not counted, and takes none of several together for long", () => {
    for (const untold of ["input", "output"])
      expect(costOf(priceOf(own, "sable-2"), { ...counts, input: 24, output: 24, [untold]: null })).toBeNull()
    expect(costOf(null, { ...counts, input: 1, output: 1 })).toBeNull()
    // Replies that are long only together are no dearer.
    const together = { ...counts, input: 200_001, output: 1000, summed: true }
    expect(costOf(priceOf(own, "sable-2"), together)).toBeCloseTo(0.615_003, 9)
  })
})

test("models without both prices, and prices that are none, are left out", () => {
  const bad = ["1", -1, 1.01, null, true, [], {}]
  const models = bad.map((value, i) => [`m${i}`, { input_cost_per_token: value, output_cost_per_token: 1e-6 }])
  const text = JSON.stringify(Object.fromEntries([...models, ["text", "x"], ["only", { input_cost_per_token: 1e-6 }]]))
  expect(decodePrices(text)).toEqual(new Map())
})

test("long requests have the prices of the highest tier that they reach, and those of short ones where it has none", () => {
  const tier = (k: number, cost: number) => ({ [`input_cost_per_token_above_${k}k_tokens`]: cost })
  const model = { input_cost_per_token: 1e-6, output_cost_per_token: 5e-6, ...tier(32, 2e-6), ...tier(128, 3e-6) }
  const price = decodePrices(JSON.stringify({ m: model }))?.get("m") ?? null
  const told = price?.above.map(({ from, input, output }) => `above ${from}: ${input * 1e6} and ${output * 1e6}`)
  expect(costOf(price, { ...counts, input: 40_000, cached: 1000, written: 1000 })).toBeCloseTo(0.08, 9)
  expect(told).toEqual(["above 128000: 3 and 5", "above 32000: 2 and 5"])
})

const dear = readPrices(join(root, "fixtures/runs/prices.json"))

test.each<[input: number, cached: number, written: number, output: number, reasoning: number, millionths: number]>([
  [100, 0, 0, 10, 0, 100 + 500],
  [100, 40, 30, 10, 4, 30 + 4 + 60 + 300 + 280],
  [100, 90, 30, 10, 14, 9 + 60 + 980],
  [128_000, 0, 0, 0, 0, 128_000],
  [128_001, 1000, 1, 10, 0, 381_000 + 100 + 6 + 500],
  [200_001, 1000, 1, 10, 4, 796_000 + 400 + 2 + 360 + 280],
])(
  "%d tokens in, %d of them read and %d written, %d out, %d of them thought",
  (input, cached, written, output, reasoning, millionths) => {
    const told = { ...counts, input, cached, written, output, reasoning }
    expect(Math.round((costOf(priceOf(dear, "m"), told) ?? 0) * 1e9)).toBe(millionths * 1000)
    expect(costOf(priceOf(dear, "plain"), told)).toBe(Math.max(input, cached + written) + output)
  },
)

test("the limit of a model is the agent's word, else what follows from a share, else that of the prices, and at least 1", () => {
  const limits = [0, 1.5, 1, "9"].map(tokens => {
    const m = { input_cost_per_token: 0, output_cost_per_token: 0, max_input_tokens: tokens }
    return decodePrices(JSON.stringify({ m }))?.get("m")?.limit
  })
  expect(limits).toEqual([null, null, 1, null])
  const [said, share] = [{ tokens: 100, by: "agent" } as const, limitOfShare(30, 0.1)]
  expect([share, limitOfShare(30, 0), limitOfShare(0, 0.1)]).toEqual([{ tokens: 300, by: "share" }, null, null])
  if (share === null) throw new Error("expected a limit")
  const shared = withContextLimit(new Map(), "sable-2", share)
  const known = withContextLimit(shared, "sable-2", { ...said, tokens: 300 })
  expect(withContextLimit(known, "sable-2", { ...said, tokens: 300 })).toBe(known)
  expect(withContextLimit(known, "sable-2", { tokens: 200, by: "share" })).toBe(known)
  expect(withContextLimit(shared, "sable-2", { tokens: 200, by: "share" }).get("sable-2")?.tokens).toBe(200)
  const by = (contextLimits: ContextLimits, model: string | null) =>
    contextLimitOf({ models: { contextLimits }, options: { prices: own } }, model)?.by ?? null
  const all = [by(known, "sable-2"), by(shared, "sable-2"), by(shared, "opal-large"), by(known, null)]
  expect(all.join()).toBe("agent,share,prices,")
  const told = { ...ids, model: "other", "context-window": 9 }
  const run = tell([event(1, "llm/start", { ...ids, model: "m" }), event(2, "llm/context-warning", told)])
  expect([...run.models.contextLimits.keys()]).toEqual(["other"])
  const many = Array.from({ length: 257 }, (_, i) => `m${i}`).reduce<ContextLimits>(
    (all, name) => withContextLimit(all, name, said),
    new Map(),
  )
  expect([many.size, withContextLimit(many, "m7", { ...said, tokens: 7 }).get("m7")?.tokens]).toEqual([256, 7])
})

test("a model's part of a bill is taken back whole, so that nothing is left of it", () => {
  const bill = { state: "", model: "m", account: { ...noAccount, input: 3 } }
  const both = partsWith(partsWith(new Map([["n", noAccount]]), bill, 1), bill, 1)
  expect([both.get("m")?.input, ...partsWith(partsWith(both, bill, -1), bill, -1).keys()]).toEqual([6, "n"])
})

test("any text is prices or none, and none throws (property)", async () => {
  await forAll([fc.oneof(fc.string(), fc.json())], 100, text => {
    decodePrices(text)
  })
  const free = { input_cost_per_token: 0, output_cost_per_token: 0 }
  const many = Object.fromEntries(Array.from({ length: 50_001 }, (_, i) => [`m${i}`, free]))
  expect(decodePrices(JSON.stringify(many))?.size).toBe(50_000)
  expect(decodePrices('{"__proto__":{"input_cost_per_token":0,"output_cost_per_token":0}}')?.size).toBe(1)
})

test("a file that can't be the list is refused in one line", () => {
  const [huge, list] = [join(directory, "huge.json"), join(directory, "list.json")]
  for (const path of [huge, list]) writeFileSync(path, "[]")
  truncateSync(huge, 33 * 1024 * 1024)
  const cases = [
    [directory, "not a regular file"],
    [huge, "expected at most 32 MB"],
    [list, "expected LiteLLM's JSON object of models"],
  ] as const
  for (const [path, why] of cases) expect(() => readPrices(path)).toThrow(`--prices: ${path}: ${why}`)
})
