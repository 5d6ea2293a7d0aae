// Tests the texts, times and failures that an agent CLI prints as parts.
import { expect, test } from "bun:test"
import { apiError, partsText, timeOf } from "../../../src/guest/common/fields.ts"
import { Output } from "../../../src/guest/common/output.ts"
import { besideCache, growthOf, sumOf, usageWords, wireUsage } from "../../../src/guest/common/token-usage.ts"

test("each part of a content stands on a line of its own, and one without a text is named", () => {
  const parts = [{ type: "text", text: "one" }, "two", { type: "image" }, { type: "text" }]
  expect(partsText(parts)).toBe("one\ntwo\n[image]")
})

test("a time is a number of milliseconds, or a date in UTC, as the engine reads it", () => {
  const dates = ["1970-01-01T00:00:00Z", "2024-02-29T23:59:59.999Z", "2024-03-01T01:02:03.5Z", "2100-12-31T12:34:56Z"]
  for (const date of [...dates, "1999-01-31T10:20:30.25Z"]) expect(timeOf(date)).toBe(Date.parse(date))
  expect(timeOf(1_700_000_000_000)).toBe(1_700_000_000_000)
  for (const none of ["2024-02-29", "2024-02-29T10:00:00+01:00", "soon", -1, null, undefined, {}])
    expect(timeOf(none)).toBeNull()
})

test.each([
  ["no credit left", "no credit left"],
  ['400 {"error":{"message":"too long"}}', "400: too long"],
  ['[API Error: {"error":{"message":"{\\"error\\":{\\"message\\":\\"busy\\"}}"}}]', "API Error: busy"],
  ['503 {"message":"down"} again', "503: down"],
  ["{half", "{half"],
])("the failure in %s is %s", (words, failure) => expect(apiError(words)).toBe(failure))

test("what is told of a run has the time and the line that it is of, also if that is another than the current one", () => {
  const out = new Output()
  out.begin(9, 5)
  out.ofRun("one", { text: "a" })
  out.within({ ts: 3, line: 2 }, () => out.ofRun("other", {}))
  expect(out.place).toEqual({ ts: 9, line: 5 })
  expect(out.take()).toEqual([
    { event: "one", ts: 9, data: { text: "a", "log/line": 5 } },
    { event: "other", ts: 3, data: { "log/line": 2 } },
  ])
})

test("a count of tokens that nobody knows stays unknown, and a lower total is that of another session", () => {
  const [a, b] = [
    { input: 5, cached: null, written: 2, output: 2 },
    { input: 3, cached: 1, written: null, output: 4 },
  ] as const
  const reasoning = null
  expect(besideCache({ ...b, input: 0 }).input).toBe(1)
  expect(sumOf(a, b)).toEqual({ input: 8, cached: 1, written: 2, output: 6, reasoning })
  expect(growthOf(a, b)).toEqual({ input: 2, cached: null, written: 2, output: 0, reasoning })
  expect([growthOf(b, a), growthOf(a, null)]).toEqual([b, a])
  expect([usageWords({ ...a, cached: 1 }, 0.5, 1250), usageWords(b, 0, null), usageWords(a, null, 0)]).toEqual([
    "5 in (1 cached, 2 written to the cache) · 2 out · $0.5000 · 1.3s",
    "3 in (1 cached) · 4 out",
    "5 in (2 written to the cache) · 2 out",
  ])
  expect([wireUsage({ ...a, input: 1 }), wireUsage({ ...b, input: null }, { summed: true })]).toEqual([
    { "input-tokens": 0, "cache-write-tokens": 2, "output-tokens": 2 },
    { "cached-tokens": 1, "output-tokens": 4, summed: true },
  ])
  expect(wireUsage({ ...b, input: null, output: null })).toBeNull()
})
