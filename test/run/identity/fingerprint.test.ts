// Tests that frames with other contents have other fingerprints.
import { expect, test } from "bun:test"
import { fingerprint, type Numbered } from "../../../src/run/identity/fingerprint.ts"
import { event } from "../lines.ts"

const VALUES = [true, false, null, 0, 1, 0.5, "", "0", "true", "null", [], [[]], [0], [0, 1], [1, 0], {}, { a: 0 }]
const MORE = [{ a: 1 }, { b: 0 }, { a: { b: 0 } }, { a: [0] }, ["a", 0], [true], [false], [null]]

test("the fingerprints of events that differ in one value, whatever its kind, differ", () => {
  const all = [...VALUES, ...MORE].map(value => fingerprint(event(1, "app/note", { value }, 1) as Numbered))
  expect(new Set(all).size).toBe(all.length)
})
