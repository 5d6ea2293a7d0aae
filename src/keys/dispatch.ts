import type { Intent } from "../view/intent.ts"
import type { Binding } from "./binding.ts"
import { isTyped, type Scope } from "./scope.ts"
import type { Stroke } from "./stroke.ts"

/** What was typed and is not yet a wish: the digits of a count, and the first stroke of a key of two. */
export interface Pending {
  readonly count: string
  readonly first?: Stroke
}

export const nonePending: Pending = { count: "" }

export type Decision =
  | { readonly type: "intent"; readonly intent: Intent }
  /** The key belongs to the text field in front. */
  | { readonly type: "text" }
  | { readonly type: "none" }

/** No count is longer; more digits are ignored. */
const DIGITS = 4

/** The keys of a scope; what the panes have is there in their past too, behind what only the past has. */
export function bindingsIn(keymap: readonly Binding[], scope: Scope): readonly Binding[] {
  const own = keymap.filter(one => one.scopes.includes(scope))
  return scope === "past" ? [...own, ...keymap.filter(one => one.scopes.includes("panes"))] : own
}

/** Decides what a stroke means where `scope` is in front. Pure: a count is held in `pending`. */
export function dispatch(
  keymap: readonly Binding[],
  pending: Pending,
  stroke: Stroke,
  scope: Scope,
): { pending: Pending; decision: Decision } {
  const inScope = bindingsIn(keymap, scope)
  const two = inScope.find(one => one.strokes.includes(`${pending.first} ${stroke}`))
  const found = two ?? inScope.find(one => one.strokes.includes(stroke))
  if (found === undefined) {
    if (inScope.some(one => one.strokes.some(known => known.startsWith(`${stroke} `)))) {
      return { pending: { ...pending, first: stroke }, decision: { type: "none" } }
    }
    if (scope === "condition" || scope === "line" || isTyped(scope))
      return { pending: nonePending, decision: { type: "text" } }
    // Whatever prints and means nothing else is looked for among the options.
    if (scope === "choice" && [...stroke].length === 1) {
      return { pending: nonePending, decision: { type: "intent", intent: { type: "find", text: stroke } } }
    }
    if (!/^[0-9]$/.test(stroke) || scope === "choice" || scope === "confirm")
      return { pending: nonePending, decision: { type: "none" } }
    const count = (pending.count + stroke).replace(/^0+/, "").slice(0, DIGITS)
    return { pending: { count }, decision: { type: "none" } }
  }
  const count = pending.count === "" ? 1 : Number(pending.count)
  return { pending: nonePending, decision: { type: "intent", intent: found.intent(count) } }
}
