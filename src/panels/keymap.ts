// Makes the key table and the scopes from the keys of all panels.
import type { Binding, TableBinding } from "../keys/binding.ts"
import type { Intent } from "../view/intent.ts"
import type { State } from "../view/state.ts"
import type { Panel } from "./common/panel.ts"
import type { KeyBinding, KeyScope, Opener, OwnScope } from "./common/panel-keys.ts"

interface Keymap {
  /** By their ids. */
  readonly scopes: ReadonlyMap<string, KeyScope>
  /** Every binding once, in the order of the panels. */
  readonly keymap: readonly TableBinding<State>[]
}

export function keymapOf(panels: readonly Panel[]): Keymap {
  const all = panels.flatMap(({ keys }) => keys ?? [])
  const openers = all.flatMap(one => one.openers ?? [])
  const table = all.flatMap(({ group, openers = [], scopes = [] }) =>
    [...openers, ...scopes].flatMap(({ keys }) => keys).map(one => ({ group, ...completed(one) })),
  )
  return {
    scopes: new Map(all.flatMap(({ scopes = [] }) => scopes.map(own => [own.id, scopeFrom(own, openers)]))),
    keymap: uniqueById(table),
  }
}

/** A binding without an intent gets the one that has its id as type. */
function completed(one: KeyBinding): Binding<State> {
  return one.intent === undefined ? { ...one, intent: () => ({ type: one.id }) as Intent } : one
}

/** The keys of a panel, and those of others that work in front of it. */
function scopeFrom(own: OwnScope, all: readonly Opener[]): KeyScope {
  const { id, kind, keys, others = "count", over } = own
  const openers = all.filter(({ from }) => from.some(place => place === id || place === kind))
  const ids = keys.map(one => one.id)
  const first = openers.flatMap(opener => (opener.first === true ? opener.keys : []))
  const named = [...first.filter(one => !ids.includes(one.id)), ...keys].map(completed)
  const below = over === undefined ? [] : scopeFrom(over, all).bindings
  const opening = openers.flatMap(opener => opener.keys.map(completed))
  return { id, named, others, bindings: uniqueById([...named, ...opening, ...below]) }
}

/** Of several with one id the first. */
function uniqueById<B extends Binding<State>>(bindings: readonly B[]): readonly B[] {
  return bindings.filter((one, index) => bindings.findIndex(other => other.id === one.id) === index)
}
