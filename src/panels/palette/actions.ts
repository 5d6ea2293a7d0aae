// Makes the rows of the palette for what keys and commands do.
import type { Binding, TableBinding } from "../../keys/binding.ts"
import { keysText } from "../../keys/key-text.ts"
import { LETTER } from "../../keys/stroke.ts"
import type { Intent } from "../../view/intent.ts"
import type { PaletteEntry } from "../../view/palette-entry.ts"
import type { State } from "../../view/state.ts"
import type { KeyScope, PanelCommand } from "../common/panel.ts"

/** The keys and commands of all panels, seen from the place where the palette opens. */
export interface KnownKeys {
  readonly bindings: readonly TableBinding<State>[]
  readonly commands: { readonly [word: string]: PanelCommand }
  readonly state: State
  /** What works there. */
  readonly scope: KeyScope
  /** The places where a binding works, by its id. */
  readonly placeOf: (id: string) => string
}

/** Each digit does something else. */
const DIGIT = "press the digit"

/** The names of scopes that a person calls something else. */
const PLACES: { readonly [scope: string]: string } = {
  panes: "the panes",
  past: "a recording",
  "past-text": "a recording",
  "pane-text": "the text pane",
  pager: "a text",
  entry: "a log row",
  text: "a question",
  confirm: "a question",
  choice: "a question",
  line: "a text field",
  "agent-log": "the agent's log",
  rerun: "the re-run form",
}

/**
 * What works here comes first. Keys with one title are one row, which does what the first of them does that can: that
 * is found out when the row is chosen, since planning every key would make the palette as slow as the slowest of them.
 */
export function actionEntries(keys: KnownKeys, keysFirst: boolean): readonly PaletteEntry[] {
  const { scope, bindings, placeOf, state } = keys
  const byTitle = new Map<string, TableBinding<State>[]>()
  const inScope = new Map(scope.bindings.map(one => [one.id, one]))
  for (const one of bindings) {
    if (!isListed(one, keysFirst)) continue
    const known = byTitle.get(one.title)
    if (known === undefined) byTitle.set(one.title, [one])
    else known.push(one)
  }
  const entries = [...byTitle].flatMap(([title, all]): PaletteEntry[] => {
    const here = all.flatMap(one => inScope.get(one.id) ?? [])
    const able = here.filter(one => refusalHere(state, one) === null)
    const [first, ...others] = able.length > 0 ? able : here.length > 0 ? here : all
    if (first === undefined) return []
    const why = here.length > 0 ? refusalHere(state, first) : `in ${placeName(placeOf(first.id))}`
    const shown = here.length > 0 ? here : all.slice(0, 1)
    const entry = { id: first.id, title, words: wordsOf(all), key: keysText(shown), why, does: doneBy(first) }
    return [{ ...entry, kind: "action", sure: first.sure, ...(able.length > 1 && { else: others.map(doneBy) }) }]
  })
  // The footer's order, most useful first.
  const places = new Map(scope.bindings.map(({ id }, place) => [id, place]))
  entries.sort((a, b) => (places.get(a.id) ?? places.size) - (places.get(b.id) ?? places.size))
  const works = ({ why }: PaletteEntry) => why === null || why === DIGIT
  return [...entries.filter(works), ...commandEntries(keys), ...entries.filter(one => !works(one))]
}

function commandEntries({ commands }: KnownKeys): readonly PaletteEntry[] {
  return Object.entries(commands).map(([word, { title, words, sure }]) => ({
    id: `:${word}`,
    kind: "command",
    title,
    words: `${word} ${words}`,
    key: `:${word}`,
    why: null,
    does: { type: "time/goto", text: word },
    sure,
  }))
}

/** Digits and letters mean a different thing each. Keys that only move a cursor stand only where keys are asked for. */
function isListed({ id, keys, intent }: TableBinding<State>, keysFirst: boolean): boolean {
  if (id.startsWith("palette/") || id.startsWith("typing/") || keys.includes(LETTER)) return false
  if (keysFirst) return true
  const { type } = intent(1, keys[0] ?? "")
  return type !== "cursor/move" && !keys.includes("2")
}

/** What a person calls the place with these keys. */
export function placeName(scope: string): string {
  return PLACES[scope] ?? `the ${scope.replaceAll("-", " ")}`
}

function wordsOf(bindings: readonly TableBinding<State>[]): string {
  return [...new Set(bindings.flatMap(({ words = "" }) => words.split(" ")))].join(" ")
}

function refusalHere(state: State, { keys, refusal }: Binding<State>): string | null {
  return keys.includes("2") ? DIGIT : (refusal?.(state) ?? null)
}

function doneBy({ intent, keys }: Binding<State>): Intent {
  return intent(1, keys[0] ?? "")
}
