// Checks the keys that a person chose for actions.
import { type Binding, LETTER, type Stroke } from "../keys/binding.ts"
import { strokeText } from "../keys/key-text.ts"
import { readStroke } from "../keys/read-stroke.ts"
import { nearestWord } from "../query/nearest-word.ts"
import { type KeyChoices, noChoices } from "../view/view.ts"
import { keymapOf } from "./index.ts"
import type { Keymap } from "./keymap.ts"
import { placeName } from "./palette/actions.ts"

export interface ChosenKeys {
  readonly choices: KeyChoices
  /** What is wrong, one line each. What is wrong by itself is left out above; of keys that clash all are. */
  readonly mistakes: readonly string[]
}

/** The name of an action in the config file: `cursor-down`. */
export function actionName(id: string): string {
  return id.replaceAll("/", "-")
}

/** The actions whose keys can be chosen, in the order of the key table. What a digit or letter does depends on it. */
export function chooseable<B extends Pick<Binding<never>, "keys" | "isTyped">>(bindings: readonly B[]): readonly B[] {
  return bindings.filter(({ keys, isTyped }) => isTyped !== true && !keys.includes(LETTER) && !keys.includes("2"))
}

/** Reads the keys of actions by name. */
export function chooseKeys(wishes: ReadonlyMap<string, readonly string[]>): ChosenKeys {
  if (wishes.size === 0) return { choices: noChoices, mistakes: [] }
  const ids = new Map(chooseable(keymapOf(noChoices).bindings).map(({ id }) => [actionName(id), id]))
  const choices = new Map<string, readonly Stroke[]>()
  const mistakes: string[] = []
  for (const [name, texts] of wishes) {
    const id = ids.get(name)
    const strokes = texts.flatMap(text => readStroke(text) ?? [])
    const wrong = texts.find(text => readStroke(text) === null)
    if (id === undefined) mistakes.push(`keys.${name}: unknown action${meant(name, ids.keys())}`)
    else if (wrong !== undefined)
      mistakes.push(`keys.${name}: expected a key such as j, Ctrl-D, PgUp or F2, got ${JSON.stringify(wrong)}`)
    else choices.set(id, strokes)
  }
  const chosen = keymapOf(choices)
  const clashes = [...unheard(chosen, choices), ...doubled(chosen)]
  return clashes.length === 0 ? { choices, mistakes } : { choices: noChoices, mistakes: [...mistakes, ...clashes] }
}

function meant(name: string, known: Iterable<string>): string {
  const nearest = nearestWord(name, known)
  return nearest === name ? "" : `; did you mean ${nearest}?`
}

/** Actions whose keys would only be typed, wherever they work. */
function unheard(map: Keymap, choices: KeyChoices): readonly string[] {
  return [...choices].flatMap(([id, strokes]) => {
    const heard = map.scopeIds.some(place =>
      map.scope(place).bindings.some(one => one.id === id && one.keys.some(key => strokes.includes(key))),
    )
    if (heard) return []
    const keys = strokes.map(strokeText).join(", ")
    return [`keys.${actionName(id)}: letters are typed in ${placeName(map.placeOf(id))}, got ${keys}`]
  })
}

/** Keys that would do two things in one place, unless they do so without choices. */
function doubled(map: Keymap): readonly string[] {
  const usual = new Set(sharedKeys(keymapOf(noChoices)).map(({ place, words }) => `${place} ${words}`))
  const shared = sharedKeys(map).filter(({ place, words }) => !usual.has(`${place} ${words}`))
  const isFirst = ({ words }: { readonly words: string }, i: number) =>
    shared.findIndex(one => one.words === words) === i
  return shared.filter(isFirst).map(({ place, words }) => `keys: ${words} in ${placeName(place)}`)
}

function sharedKeys(map: Keymap): readonly { readonly place: string; readonly words: string }[] {
  return map.scopeIds.flatMap(place => {
    const { bindings } = map.scope(place)
    return bindings.flatMap((one, i) =>
      bindings.slice(i + 1).flatMap(other => {
        const key = one.keys.find(stroke => other.keys.some(rival => clash(stroke, rival)))
        if (key === undefined) return []
        const names = [one.id, other.id].map(actionName).sort()
        return [{ place, words: `${names.join(" and ")} both have ${strokeText(key)}` }]
      }),
    )
  })
}

/** Two keys of which one begins like the other can't both be pressed. */
function clash(one: Stroke, other: Stroke): boolean {
  return one === other || one.startsWith(`${other} `) || other.startsWith(`${one} `)
}
