import type { Intent } from "../view/intent.ts"
import type { Scope } from "./binding.ts"
import { LETTER, type Stroke } from "./stroke.ts"

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

/** Enter on a line, pressed before the screen had taken the terminal over. */
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
    return { pending: nonePending, decision: { type: "intent", intent: binding.intent(count, stroke) } }
  }
  if (others === "text") return { pending: nonePending, decision: { type: "text" } }
  if (others === "nothing") return { pending: nonePending, decision: { type: "none" } }
  if (!/^[0-9]$/.test(stroke)) {
    return { pending: nonePending, decision: { type: [...stroke].length === 1 ? "unknown" : "none" } }
  }
  const count = (pending.count + stroke).replace(/^0+/, "").slice(0, DIGITS)
  return { pending: { count }, decision: { type: "none" } }
}
