import type { Intent } from "../view/intent.ts"
import { type Binding, LETTER, type Scope, type Stroke } from "./binding.ts"

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

/** What was typed and is no intent yet: the digits of a count, and the first stroke of a key of two. */
export interface Pending {
  readonly count: string
  readonly first?: Stroke
}

export const nonePending: Pending = { count: "" }

export type Decision =
  | { readonly type: "intent"; readonly intent: Intent }
  /** The key belongs to the text field in front. */
  | { readonly type: "text" }
  /** A key that means nothing here: one that prints a character, or the second of two. */
  | { readonly type: "unknown" }
  | { readonly type: "none" }

/** It never waits for another key. */
const LEAVE: Stroke = "ctrl-c"

/** Enter as the terminal sends it before the screen has taken it over. */
const EARLY_ENTER: Stroke = "ctrl-j"

/** No count is longer; more digits are ignored. */
const DIGITS = 4

/** Decides what a stroke means where `scope` is in front. Pure: a count is held in `pending`. */
export function dispatch(
  { bindings, others }: Pick<Scope<never>, "bindings" | "others">,
  pending: Pending,
  stroke: Stroke,
): { pending: Pending; decision: Decision } {
  const bound = (key: Stroke) => bindings.find(one => one.keys.includes(key))
  const { first } = pending
  const own = bound(first === undefined || stroke === LEAVE ? stroke : `${first} ${stroke}`)
  const found = own ?? (others === "text" && stroke === EARLY_ENTER ? bound("enter") : undefined)
  if (first !== undefined && found === undefined)
    return { pending: nonePending, decision: { type: stroke === "escape" ? "none" : "unknown" } }
  if (found === undefined && bindings.some(one => one.keys.some(key => key.startsWith(`${stroke} `)))) {
    return { pending: { ...pending, first: stroke }, decision: { type: "none" } }
  }
  const binding = found ?? ([...stroke].length === 1 ? bound(LETTER) : undefined)
  if (binding !== undefined && binding.isTyped !== true) {
    const count = pending.count === "" ? 1 : Number(pending.count)
    return { pending: nonePending, decision: { type: "intent", intent: intentOf(binding, stroke, count) } }
  }
  if (others === "text") return { pending: nonePending, decision: { type: "text" } }
  if (others === "nothing") return { pending: nonePending, decision: { type: "none" } }
  if (!/^[0-9]$/.test(stroke)) {
    return { pending: nonePending, decision: { type: [...stroke].length === 1 ? "unknown" : "none" } }
  }
  const count = (pending.count + stroke).replace(/^0+/, "").slice(0, DIGITS)
  return { pending: { count }, decision: { type: "none" } }
}

/** The intent that a binding makes for `stroke`, by default its first key. */
export function intentOf(
  { id, keys, intent }: Pick<Binding<never>, "id" | "keys" | "intent">,
  stroke: Stroke = keys[0] ?? "",
  count = 1,
): Intent {
  return intent?.(count, stroke) ?? ({ type: id } as Intent)
}
