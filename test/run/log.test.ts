// Tests log rows, malformed lines, notes, and what events change beside what runs-kept.test.ts keeps.
import { describe, expect, test } from "bun:test"
import { decode } from "../../packages/wire/src/decode.ts"
import { line, rowsOf, tell } from "./lines.ts"

test("problems of a guest's parser are rows of the log, and the first 64 are known besides", () => {
  const notes = Array.from({ length: 70 }, (_, i) => line({ kind: "sidecar", at: i, what: "parser", why: `${i}` }))
  const run = tell(notes)
  expect(rowsOf(tell([line({ kind: "sidecar", at: null, what: "parser", why: "x" })], run)).at(-1)?.ts).toBeNull()
  expect([run.log.warnings, run.guest.warnings.length, run.guest.warnings.at(-1)?.why]).toEqual([70, 64, "63"])
})

describe("malformed lines", () => {
  test("are kept up to 64 KB in all and to 1,024, the latest, and counted beyond", () => {
    const lines = Array.from({ length: 40 }, (_, i) => decode(`${i} ${"x".repeat(5000)}`))
    const run = tell(lines)
    expect(run.frames.malformed).toBe(40)
    expect(run.log.malformed).toHaveLength(16)
    expect(run.log.malformed.map(one => one.line)).toEqual(Array.from({ length: 16 }, (_, i) => i + 25))
    expect(run.log.malformed[0]).toMatchObject({ length: 5003 })
    expect(run.log.malformed[0]?.raw).toHaveLength(4096)
    const many = tell(Array.from({ length: 1500 }, () => decode("x")))
    expect(many.frames.malformed).toBe(1500)
    expect(many.log.malformed).toHaveLength(1024)
    expect(many.log.malformed.at(-1)?.line).toBe(1500)
  })
})
