// Reads keys as a person writes them: `j`, `Ctrl-D`, `PgUp`, `Ctrl-X Ctrl-E`.
import type { Stroke } from "./binding.ts"

const NAMED = [
  ..."up down left right pageup pagedown home end enter escape tab space backspace delete insert".split(" "),
  ...Array.from({ length: 12 }, (_, i) => `f${i + 1}`),
]

const ALSO: { readonly [word: string]: string } = {
  "↑": "up",
  "↓": "down",
  "←": "left",
  "→": "right",
  pgup: "pageup",
  pgdn: "pagedown",
  esc: "escape",
  return: "enter",
  del: "delete",
  ins: "insert",
}

/** The stroke of one key, or of two with a blank or `·` between them; null if a text is none, or a digit of a count. */
export function readStroke(text: string): Stroke | null {
  const presses = text.split(/ |(?<=.)·(?=.)/).map(readPress)
  return presses.length > 2 || presses.includes(null) ? null : presses.join(" ")
}

function readPress(text: string): Stroke | null {
  const [, written = "", name = ""] = /^((?:(?:ctrl|alt|shift)-)*)(.+)$/is.exec(text) ?? []
  const modifiers = written.toLowerCase()
  const isCharacter = [...name].length === 1 && !Object.hasOwn(ALSO, name)
  if (isCharacter && modifiers === "") return /[\d\s\p{C}]/u.test(name) ? null : name
  if (isCharacter && modifiers === "shift-") return /[a-z]/i.test(name) ? name.toUpperCase() : null
  const key = name.toLowerCase()
  const known = Object.hasOwn(ALSO, key) ? ALSO[key] : NAMED.find(one => one === key)
  const stroke = isCharacter ? key : known
  // Terminals don't tell Shift beside Ctrl or Alt from a character without it.
  if (stroke === undefined || (isCharacter && modifiers.includes("shift-"))) return null
  return ["ctrl-", "alt-", "shift-"].filter(one => modifiers.includes(one)).join("") + stroke
}
