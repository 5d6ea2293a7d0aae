// Tests that a wrapped text fits and loses nothing, and that a text is cut within its columns, between graphemes.
import { expect, spyOn, test } from "bun:test"
import fc from "fast-check"
import { wrappedText } from "../../src/ui/growing-lines.ts"
import { wrap } from "../../src/ui/line.ts"
import { lineText } from "../../src/ui/mark-hits.ts"
import { clip, clipStart } from "../../src/ui/text-width.ts"
import { forAll } from "../for-all.ts"

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })
/** Letters, blanks, wide characters, joined emoji, flags, accents and zero-width characters. */
const piece = fc.constantFrom(
  ..."a,word, ,  ,\n,\t,日本語,👩‍👩‍👧,e\u0301,🇦🇹,supercalifragilistic,.,…,é,🎉,👍🏽,ก็,\ufe0f,क्षि".split(","),
)
const text = fc.array(piece, { maxLength: 60 }).map(parts => parts.join(""))
const columns = fc.integer({ min: 1, max: 20 })

function chunked(whole: string, cuts: readonly number[], room: number): readonly string[] {
  const wrapped = wrappedText(room, "normal")
  const places = [...new Set(cuts.map(cut => cut % (whole.length + 1)))].sort((a, b) => a - b)
  let from = 0
  for (const place of [...places, whole.length]) {
    wrapped.append(whole.slice(from, place))
    from = place
  }
  return Array.from({ length: wrapped.length }, (_, i) => lineText(wrapped.line(i) ?? { spans: [] }))
}

test("a text wrapped in any chunks gives the same lines", () =>
  forAll([text, columns, fc.array(fc.nat(400), { maxLength: 12 })], 500, (whole, room, cuts) => {
    expect(chunked(whole, cuts, room)).toEqual([...wrap(whole, room)])
  }))

test("a wrapped line is no wider than the columns unless one grapheme is", () =>
  forAll([text, columns], 500, (whole, room) => {
    for (const one of wrap(whole, room)) {
      if (Bun.stringWidth(one) > room) expect([...graphemes.segment(one)].length).toBe(1)
    }
  }))

test("wrapping a megabyte without spaces at once measures one line's worth for each line", () => {
  const measured = spyOn(Bun, "stringWidth")
  let units = 0
  measured.mockImplementation(whole => {
    units += whole.length
    return whole.length * 2
  })
  const lines = wrap("日".repeat(1_000_000), 80)
  measured.mockRestore()
  expect(lines.length).toBe(25_000)
  expect(units / lines.length).toBeLessThan(80 * 17)
})

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
