// Says which keys the footer names.
import type { Scope } from "./binding.ts"
import { hintText } from "./key-text.ts"
import type { Stroke } from "./stroke.ts"

export interface Hint {
  readonly id: string
  readonly shown: string
  readonly hint: string
  /** The key that a click on the hint presses. */
  readonly stroke: Stroke
}

/** The keys that make sense at `now` (epoch ms), most useful first: where room is short, drop from the end. */
export function hintsIn<State>({ named, bindings }: Scope<State>, state: State, now: number): readonly Hint[] {
  return named.flatMap(one => {
    const { id, hint } = one
    if (hint === undefined || one.when?.(state, now) === false) return []
    const shown = hintText(bindings.filter(other => other.title === one.title))
    return [{ id, hint, shown, stroke: one.keys[0] ?? "" }]
  })
}
