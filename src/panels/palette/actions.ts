// Makes the rows of the palette for what keys and commands do.
import { type Binding, GROUPS, LETTER, type Stroke, type TableBinding } from "../../keys/binding.ts"
import { intentOf } from "../../keys/dispatch.ts"
import { keysText } from "../../keys/key-text.ts"
import type { State } from "../../view/state.ts"
import type { KeyScope, PanelCommand } from "../common/panel.ts"
import type { PaletteEntry } from "./palette-entry.ts"

/** The keys and commands of all panels, seen from the place where the palette opens. */
export interface KnownKeys {
  readonly bindings: readonly TableBinding<State>[]
  readonly commands: { readonly [word: string]: PanelCommand }
  readonly state: State
  readonly scope: KeyScope
  /** The places where a binding works, by its id. */
  readonly placeOf: (id: string) => string
}

/** Each digit does something else. */
const DIGIT = "press the digit"

/** The names of scopes that a person calls something else. */
const PLACES: { readonly [scope: string]: string } = {
  home: "the list of runs",
  panes: "the panes",
  past: "a recording",
  "past-text": "a recording",
  "pane-text": "the text pane",
  "pane-alone": "the text pane",
  pager: "a text",
  entry: "a log row",
  text: "a question",
  confirm: "a question",
  choice: "a question",
  line: "a text field",
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
    const [first, ...others]: readonly Binding<State>[] = able.length > 0 ? able : here.length > 0 ? here : all
    if (first === undefined) return []
    const why = here.length > 0 ? refusalHere(state, first) : `only in ${placeName(placeOf(first.id))}`
    const shown = here.length > 0 ? here : all.slice(0, 1)
    const entry = {
      id: first.id,
      title,
      words: [...new Set(all.flatMap(({ words = "" }) => words.split(" ")))].join(" "),
      key: keysText(shown.map(shortKeys)),
      why,
      does: intentOf(first),
    }
    const page = keysFirst ? { page: pageRow({ ...first, group: all[0]?.group ?? "Program" }, able) } : {}
    return [
      {
        ...entry,
        ...page,
        kind: "action",
        sure: first.sure,
        ...(able.length > 1 && { else: others.map(other => intentOf(other)) }),
      },
    ]
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
function isListed(one: TableBinding<State>, keysFirst: boolean): boolean {
  const { id, keys } = one
  if (
    (id.startsWith("palette/") && !(keysFirst && id === "palette/open")) ||
    id.startsWith("typing/") ||
    keys.includes(LETTER)
  )
    return false
  if (keysFirst) return true
  return intentOf(one).type !== "cursor/move" && !keys.includes("2")
}

/** Keys that are known from elsewhere, and have another beside them. */
const SYNONYMS: readonly Stroke[] = [
  "up",
  "down",
  "left",
  "right",
  "home",
  "shift-tab",
  "ctrl-d",
  "ctrl-u",
  "ctrl-p",
  "ctrl-g",
  "ctrl-l",
]

/** Rows of the short page of keys that name several actions; other actions have their title. */
const SHORT: { readonly [words: string]: readonly string[] } = {
  move: ["cursor/down", "cursor/up"],
  "a page down, up": ["cursor/page-down", "cursor/page-up"],
  "to the first, last row": ["cursor/first", "cursor/last"],
  "follow the end, back to now": ["cursor/follow"],
  "fold, unfold, all": ["cursor/fold", "cursor/unfold", "cursor/fold-all"],
  "find here: next, previous": ["find/begin", "find/next", "find/previous"],
  "filter the log, search everything": ["filters/toggle", "search/begin"],
  "then w warning, u question, s state, t turn": ["warning", "prompt", "state", "turn"].flatMap(kind => [
    `log/next-${kind}`,
    `log/previous-${kind}`,
  ]),
  "bookmark, pin, compare turns": ["bookmarks/mark", "live/pin", "transcript/compare"],
  "a frame back, on from the cursor": ["time/back", "time/forward"],
  "play, slower, faster": ["time/play", "time/slower", "time/faster"],
  "needs you, bookmarks, conditions": ["alerts/next", "bookmarks/toggle", "conditions/toggle"],
  "the list: time, cost (again: now)": ["waterfall/toggle", "ledger/toggle"],
  "why, context, data (again: text)": ["why/open", "context/toggle", "data/toggle"],
  "next place, its whole screen": ["pane/next", "pane/previous", "pane/maximize"],
  "close, or go back": ["front/close", "front/quit"],
  "copy, export, open outside, record": ["copy/open", "export/open", "copy/pager", "program/record"],
  "commands, all keys": ["palette/open", "help/toggle"],
  "quit, suspend": ["program/quit", "program/suspend"],
}

function pageRow(
  { id, group, title }: TableBinding<State>,
  able: readonly Binding<State>[],
): NonNullable<PaletteEntry["page"]> {
  const named = able.map(one => ({
    ...one,
    keys: [...new Set(one.keys.map(key => key.split(" ")[0] ?? ""))].filter(key => !SYNONYMS.includes(key)),
  }))
  const key = keysText(named.map(one => ({ keys: one.keys.slice(0, 1) })))
  const [words = title, ids = []] = Object.entries(SHORT).find(([, ids]) => ids.includes(id)) ?? []
  return { group, title: words, key, place: ids.indexOf(id) }
}

/** The short page of keys, by group. Bindings with the same words share a row, keys in the order of the words. */
export function shortPage(entries: readonly PaletteEntry[]): readonly PaletteEntry[] {
  const paged = entries.flatMap(one => (one.page === undefined || one.page.key === "" ? [] : [{ one, page: one.page }]))
  const rows = Map.groupBy(paged, ({ page }) => page.title)
  const groups: readonly string[] = GROUPS
  return [...rows]
    .flatMap(([title, all]) => {
      const inOrder = all.toSorted((a, b) => a.page.place - b.page.place)
      const keys = new Set(inOrder.flatMap(({ page }) => page.key.split(" ")))
      return all.slice(0, 1).map(({ one }) => ({ ...one, title, key: [...keys].join(" ") }))
    })
    .sort((a, b) => groups.indexOf(a.page?.group ?? "") - groups.indexOf(b.page?.group ?? ""))
}

/** A key of one press is shown rather than one of two. */
function shortKeys(one: TableBinding<State> | Binding<State>): Pick<Binding<State>, "keys" | "counts"> {
  const short = one.keys.filter(key => !key.includes(" "))
  return short.length === 0 ? one : { ...one, keys: short }
}

/** What a person calls the place with these keys. */
export function placeName(scope: string): string {
  return PLACES[scope] ?? `the ${scope.replaceAll("-", " ")}`
}

function refusalHere(state: State, { keys, refusal }: Binding<State>): string | null {
  return keys.includes("2") ? DIGIT : (refusal?.(state) ?? null)
}
