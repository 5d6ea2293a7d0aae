// Tests that a text is cut within its columns, and between graphemes.
import { expect, test } from "bun:test"
import fc from "fast-check"
import { clip, clipStart } from "../../src/ui/text-width.ts"
import { forAll } from "../for-all.ts"

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })
/** Texts of letters, wide characters, joined emoji, flags, accents and zero-width characters. */
const text = fc
  .array(
    fc.constantFrom("a", "B", " ", "é", "e\u0301", "日", "本", "👩‍👩‍👧", "🎉", "🇦🇹", "👍🏽", "…", "ก็", "\ufe0f", "क्षि"),
    { maxLength: 40 },
  )
  .map(parts => parts.join(""))

function boundaries(whole: string): ReadonlySet<number> {
  return new Set([...graphemes.segment(whole)].map(({ index }) => index).concat(whole.length))
}

test("a clipped text is never wider than its columns, ends or begins as the whole, and splits no grapheme", () =>
  forAll([text, fc.integer({ min: -2, max: 50 })], 100, (whole, room) => {
    const [head, tail] = [clip(whole, room), clipStart(whole, room)]
    for (const cut of [head, tail]) expect(Bun.stringWidth(cut)).toBeLessThanOrEqual(Math.max(0, room))
    const [kept, end] = [head.replace(/…$/, ""), tail.slice(1)]
    if (head !== whole) expect([whole.startsWith(kept), boundaries(whole).has(kept.length)]).toEqual([true, true])
    const isCut = tail !== whole && tail !== ""
    if (isCut) expect([whole.endsWith(end), boundaries(whole).has(whole.length - end.length)]).toEqual([true, true])
  }))
