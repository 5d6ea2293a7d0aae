// Tests that garbage is collected beside the program, which does not stand still meanwhile.
import { fullGC } from "bun:jsc"
import { expect, spyOn, test } from "bun:test"
import { Collector } from "../../src/transport/collector.ts"
import { root } from "../fixtures.ts"

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

/** Leaves objects that lived through a collection, and prints by how many bytes each kind of collector cuts the heap. */
const OLD_GARBAGE = `
import { edenGC, fullGC } from "bun:jsc"
import { Collector } from "./src/transport/collector.ts"
const heapUsed = () => process.memoryUsage().heapUsed
fullGC()
const whole = new Collector(1, true)
whole.add(1)
let kept = Array.from({ length: 400_000 }, (_, n) => ({ n, at: [n] }))
edenGC()
kept = []
const cutBy = collect => {
  const before = heapUsed()
  collect()
  return before - heapUsed()
}
console.log(JSON.stringify([cutBy(edenGC), cutBy(() => whole.add(1))]))
`

test("a source without end gets its old garbage collected, not only its young", () => {
  const ran = Bun.spawnSync([process.execPath, "-e", OLD_GARBAGE], { cwd: root })
  if (!ran.success) throw new Error(ran.stderr.toString())
  const [young, old] = JSON.parse(ran.stdout.toString())
  expect(young).toBeLessThan(4 * 2 ** 20)
  expect(old).toBeGreaterThan(12 * 2 ** 20)
})

test("many small pieces are collected as one large one is", () => {
  const collect = spyOn(Bun, "gc")
  const collector = new Collector(100)
  for (let i = 0; i < 20; i++) collector.add(10)
  expect(collect).toHaveBeenCalledTimes(2)
  collect.mockRestore()
})
