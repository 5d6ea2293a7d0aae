// Tests that a key press has one name, whatever the terminal sends.
import { expect, test } from "bun:test"
import { type KeyPress, strokesOf } from "../../src/keys/dispatch.ts"

test.each<[what: string, name: string, keys: Partial<KeyPress>, strokes: readonly string[]]>([
  ["a letter", "j", {}, ["j"]],
  ["a letter with its case", "g", { shift: true }, ["G"]],
  ["what it prints", "?", {}, ["?"]],
  ["what it prints, shift included", "?", { shift: true }, ["?"]],
  ["a letter beyond ASCII", "é", {}, ["é"]],
  ["a letter of two units, shift included", "😀", { shift: true }, ["😀"]],
  ["a digit", "5", {}, ["5"]],
  ["our name of it", "return", {}, ["enter"]],
  ["our name of it, on the pad too", "kpenter", {}, ["enter"]],
  ["its name", "pagedown", {}, ["pagedown"]],
  ["its name", "space", {}, ["space"]],
  ["its name after shift", "tab", { shift: true }, ["shift-tab"]],
  ["the Ctrl-J that it is", "linefeed", {}, ["ctrl-j"]],
  ["the Ctrl-J that it is, once", "linefeed", { ctrl: true }, ["ctrl-j"]],
  ["ctrl before it", "c", { ctrl: true }, ["ctrl-c"]],
  ["alt before it", "h", { meta: true }, ["alt-h"]],
  ["ctrl before alt", "x", { ctrl: true, meta: true }, ["ctrl-alt-x"]],
  ["no shift beside ctrl", "x", { ctrl: true, shift: true }, ["ctrl-x"]],
  ["alt before its name", "return", { meta: true }, ["alt-enter"]],
  ["shift before its name", "return", { shift: true }, ["shift-enter"]],
  ["two of two fast Escs that a terminal sends as one", "escape", { meta: true }, ["escape", "escape"]],
  ["one of one Esc", "escape", {}, ["escape"]],
  ["none for a modifier alone", "", {}, []],
])("a stroke has %s: %p with %j", (_, name, keys, strokes) => {
  expect(strokesOf({ name, sequence: "", ctrl: false, shift: false, meta: false, ...keys })).toEqual([...strokes])
})
