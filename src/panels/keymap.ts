// Makes the key table and the scopes from the keys of all panels.
import { type Binding, LETTER, type TableBinding } from "../keys/binding.ts"
import type { State } from "../view/state.ts"
import { type KeyChoices, noChoices } from "../view/view.ts"
import { close, help } from "./common/keys.ts"
import type { KeyScope, Opener, OwnScope, Panel, PanelKeys } from "./common/panel.ts"

/** What is asked for is made then: a start needs one scope, and no table. */
export class Keymap {
  readonly #keys: readonly PanelKeys[]
  readonly #scopes = new Map<string, KeyScope>()
  #places: ReadonlyMap<string, string> | null = null

  constructor(
    panels: readonly Panel[],
    private readonly choices: KeyChoices = noChoices,
  ) {
    this.#keys = panels.flatMap(panel => (panel.keys === undefined ? [] : { ...panel.keys, scopes: scopesOf(panel) }))
  }

  get scopeIds(): readonly string[] {
    return this.#keys.flatMap(({ scopes = [] }) => scopes.map(({ id }) => id))
  }

  /** Every binding once, in the order of the panels. */
  get bindings(): readonly TableBinding<State>[] {
    return uniqueById(
      this.#keys.flatMap(({ group, openers = [], scopes = [] }) =>
        [...openers, ...scopes]
          .flatMap(({ keys }) => keys)
          .map(one => ({ group, ...chosen(one, this.choices, false) })),
      ),
    )
  }

  /** Id of the first scope in which a binding works. */
  placeOf(id: string): string {
    this.#places ??= this.#firstPlaces()
    return this.#places.get(id) ?? ""
  }

  #firstPlaces(): ReadonlyMap<string, string> {
    const places = this.scopeIds.flatMap(place => this.scope(place).bindings.map(({ id }) => [id, place] as const))
    // A map keeps the last of several entries with one key.
    return new Map(places.reverse())
  }

  scope(id: string): KeyScope {
    const known = this.#scopes.get(id)
    if (known !== undefined) return known
    const own = this.#keys.flatMap(({ scopes = [] }) => scopes).find(one => one.id === id)
    if (own === undefined) throw new Error(`expected the id of a scope, got ${id}`)
    const openers = this.#keys.flatMap(({ openers = [] }) => openers)
    const scope = withChoices(scopeFrom(own, openers), this.choices)
    this.#scopes.set(id, scope)
    return scope
  }
}

/** The scopes that a panel brings: its own, and one for each of its lists. */
function scopesOf({ keys, overlays = {} }: Panel): readonly OwnScope[] {
  const lists = Object.entries(overlays).flatMap(([id, { drawn }]): OwnScope[] => {
    if (drawn.type !== "list" || drawn.list.keys === undefined) return []
    const { kind = "list", keys } = drawn.list
    return [{ id, kind, keys: uniqueById([...keys, close, help]) }]
  })
  return [...(keys?.scopes ?? []), ...lists]
}

function withChoices(scope: KeyScope, choices: KeyChoices): KeyScope {
  if (choices.size === 0) return scope
  const { named, bindings, others } = scope
  const isTyped = others === "text" || bindings.some(({ keys }) => keys.includes(LETTER))
  const choose = (one: Binding<State>) => chosen(one, choices, isTyped)
  return { ...scope, named: named.map(choose), bindings: bindings.map(choose) }
}

/** Where letters are typed, a key that prints one is not taken from them: without another, the usual one holds. */
function chosen<B extends Binding<State>>(one: B, choices: KeyChoices, isTyped: boolean): B {
  const keys = choices.get(one.id)?.filter(key => !isTyped || ([...key].length > 1 && key !== "space")) ?? []
  return keys.length === 0 ? one : { ...one, keys }
}

/** The keys of a panel, and those of others that work in front of it. */
function scopeFrom(own: OwnScope, all: readonly Opener[]): KeyScope {
  const { id, kind, keys, others = "count", over } = own
  const openers = all.filter(({ from }) => from.includes(kind))
  const ids = keys.map(one => one.id)
  const first = openers.flatMap(opener => (opener.first === true ? opener.keys : []))
  const named = [...first.filter(one => !ids.includes(one.id)), ...keys]
  const below = over === undefined ? [] : scopeFrom(over, all).bindings
  const opening = openers.flatMap(opener => opener.keys)
  return { id, named, others, bindings: uniqueById([...named, ...opening, ...below]) }
}

/** Of several with one id the first. */
function uniqueById<B extends Binding<State>>(bindings: readonly B[]): readonly B[] {
  const first = new Map<string, B>()
  for (const one of bindings) if (!first.has(one.id)) first.set(one.id, one)
  return [...first.values()]
}
