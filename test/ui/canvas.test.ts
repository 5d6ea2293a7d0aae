// What is drawn cell by cell is what the library would have drawn from the text.
import { afterAll, expect, test } from "bun:test"
import { OptimizedBuffer, RGBA } from "@opentui/core"
import { COLUMNS } from "../../src/ui/Canvas.tsx"

const WIDTH = 40
const fg = RGBA.fromHex("#eeeeee")
const whole = OptimizedBuffer.create(WIDTH, 1, "unicode")
const cells = OptimizedBuffer.create(WIDTH, 1, "unicode")
afterAll(() => {
  whole.destroy()
  cells.destroy()
})

/** All characters of the first plane that may be drawn as cells of their own. */
const simple = Array.from({ length: 0xd800 - 0xa0 }, (_, i) => String.fromCharCode(0xa0 + i)).filter(one =>
  COLUMNS.test(one),
)

test("each of these characters is one column wide and joins with none beside it", () => {
  const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })
  expect(simple.length).toBeGreaterThan(900)
  expect(simple.filter(one => Bun.stringWidth(one) !== 1)).toEqual([])
  expect(simple.filter(one => [...graphemes.segment(`a${one}a${one}${one}`)].length !== 5)).toEqual([])
})

test("a cell of its own looks as the same character in a text, on every background", () => {
  const transparent = RGBA.fromValues(0, 0, 0, 0)
  const bytes = (buffer: OptimizedBuffer) => Buffer.from(buffer.getRealCharBytes()).toString()
  const looks = ({ buffers: { bg, fg: ink, attributes } }: OptimizedBuffer) =>
    [bg, ink, attributes].map(one => [...one])
  for (const background of [RGBA.defaultBackground(), RGBA.fromIndex(8), RGBA.fromHex("#203040")]) {
    const different = simple.filter((char, i) => {
      whole.clear(background)
      cells.clear(background)
      whole.drawText(char, i % WIDTH, 0, fg, undefined, 1)
      cells.setCellWithAlphaBlending(i % WIDTH, 0, char, fg, transparent, 1)
      return bytes(whole) !== bytes(cells) || !Bun.deepEquals(looks(whole), looks(cells))
    })
    expect(different).toEqual([])
  }
})
