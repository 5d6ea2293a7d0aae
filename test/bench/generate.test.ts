// Tests the generator of recordings for the benchmarks.
import { describe, expect, test } from "bun:test"
import { decode } from "../../packages/wire/src/decode.ts"
import { fold } from "../../src/run/fold.ts"
import { emptyRun } from "../../src/run/model/run.ts"
import { generate } from "../../tools/bench/generate.ts"

const load = { frames: 20_000, sessions: 8, seed: 1 }

describe("a generated recording", () => {
  const lines = generate(load)

  test("is the same for the same seed, and differs for another", () => {
    expect(generate(load)).toEqual(lines)
    expect(generate({ ...load, seed: 2 })).not.toEqual(lines)
  })

  test("has frames of about 217 bytes, 96 in 100 of them deltas", () => {
    const bytes = lines.join("").length / lines.length
    const deltas = lines.filter(line => decode(line).kind === "delta").length / lines.length
    expect(Math.abs(bytes - 217)).toBeLessThan(5)
    expect(Math.abs(deltas - 0.96)).toBeLessThan(0.01)
  })

  test("decodes without malformed lines, and has as many sessions as asked for", () => {
    const run = fold(emptyRun, lines.map(decode))
    expect(run.frames).toMatchObject({ event: load.frames, malformed: 0, duplicate: 0 })
    expect(run.sessions).toHaveLength(load.sessions)
    expect(run.log.warnings).toBe(0)
  })

  test("has as many deltas with many sessions as with one", () => {
    const many = generate({ frames: 100_000, sessions: 2048, seed: 3 })
    const deltas = many.filter(line => line.includes('"llm/delta"')).length / many.length
    expect(Math.abs(deltas - 0.96)).toBeLessThan(0.005)
  })
})
