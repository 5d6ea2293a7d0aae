// Tests text widths and printed numbers.
import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import {
  clip,
  clipMiddle,
  clipStart,
  clock,
  count,
  counted,
  duration,
  fitting,
  offset,
  pad,
  rate,
  roundEnd,
  shorten,
  ticksWithin,
  width,
} from "../../src/ui/text-width.ts"
import { forAll } from "../for-all.ts"

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })
/** Texts of letters, wide characters, joined emoji, flags, accents and zero-width characters. */
const text = fc
  .array(
    fc.constantFrom("a", "B", " ", "é", "e\u0301", "日", "本", "👩‍👩‍👧", "🎉", "🇦🇹", "👍🏽", "…", "ก็", "\ufe0f", "क्षि"),
    { maxLength: 40 },
  )
  .map(parts => parts.join(""))
const columns = fc.integer({ min: -2, max: 50 })

function boundaries(whole: string): ReadonlySet<number> {
  return new Set([...graphemes.segment(whole)].map(({ index }) => index).concat(whole.length))
}

describe("clip", () => {
  test("keeps what fits and marks what was cut", () => {
    expect(clip("poet", 4)).toBe("poet")
    expect(clip("poets", 4)).toBe("poe…")
    expect(clip("日本語", 6)).toBe("日本語")
    expect(clip("日本語", 5)).toBe("日本…")
    expect(clip("日本語", 4)).toBe("日…")
    expect(clip("👩‍👩‍👧👩‍👩‍👧", 3)).toBe("👩‍👩‍👧…")
    expect(clip("poet", 1)).toBe("…")
    expect(clip("poet", 0)).toBe("")
    expect(clip("poet", 3, "~")).toBe("po~")
  })

  test("is never wider than its columns and splits no grapheme", () =>
    forAll([text, columns], 100, (whole, room) => {
      const cut = clip(whole, room)
      expect(Bun.stringWidth(cut)).toBeLessThanOrEqual(Math.max(0, room))
      if (cut === whole) return
      const kept = cut.endsWith("…") ? cut.slice(0, -1) : cut
      expect(whole.startsWith(kept)).toBe(true)
      expect(boundaries(whole).has(kept.length)).toBe(true)
    }))

  test("reads only the head of a very long text", () => {
    expect(clip("日".repeat(1_000_000), 5)).toBe("日日…")
  })
})

test("clipMiddle keeps both ends, within its columns", () => {
  expect(clipMiddle("multiplex.poets.4", 9)).toBe("mul…ets.4")
  expect(clipMiddle("日本語日本語", 8)).toBe("日…本語")
  expect(clipMiddle("poet", 4)).toBe("poet")
  expect(clipMiddle("poet", 0)).toBe("")
  for (let room = 0; room < 20; room++)
    expect(width(clipMiddle("multiplex 日本.poets.4", room))).toBeLessThanOrEqual(room)
})

describe("clipStart", () => {
  test("keeps the end, in which ids differ", () => {
    expect(clipStart("multiplex.poets.4", 8)).toBe("…poets.4")
    expect(clipStart("日本語", 5)).toBe("…本語")
    expect(clipStart("日本語", 4)).toBe("…語")
    expect(clipStart("poet", 4)).toBe("poet")
    expect(clipStart("poet", 0)).toBe("")
  })

  test("is never wider than its columns and splits no grapheme", () =>
    forAll([text, columns], 100, (whole, room) => {
      const cut = clipStart(whole, room)
      expect(Bun.stringWidth(cut)).toBeLessThanOrEqual(Math.max(0, room))
      if (cut === whole || cut === "") return
      expect(whole.endsWith(cut.slice(1))).toBe(true)
      expect(boundaries(whole).has(whole.length - cut.length + 1)).toBe(true)
    }))
})

test("pad fills exactly its columns, whatever the text", async () => {
  expect(pad("7", 3, "right")).toBe("  7")
  expect(pad("日", 3)).toBe("日 ")
  await forAll(
    [text, fc.integer({ min: 0, max: 50 }), fc.constantFrom("left" as const, "right" as const)],
    100,
    (whole, room, align) => {
      expect(Bun.stringWidth(pad(whole, room, align))).toBe(room)
    },
  )
})

test("fitting gives the units and columns of whole graphemes", () => {
  expect(fitting("abc", 2)).toEqual({ units: 2, columns: 2 })
  expect(fitting("日本", 3)).toEqual({ units: 1, columns: 2 })
  expect(fitting("👩‍👩‍👧x", 2)).toEqual({ units: "👩‍👩‍👧".length, columns: 2 })
  expect(fitting("abc", 0)).toEqual({ units: 0, columns: 0 })
  expect(width("日本")).toBe(4)
})

describe("a printed number", () => {
  test("has its thousands grouped", () => {
    expect([0, 7, 999, 1000, 12_431, 1_234_567].map(count)).toEqual(["0", "7", "999", "1,000", "12,431", "1,234,567"])
  })

  test("as a rate has one decimal, a dash if unknown, and no decimal from a thousand on", () => {
    expect([null, 0, 68.08, 68.05, 182.44, 999.94, 999.96, 1000, 12_431.4].map(rate)).toEqual([
      "–",
      "0.0",
      "68.1",
      "68.1",
      "182.4",
      "999.9",
      "1,000",
      "1,000",
      "12,431",
    ])
  })

  test("as a duration is 0.2s, 14s, 3m05s or 2h07m", () => {
    expect(
      [0, 214, 949, 9949, 9950, 14_400, 59_499, 59_500, 185_000, 3_599_400, 3_599_500, 7_620_000].map(duration),
    ).toEqual(["0.0s", "0.2s", "0.9s", "9.9s", "10s", "14s", "59s", "1m00s", "3m05s", "59m59s", "1h00m", "2h07m"])
  })

  test("as a time is a clock or an offset", () => {
    expect([0, 42_999, 60_000, 4_029_000, -5].map(clock)).toEqual(["00:00", "00:42", "01:00", "1:07:09", "00:00"])
    expect([0, 1.5, 39_812, 42_000, -1500, 4_029_007].map(offset)).toEqual([
      "+00:00.000",
      "+00:00.001",
      "+00:39.812",
      "+00:42.000",
      "-00:01.500",
      "+1:07:09.007",
    ])
  })

  test("loses its decimal where only that does not fit", () => {
    expect(shorten("9,940", 9940, 4)).toBe("9.9k")
    expect(shorten("11,520", 11_520, 4)).toBe("12k")
    expect(shorten("128,400", 128_400, 4)).toBe("128k")
    expect(shorten("999,600", 999_600, 4)).toBe("1M")
  })

  test("is shortened with a unit only if it does not fit", () => {
    expect(shorten("999,999", 999_999, 7)).toBe("999,999")
    expect(shorten("1,234,567", 1_234_567, 7)).toBe("1.2M")
    expect(shorten("999,999,999", 999_999_999, 7)).toBe("1.0G")
    expect(shorten("12,345,678,901,234,568", 12_345_678_901_234_568, 7)).toBe("12346T")
  })
})

test("the ticks of a run of many days are whole hours", () => {
  // 100 days: 2,400 h, of which a quarter is 600 h.
  expect(ticksWithin(0, 100 * 86_400_000, 40)).toMatch(/^0 +600 +1200 +1800 h$/)
  expect(ticksWithin(0, 1.7e12, 40)).not.toContain(".")
})

test("the axis of a run that goes on is a round length, at most half as long again as the run", () => {
  for (const [s, end] of [
    [0, 1],
    [7.2, 8],
    [8.1, 10],
    [10.1, 15],
    [64, 80],
    [121, 150],
    [901, 1000],
  ] as const)
    expect(roundEnd(s * 1000)).toBe(end * 1000)
})

test("the ticks within a part of a run are round, and no column's own time", () => {
  // 61 s in 50 columns: a tick every 20 s, 16 columns apart, of which the last has no room for its unit.
  expect(ticksWithin(0, 61_000, 50)).toBe("0               20              40 s")
  expect(ticksWithin(0, 61_000, 29)).toBe("0             30 s")
  expect(ticksWithin(0, 61_000, 20)).toBe("0        30 s")
  expect(ticksWithin(0, 4500, 22)).toBe("0        2         4 s")
  expect(ticksWithin(44_203, 51_000, 50)).toMatch(/^ +46 +48 +50 s$/)
  expect(ticksWithin(1_010, 1_060, 50)).toMatch(/^1\.01 +1\.02 +1\.03 +1\.04 +1\.05 s$/)
  expect(ticksWithin(3_500_000, 3_520_000, 40)).toMatch(/^58:20 +58:25 +58:30 +58:35$/)
  expect(ticksWithin(0, 7_200_000, 40)).toMatch(/^0 +30 +60 +90 min$/)
})

test("a counted noun has its number grouped, and no s for one", () =>
  expect([0, 1, 1234].map(value => counted(value, "row"))).toEqual(["0 rows", "1 row", "1,234 rows"]))
