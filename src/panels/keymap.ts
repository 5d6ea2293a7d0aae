// Makes the one table of keys of what the panels bring.

import type { Panel } from "./common/panel.ts"
import type { KeyBinding, KeyScope, Opener, OwnScope } from "./common/panel-keys.ts"

interface Keymap {
  /** By their ids. */
  readonly scopes: ReadonlyMap<string, KeyScope>
  /** Every binding once, in the order of the panels. */
  readonly keymap: readonly KeyBinding[]
}

export function keymapOf(panels: readonly Panel[]): Keymap {
  const all = panels.flatMap(({ keys }) => keys ?? [])
  const openers = all.flatMap(({ openers = [] }) => openers)
  const scopes = all.flatMap(({ scopes = [] }) => scopes)
  return {
    scopes: new Map(scopes.map(own => [own.id, scopeFrom(own, openers)])),
    keymap: uniqueById(
      all.flatMap(({ openers = [], scopes = [] }) => [...openers, ...scopes].flatMap(({ keys }) => keys)),
    ),
  }
}

/** The keys of a panel, and those of others that work in front of it. */
function scopeFrom({ id, kind, keys, others, over }: OwnScope, all: readonly Opener[]): KeyScope {
  const places: readonly string[] = [id, kind]
  const openers = all.filter(({ from }) => from.some(place => places.includes(place)))
  const own = keys.map(one => one.id)
  const first = openers.flatMap(opener => (opener.first === true ? opener.keys : []))
  const named = [...first.filter(one => !own.includes(one.id)), ...keys]
  const below = over === undefined ? [] : scopeFrom(over, all).bindings
  return { id, named, others, bindings: uniqueById([...named, ...openers.flatMap(opener => opener.keys), ...below]) }
}

/** Of several with one id the first. */
function uniqueById(bindings: readonly KeyBinding[]): readonly KeyBinding[] {
  return bindings.filter((one, index) => bindings.findIndex(other => other.id === one.id) === index)
}
