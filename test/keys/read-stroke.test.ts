// Tests how keys are read as a person writes them.
import { expect, test } from "bun:test"
import fc from "fast-check"
import { LETTER } from "../../src/keys/binding.ts"
import { strokeText } from "../../src/keys/key-text.ts"
import { readStroke } from "../../src/keys/read-stroke.ts"
import { keymap } from "../../src/panels/index.ts"
import { forAll } from "../for-all.ts"

test("a key is read by its name in any case, a letter by its own case", () => {
  const read = [
    ..."j=j,G=G,Shift-g=G,|=|,-=-,Ctrl-D=ctrl-d,ctrl-d=ctrl-d,Alt-h=alt-h,PgUp=pageup,↓=down,Esc=escape".split(","),
    ..."F12=f12,Shift-Tab=shift-tab,Shift-Ctrl-Up=ctrl-shift-up,Ctrl-X Ctrl-E=ctrl-x ctrl-e,g g=g g,·=·".split(","),
    "Alt-Ctrl-x=ctrl-alt-x",
  ].map(one => one.split("="))
  expect<unknown>(read.map(([text = ""]) => [text, readStroke(text)])).toEqual(read)
})

test("what is no key, no key of a terminal, or a digit of a count is not read", () => {
  const texts = ",5,jj,letter,F13,Hyper-x,Ctrl-,Ctrl-Shift-a,Shift-Ctrl-a,a b c, ,constructor,\x1b,\u200b".split(",")
  expect(texts.filter(text => readStroke(text) !== null)).toEqual([])
})

test("every key is read as it is shown", () => {
  const strokes = keymap.bindings.flatMap(({ keys }) => keys).filter(key => key !== LETTER && !/^\d$/.test(key))
  expect(strokes.map(stroke => readStroke(strokeText(stroke)))).toEqual(strokes)
})

test("no text throws", () =>
  forAll([fc.string({ unit: "binary" })], 100, text => expect(() => readStroke(text)).not.toThrow()))
