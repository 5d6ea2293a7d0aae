// Tests that a key press has one name, whatever the terminal sends.
import { describe, expect, test } from "bun:test"
import { type KeyPress, strokesOf } from "../../src/keys/dispatch.ts"

function press(name: string, keys: Partial<KeyPress> = {}): readonly string[] {
  return strokesOf({ name, sequence: "", ctrl: false, shift: false, meta: false, ...keys })
}

describe("a stroke", () => {
  test("of a letter has its case", () => {
    expect(press("j")).toEqual(["j"])
    expect(press("g", { shift: true })).toEqual(["G"])
  })

  test("of a printable key is what it prints, shift included", () => {
    expect(press("?")).toEqual(["?"])
    expect(press("?", { shift: true })).toEqual(["?"])
    expect(press("é")).toEqual(["é"])
    expect(press("5")).toEqual(["5"])
  })

  test("of a named key has our name", () => {
    expect(press("return")).toEqual(["enter"])
    expect(press("kpenter")).toEqual(["enter"])
    expect(press("pagedown")).toEqual(["pagedown"])
    expect(press("space")).toEqual(["space"])
    expect(press("tab", { shift: true })).toEqual(["shift-tab"])
    for (const ctrl of [false, true]) expect(press("linefeed", { ctrl })).toEqual(["ctrl-j"])
  })

  test("with ctrl or alt says so, ctrl first", () => {
    expect(press("c", { ctrl: true })).toEqual(["ctrl-c"])
    expect(press("h", { meta: true })).toEqual(["alt-h"])
    expect(press("x", { ctrl: true, meta: true })).toEqual(["ctrl-alt-x"])
    expect(press("x", { ctrl: true, shift: true })).toEqual(["ctrl-x"])
    expect(press("return", { meta: true })).toEqual(["alt-enter"])
    expect(press("return", { shift: true })).toEqual(["shift-enter"])
  })

  test("is read twice from two fast Escs that a terminal sends as one", () => {
    expect(press("escape", { meta: true })).toEqual(["escape", "escape"])
    expect(press("escape")).toEqual(["escape"])
  })

  test("is not made for a modifier alone", () => {
    expect(press("")).toEqual([])
  })
})
