/** One key press: `j`, `G`, `enter`, `shift-tab`, `ctrl-c`. In the key table, two with a space are a sequence. */
export type Stroke = string

/** In a binding: any key that prints one character and is not bound itself. */
export const LETTER: Stroke = "letter"

export interface KeyPress {
  readonly name: string
  readonly sequence: string
  readonly ctrl: boolean
  readonly shift: boolean
  readonly meta: boolean
}

const NAMES: { readonly [name: string]: string } = { return: "enter", linefeed: "ctrl-j", kpenter: "enter" }

/** The strokes in a key press: none for a bare modifier, two where a terminal folded a fast Esc Esc into one. */
export function strokesOf(key: KeyPress): readonly Stroke[] {
  if (key.name === "escape" && key.meta) return ["escape", "escape"]
  const name = NAMES[key.name] ?? key.name
  if (name === "") return []
  const letter = /^[a-z]$/.test(name)
  if (!key.ctrl && !key.meta) {
    if (letter) return [key.shift ? name.toUpperCase() : name]
    // A printable key is what it prints; shift is already in it.
    if ([...name].length === 1) return [name]
  }
  if (name.startsWith("ctrl-")) return [name]
  const shift = key.shift && name.length > 1 ? "shift-" : ""
  return [`${key.ctrl ? "ctrl-" : ""}${key.meta ? "alt-" : ""}${shift}${name}`]
}
