// Tests what becomes of the keys that a person chose.
import { expect, test } from "bun:test"
import { actionName, chooseable, chooseKeys } from "../../src/panels/choose-keys.ts"
import { keymap, keymapOf } from "../../src/panels/index.ts"
import { noChoices } from "../../src/view/view.ts"

const choose = (keys: { readonly [action: string]: readonly string[] }) => chooseKeys(new Map(Object.entries(keys)))

/** The keys of an action where `place` is in front. */
function keysIn(place: string, id: string, keys: { readonly [action: string]: readonly string[] }): readonly string[] {
  const { choices, mistakes } = choose(keys)
  expect(mistakes).toEqual([])
  const { named, bindings } = keymapOf(choices).scope(place)
  return [...named, ...bindings].find(one => one.id === id)?.keys ?? []
}

test("a chosen key works wherever the action does, and the usual one no longer", () => {
  const keys = { "cursor-down": ["Ctrl-N", "down"] }
  for (const place of ["panes", "alerts", "pager", "home"])
    expect(keysIn(place, "cursor/down", keys)).toEqual(["ctrl-n", "down"])
})

test("where letters are typed a chosen letter is typed too, and the usual key holds", () => {
  const keys = { "help-toggle": ["H"] }
  expect(keysIn("panes", "help/toggle", keys)).toEqual(["H"])
  expect(keysIn("text", "help/toggle", keys)).toEqual(["f1"])
  expect(keysIn("choice", "help/toggle", keys)).toEqual(["?", "f1"])
  expect(keysIn("text", "help/toggle", { "help-toggle": ["H", "Space", "F3"], "time-play": ["F8"] })).toEqual(["f3"])
})

test("two actions with one key in one place are refused, with both names, but may change their keys with each other", () => {
  expect(choose({ "log-times": ["f"], "filters-toggle": ["t"] }).mistakes).toEqual([])
  const { choices, mistakes } = choose({ "log-times": ["f", "F7"], "filters-toggle": ["f", "F7"], nothing: ["z"] })
  expect(mistakes).toEqual(["keys.nothing: unknown action", "keys: filters-toggle and log-times both have f in a text"])
  expect(choices.size).toBe(0)
  expect(choose({}).choices).toBe(noChoices)
})

test("a key that begins another one's two is refused, whichever comes first", () => {
  const words = "keys: cursor-down and log-previous-error both have"
  for (const both of ["[ in a text", "[·e in a recording"])
    expect(choose({ "cursor-down": ["["] }).mistakes).toContain(`${words} ${both}`)
  expect(choose({ "prompt-hide": ["Ctrl-X"] }).mistakes).toEqual([
    "keys: prompt-edit and prompt-hide both have Ctrl-X in a question",
  ])
})

test("a mistyped action, what is no key, and a letter where letters are typed are refused; the others hold", () => {
  const { choices, mistakes } = choose({
    "cursor-dwon": ["j"],
    "log-times": ["Ctrl-Shift-a", "F99"],
    "cursor-first": ["Ctrl-A"],
  })
  expect(mistakes).toEqual([
    "keys.cursor-dwon: unknown action; did you mean cursor-down?",
    'keys.log-times: expected a key such as j, Ctrl-D, PgUp or F2, got "Ctrl-Shift-a"',
  ])
  expect([...choices]).toEqual([["cursor/first", ["ctrl-a"]]])
  expect(choose({ "prompt-toggle": ["x"] }).mistakes).toEqual([
    "keys.prompt-toggle: letters are typed in a question, got x",
  ])
})

test("every action has a name of its own, and none is a key that means what it prints", () => {
  const names = chooseable(keymap.bindings).map(({ id }) => actionName(id))
  expect(new Set(names).size).toBe(names.length)
  expect(names).toContain("debugger-step")
  for (const fixed of ["prompt-pick", "prompt-find", "prompt-new-line"]) expect(names).not.toContain(fixed)
})
