// Says which keys the footer names, and prints the key table.
import { GROUPS, type KeyGroup, type Scope, type TableBinding } from "./binding.ts"
import { hintText, keysText } from "./key-text.ts"
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

export interface KeyLine {
  readonly group: KeyGroup
  readonly shown: string
  readonly title: string
}

/** The key table for people: one line for all bindings with one title, group by group. */
export function keyLines(bindings: readonly TableBinding<never>[]): readonly KeyLine[] {
  return GROUPS.flatMap(group => {
    const own = bindings.filter(one => one.group === group)
    const titles = [...new Set(own.map(one => one.title))]
    return titles.map(title => ({ group, title, shown: keysText(own.filter(one => one.title === title)) }))
  })
}
