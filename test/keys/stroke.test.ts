// Keeps the one name that a key press has, whatever the terminal sends.
import { expect, test } from "bun:test"
import { strokesOf } from "../../src/keys/dispatch.ts"

/** The names that the library gives, behind what is held with them. */
const PRESSES = [
  ..."j shift+g ? shift+? é 5 😀 shift+😀 return kpenter linefeed ctrl+linefeed pagedown space tab".split(" "),
  ..."shift+tab ctrl+c meta+h ctrl+meta+x ctrl+shift+x meta+return shift+return shift+up escape meta+escape ctrl+escape shift+".split(
    " ",
  ),
]

test("a key press is one stroke; two fast Escs that a terminal sends as one are two, and a modifier alone is none", () => {
  const told = PRESSES.map(press => {
    const held = press.split("+")
    const name = held.pop() ?? ""
    const [ctrl, shift, meta] = ["ctrl", "shift", "meta"].map(one => held.includes(one))
    const key = { name, sequence: "", ctrl: ctrl === true, shift: shift === true, meta: meta === true }
    return `${press}: ${strokesOf(key).join(", ") || "none"}`
  })
  expect(told.join("\n")).toMatchSnapshot()
})
