// Tests that keys are written as a person reads them, in hints and in lists.
import { expect, test } from "bun:test"
import { hintsIn, hintText, keyOf, keysText, strokeText } from "../../src/keys/key-text.ts"

test.each([
  ["ctrl-x ctrl-e", "Ctrl-X·Ctrl-E"],
  ["pagedown", "PgDn"],
  ["f5", "F5"],
  ["f", "f"],
  [" ", " "],
  ["ctrl-pagedown", "Ctrl-PgDn"],
  ["alt-enter", "Alt-Enter"],
  ["shift-f2", "Shift-F2"],
])("%s is written %s", (stroke, text) => expect(strokeText(stroke)).toBe(text))

test.each([
  [[["1", "2", "3"]], "1–3"],
  [
    [
      ["j", "down"],
      ["k", "up"],
    ],
    "↑↓",
  ],
  [[["1", "2"]], "1 2"],
  [[["up", "k"], ["down"]], "↑↓"],
  [[["up", "k"]], "↑"],
  [[["up"], ["x"]], "↑"],
  [[["j", "x"], ["k"]], "j k"],
  [[["1", "x"]], "1"],
])("a hint for %j is %s", (keys, text) => expect(hintText(keys.map(one => ({ keys: one })))).toBe(text))

test("a click on a hint presses the first of its keys", () => {
  const named = [{ id: "a", title: "Fold", hint: "fold", keys: ["h", "left"] }]
  const told = [{ id: "a", hint: "fold", shown: "←→", stroke: "h" }]
  const bindings = [...named, { id: "b", title: "Fold", keys: ["right"] }]
  expect(hintsIn({ id: "panes", named, bindings, others: "nothing" }, null, 0)).toEqual(told)
})

test("a list has the first key of each, then the others, and says which take a number before them", () => {
  expect(keysText([{ keys: ["j", "down"], counts: true }, { keys: ["k"] }])).toBe("j k ↓ 5j")
  expect(
    [
      ["1", "x", "2"],
      ["j", "j"],
    ].map(keys => keysText([{ keys }])),
  ).toEqual(["1 x 2", "j"])
  const chosen = { setup: { keys: new Map([["a", ["g", "G"]]]) } }
  expect([keyOf(chosen, { id: "a", keys: ["x"] }), keyOf(chosen, { id: "b", keys: ["x"] })]).toEqual(["g", "x"])
})
