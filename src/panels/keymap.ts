// Makes the one table of keys of what the panels bring.
import type { Binding } from "../keys/binding.ts"
import type { Intent } from "../view/intent.ts"
import type { State } from "../view/state.ts"
import type { Panel } from "./common/panel.ts"
import type { KeyBinding, KeyScope, Opener, OwnScope, PanelKeys } from "./common/panel-keys.ts"

interface Keymap {
  /** By their ids. */
  readonly scopes: ReadonlyMap<string, KeyScope>
  /** Every binding once, in the order of the panels. */
  readonly keymap: readonly Binding<State>[]
}

export function keymapOf(panels: readonly Panel[]): Keymap {
  const all = panels.flatMap(({ keys }) => (keys === undefined ? [] : [completed(keys)]))
  const openers = all.flatMap(one => one.openers)
  const scopes = all.flatMap(one => one.scopes)
  return {
    scopes: new Map(scopes.map(own => [own.id, scopeFrom(own, openers)])),
    keymap: uniqueById(all.flatMap(({ openers, scopes }) => [...openers, ...scopes].flatMap(({ keys }) => keys))),
  }
}

/** Adds to the bindings of a panel what they leave out: the group, and an intent that is named as they are. */
function completed({ group, openers = [], scopes = [] }: PanelKeys) {
  const binding = (one: KeyBinding): Binding<State> =>
    one.intent === undefined ? { group, ...one, intent: () => ({ type: one.id }) as Intent } : { group, ...one }
  const opener = (one: Opener): Opener<Binding<State>> => ({ ...one, keys: one.keys.map(binding) })
  const scope = ({ over, ...own }: OwnScope): OwnScope<Binding<State>> => {
    const below = over === undefined ? {} : { over: scope(over) }
    return { ...own, ...below, keys: own.keys.map(binding) }
  }
  return { openers: openers.map(opener), scopes: scopes.map(scope) }
}

/** The keys of a panel, and those of others that work in front of it. */
function scopeFrom(own: OwnScope<Binding<State>>, all: readonly Opener<Binding<State>>[]): KeyScope {
  const { id, kind, keys, others, over } = own
  const places: readonly string[] = [id, kind]
  const openers = all.filter(({ from }) => from.some(place => places.includes(place)))
  const ids = keys.map(one => one.id)
  const first = openers.flatMap(opener => (opener.first === true ? opener.keys : []))
  const named = [...first.filter(one => !ids.includes(one.id)), ...keys]
  const below = over === undefined ? [] : scopeFrom(over, all).bindings
  return { id, named, others, bindings: uniqueById([...named, ...openers.flatMap(opener => opener.keys), ...below]) }
}

/** Of several with one id the first. */
function uniqueById(bindings: readonly Binding<State>[]): readonly Binding<State>[] {
  return bindings.filter((one, index) => bindings.findIndex(other => other.id === one.id) === index)
}
