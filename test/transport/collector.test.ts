// Tests that garbage is collected beside the program, which does not stand still meanwhile.
import { fullGC } from "bun:jsc"
import { expect, test } from "bun:test"
import { Collector } from "../../src/transport/collector.ts"

/** The median of the ms that each of some calls takes, with garbage made before it. */
function medianMs(call: () => void): number {
  const times = Array.from({ length: 9 }, () => {
    Array.from({ length: 20_000 }, (_, n) => ({ n }))
    const began = performance.now()
    call()
    return performance.now() - began
  })
  return times.toSorted((a, b) => a - b)[4] ?? Number.NaN
}

test("a collection of a large heap holds nobody up, where a full one would stand still", () => {
  const kept = Array.from({ length: 400_000 }, (_, n) => ({ n, at: [n], text: `row ${n}` }))
  const collector = new Collector()
  const full = medianMs(fullGC)
  expect(medianMs(() => collector.add(2 ** 24))).toBeLessThan(full / 5)
  expect(kept).toHaveLength(400_000)
})
