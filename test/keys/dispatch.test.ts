// Tests how strokes become intents: by scope, with counts, and as text in a field.
import { expect, test } from "bun:test"
import fc from "fast-check"
import { LETTER } from "../../src/keys/binding.ts"
import { type Decision, dispatch, intentOf, nonePending, type Pending } from "../../src/keys/dispatch.ts"
import { keysText } from "../../src/keys/key-text.ts"
import { keymap } from "../../src/panels/index.ts"
import { forAll } from "../for-all.ts"

/** The decision for each of these strokes in turn, in the scope with this id. */
function course(scope: string, ...strokes: readonly string[]): readonly Decision[] {
  const front = keymap.scope(scope)
  let pending: Pending = nonePending
  return strokes.map(stroke => {
    const next = dispatch(front, pending, stroke)
    pending = next.pending
    return next.decision
  })
}

function wish(scope: string, ...strokes: readonly string[]): object | null {
  const last = course(scope, ...strokes).at(-1)
  return last?.type === "intent" ? last.intent : null
}

test("Enter that came before the screen took the terminal over ends a line, and answers no question", () => {
  expect(wish("line", "ctrl-j")).toEqual({ type: "typing/take" })
  expect(wish("palette", "ctrl-j")).toEqual({ type: "palette/choose" })
  for (const scope of ["text", "choice", "confirm", "panes"]) expect(wish(scope, "ctrl-j")).toBeNull()
})

const steps = (n: number) => ({ type: "debugger/send", op: "step", n }) as const
/** A key without a binding drops a count, and so does Esc. */
const COUNTS = "s|5 s|1 0 s|5 s s|1 2 j|3 k|3 v j|5 escape s|0 s|0 1 2 3 4 5 6 7 8 9 s".split("|")

test("a count of at most four digits is passed to the next key, once", () => {
  const told = COUNTS.map(strokes => `${strokes}: ${JSON.stringify(wish("panes", ...strokes.split(" ")))}`)
  expect(told.join("\n")).toMatchSnapshot()
})

test("a count waits for both strokes of a key, and is gone where the front takes none; any character is a letter", () => {
  const step = { id: "debugger/send", keys: ["g g"], intent: steps }
  const letter = { id: "a", keys: [LETTER], intent: (n: number, text: string) => ({ ...steps(n), text }) as never }
  const bindings = [step, letter].map(one => ({ ...one, title: one.id }))
  const [, typed, digit] = ["count", "text", "nothing"].map(others =>
    dispatch({ bindings: [], others: others as "text" }, { count: "5" }, "1"),
  )
  expect([typed?.pending, digit?.pending]).toEqual([nonePending, nonePending])
  const told = (pending: Pending, stroke: string) => dispatch({ bindings, others: "count" }, pending, stroke)
  expect(told(told({ count: "3" }, "g").pending, "g").decision).toEqual({ type: "intent", intent: steps(3) })
  expect(intentOf({ ...letter, keys: ["a", "b"] })).toEqual({ ...steps(1), text: "a" } as never)
  const own = { ...step, title: "one", keys: ["g"] }
  expect(dispatch({ bindings: [...bindings, own], others: "count" }, nonePending, "g").pending).toEqual(nonePending)
  expect(told(nonePending, "😀").decision).toEqual({ type: "intent", intent: { ...steps(1), text: "😀" } as never })
})

test("a key that prints a character and means nothing says so, a key that prints none and a second stroke do not", () => {
  for (const stroke of ["r", "Q", "ü", "_"]) expect(course("panes", stroke)).toEqual([{ type: "unknown" }])
  for (const stroke of ["f9", "ctrl-t", "7"]) expect(course("panes", stroke)).toEqual([{ type: "none" }])
  expect(course("confirm", "r")).toEqual([{ type: "none" }])
  expect(wish("pane-text", "n")).toEqual({ type: "find/step", step: 1 })
  expect(wish("panes", "n")).toEqual({ type: "find/step", step: 1 })
})

test("a text field receives every letter, digit and sign", async () => {
  await forAll([fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 })], 100, stroke => {
    expect(course("text", stroke)).toEqual([{ type: "text" }])
  })
  for (const stroke of ["space", "backspace", "left", "up", "home", "end", "ctrl-j", "shift-enter", "alt-enter"]) {
    expect(course("text", stroke)).toEqual([{ type: "text" }])
  }
})

test("a binding of two strokes gives its intent at the second stroke; another one is swallowed and said, Esc ends it, Ctrl-C quits", () => {
  expect(course("text", "ctrl-x", "ctrl-e")).toEqual([
    { type: "none" },
    { type: "intent", intent: { type: "prompt/edit" } },
  ])
  const [none, unknown] = [{ type: "none" }, { type: "unknown" }] as const
  expect(course("text", "ctrl-x", "a", "ctrl-e")).toEqual([none, unknown, { type: "text" }])
  for (const stroke of ["c", "p", "b", "q", "]", "enter"]) expect(course("panes", "]", stroke)).toEqual([none, unknown])
  expect(course("panes", "[", "escape", "q")).toEqual([none, none, { type: "intent", intent: { type: "front/quit" } }])
  expect(wish("panes", "]", "s")).toEqual({ type: "log/jump", kind: "state", step: 1 })
  expect(wish("panes", "]", "ctrl-c")).toEqual({ type: "program/quit" })
  expect(course("panes", "ctrl-x", "ctrl-e")).toEqual([{ type: "none" }, { type: "none" }])
})

test("the key table reaches every binding by each of its strokes in each of its scopes", () => {
  for (const { id: scope, bindings } of keymap.scopeIds.map(id => keymap.scope(id))) {
    for (const [index, one] of bindings.entries()) {
      const { id, keys, isTyped } = one
      if (isTyped === true) continue
      const taken = bindings.slice(0, index).flatMap(one => one.keys)
      for (const key of keys.filter(key => !taken.includes(key))) {
        const pressed = key === LETTER ? "q" : key
        expect({ id, wish: wish(scope, ...pressed.split(" ")) }).toEqual({ id, wish: intentOf(one, pressed) })
      }
    }
  }
})

test("the key table has unique ids, and for every binding a title and words to find it by", () => {
  expect(new Set(keymap.bindings.map(one => one.id)).size).toBe(keymap.bindings.length)
  for (const { title, words = title, hint, keys } of keymap.bindings)
    expect([title, words, hint, keys.length === 0 ? ":" : keysText([{ keys }])]).not.toContain("")
})
