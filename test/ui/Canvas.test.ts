// Tests that cells are drawn as the library draws text, and what a click reaches.
import { afterAll, expect, test } from "bun:test"
import { OptimizedBuffer, RGBA } from "@opentui/core"
import { sanitize } from "../../packages/wire/src/sanitize.ts"
import { drawText } from "../../src/ui/Canvas.tsx"
import { COLUMNS } from "../../src/ui/text-width.ts"
import { event } from "../run/lines.ts"
import { show } from "../screen/screen.tsx"

const WIDTH = 40
const fg = RGBA.fromHex("#eeeeee")
const whole = OptimizedBuffer.create(WIDTH, 2, "unicode")
const cells = OptimizedBuffer.create(WIDTH, 2, "unicode")
afterAll(() => {
  whole.destroy()
  cells.destroy()
})

/** All characters of the first plane that may be drawn as cells of their own. */
const simple = Array.from({ length: 0xd800 - 0xa0 }, (_, i) => String.fromCharCode(0xa0 + i)).filter(one =>
  COLUMNS.test(one),
)

test("each glyph is one column wide and joins with none beside it", () => {
  const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })
  expect(simple.length).toBeGreaterThan(900)
  expect(simple.filter(one => Bun.stringWidth(one) !== 1)).toEqual([])
  expect(simple.filter(one => [...graphemes.segment(`a${one}a${one}${one}`)].length !== 5)).toEqual([])
})

test("a glyph drawn as a cell looks the same as in a text, on every background", () => {
  const bytes = (buffer: OptimizedBuffer) => Buffer.from(buffer.getRealCharBytes()).toString()
  const looks = ({ buffers: { bg, fg: ink, attributes } }: OptimizedBuffer) =>
    [bg, ink, attributes].map(one => [...one])
  for (const background of [RGBA.defaultBackground(), RGBA.fromIndex(8), RGBA.fromHex("#203040")]) {
    const different = simple.filter((char, i) => {
      whole.clear(background)
      cells.clear(background)
      const text = `${char} a`
      const at = i % (WIDTH - 3)
      whole.drawText(text, at, 0, fg, undefined, 1)
      expect(drawText(cells, sanitize(text), { x: at, y: 0, columns: 3 }, { fg, attributes: 1 }, undefined)).toBe(3)
      return bytes(whole) !== bytes(cells) || !Bun.deepEquals(looks(whole), looks(cells))
    })
    expect(different).toEqual([])
  }
})

test("a text is cut at its width, at the frame's edge, and in rows outside the frame", () => {
  const drawn = (x: number, y: number, room: number): readonly [number, string] => {
    cells.clear(RGBA.defaultBackground())
    const columns = drawText(cells, sanitize("·abcdef"), { x, y, columns: room }, { fg, attributes: 0 }, undefined)
    return [columns, Buffer.from(cells.getRealCharBytes()).toString().trim()]
  }
  expect(drawn(2, 0, 4)).toEqual([4, "·abc"])
  expect(drawn(WIDTH - 2, 0, 7)).toEqual([7, "·a"])
  expect(drawn(0, 2, 7)).toEqual([7, ""])
  expect(drawn(0, -1, 7)).toEqual([7, ""])
  expect(drawn(-2, 1, 7)).toEqual([7, "bcdef"])
})

test("neither a click nor the wheel reaches what lies below a palette", async () => {
  const starts = ["poet", "judge", "cook"].map((id, seq) => event(seq, "llm/start", { invokeid: id, "session-id": id }))
  const screen = await show({ columns: 120, rows: 40 }, ...starts)
  const chosen = () => screen.store.get().view.list.selected
  const before = chosen()
  screen.press(":")
  await screen.click("NOW")
  await screen.wheel("NOW", "up")
  expect([chosen(), screen.store.get().view.focus, screen.store.get().view.typing?.to]).toEqual([
    before,
    "live",
    "palette",
  ])
  await screen.press("escape").wheel("poet", "up")
  expect(chosen()).not.toEqual(before)
})
