// Tests that keys are written as a person reads them, in hints and in lists.
import { expect, test } from "bun:test"
import { hintsIn, hintText, keyOf, keysText, strokeText } from "../../src/keys/key-text.ts"

test("a stroke is written as a person reads it, and a hint has the arrows of its keys, a range, or the first of each", () => {
  const strokes = ["ctrl-x ctrl-e", "pagedown", "f5", "f", " ", "ctrl-pagedown", "alt-enter", "shift-f2"]
  expect(strokes.map(strokeText).join()).toBe("Ctrl-X·Ctrl-E,PgDn,F5,f, ,Ctrl-PgDn,Alt-Enter,Shift-F2")
  const hints = ["1 2 3", "j down, k up", "1 2", "up k, down", "up k", "up, x", "j x, k", "1 x"].map(bindings =>
    hintText(bindings.split(", ").map(keys => ({ keys: keys.split(" ") }))),
  )
  expect(hints).toEqual(["1–3", "↑↓", "1 2", "↑↓", "↑", "↑", "j k", "1"])
})

test("a click on a hint presses the first of its keys, and one that makes no sense now is left out", () => {
  const when = (since: number, now: number) => now - since > 5
  const named = [{ id: "a", title: "Fold", hint: (since: number) => `fold ${since}`, keys: ["h", "left"], when }]
  const told = [{ id: "a", hint: "fold 1", shown: "←→", stroke: "h" }]
  const bindings = [...named, { id: "b", title: "Fold", keys: ["right"] }]
  const hints = [7, 6].map(now => hintsIn({ id: "panes", named, bindings, others: "nothing" }, 1, now))
  expect(hints).toEqual([told, []])
})

test("a list has the first key of each, then the others, and says which take a number before them", () => {
  expect(keysText([{ keys: ["j", "down"], counts: true }, { keys: ["k"] }])).toBe("j k ↓ 5j")
  expect(["1 x 2", "j j"].map(keys => keysText([{ keys: keys.split(" ") }]))).toEqual(["1 x 2", "j"])
  const chosen = { setup: { keys: new Map(Object.entries({ a: ["g", "G"], c: [] })) } }
  expect(["a", "b", "c"].map(id => keyOf(chosen, { id, keys: ["x"] }))).toEqual(["g", "x", ""])
})
