// The watch list as plain data: the user's watches and the changes found for each.
import { type Filter, KEYS, type Key } from "./filter/filter.ts"
import { parse } from "./filter/parse.ts"
import { print } from "./filter/print.ts"
import type { ParseError } from "./filter/text-cursor.ts"

/** A condition that starts and stops being true, or a key whose value changes. */
export type Watched =
  | { readonly type: "condition"; readonly filter: Filter }
  | { readonly type: "value"; readonly key: ValueKey }

/** Keys whose value can be watched. The others never change, or change with every frame. */
export type ValueKey = (typeof VALUES)[number]
export const VALUES = ["state", "reason", "model", "tool", "turn", "tokens"] as const satisfies readonly Key[]

export interface WatchChange {
  /** Number of the frame that made the change, from 1. */
  readonly frame: number
  /** Epoch and `seq` of that frame; the epoch counts from 0. */
  readonly epoch: number
  readonly seq: number | null
  /** The run's time after it, epoch ms. */
  readonly ts: number | null
  /** The new value: true, false, or another value. */
  readonly to: "true" | "false" | "value"
  /** The sessions, or the old and the new value; may be shown. */
  readonly words: string
}

export interface Watch {
  readonly key: number
  readonly watched: Watched
  /** The canonical text, raw. */
  readonly text: string
  /** The first and the latest changes, at most `ENDS` each. Those in between are only counted. */
  readonly first: readonly WatchChange[]
  readonly latest: readonly WatchChange[]
  readonly count: number
}

export interface Watches {
  readonly list: readonly Watch[]
  readonly nextKey: number
  /** How often the run was folded again; changes found in an earlier generation are obsolete. */
  readonly generation: number
  /** The fraction of the run that was searched, 0 to 1. */
  readonly read: number
}

export const noWatches: Watches = { list: [], nextKey: 1, generation: 0, read: 1 }

/** Changes kept at either end of a watch, and the maximum number of watches. */
export const ENDS = 500
export const MOST_WATCHES = 32

/** Parses what a user typed to watch: a condition or the name of a key; else returns the error. */
export function readWatched(text: string): Watched | { readonly error: ParseError } {
  const name = text.trim()
  const expected = `expected a condition, or one of ${VALUES.join(", ")}`
  const wrong = (message: string) => ({ error: { at: text.indexOf(name), length: name.length, message } })
  if (name === "") return wrong(expected)
  const key = VALUES.find(one => one === name)
  if (key !== undefined) return { type: "value", key }
  if (KEYS.some(one => one === name)) return wrong(expected)
  const parsed = parse(text)
  return "error" in parsed ? parsed : { type: "condition", filter: parsed.filter }
}

/** Adds a watch; returns the same list if it is watched already or the list is full. */
export function withWatch(all: Watches, watched: Watched): Watches {
  const text = watched.type === "value" ? watched.key : print(watched.filter)
  if (all.list.some(one => one.text === text) || all.list.length >= MOST_WATCHES) return all
  const made: Watch = { key: all.nextKey, watched, text, first: [], latest: [], count: 0 }
  return { ...all, list: [...all.list, made], nextKey: all.nextKey + 1, read: 0 }
}

/** The watches without this one. */
export function withoutWatch(all: Watches, key: number): Watches {
  return { ...all, list: all.list.filter(one => one.key !== key) }
}

/** Adds changes, in the order of the run; `found` is by watch key. */
export function withChanges(all: Watches, found: ReadonlyMap<number, readonly WatchChange[]>, read: number): Watches {
  if (found.size === 0) return read === all.read ? all : { ...all, read }
  const list = all.list.map(one => {
    const more = found.get(one.key)
    if (more === undefined) return one
    const space = ENDS - one.first.length
    const latest = [...one.latest, ...more.slice(space)].slice(-ENDS)
    return { ...one, first: [...one.first, ...more.slice(0, space)], latest, count: one.count + more.length }
  })
  return { ...all, list, read }
}

/** Clears all changes, for a run that is folded again. */
export function withoutChanges(all: Watches): Watches {
  if (all.list.length === 0) return all
  const list = all.list.map(one => ({ ...one, first: [], latest: [], count: 0 }))
  return { ...all, list, generation: all.generation + 1, read: 0 }
}

/** One row of the list on screen: a watch, one of its changes, or the changes in between that are only counted. */
export interface WatchRow {
  readonly watch: Watch
  readonly change: WatchChange | null
  readonly hidden: number
}

/** The number of rows that the list of watches has. */
export function watchLength({ list }: Watches): number {
  return list.reduce((sum, one) => sum + rowsOf(one), 0)
}

/** The row at an index; null if there is none. */
export function watchRow({ list }: Watches, index: number): WatchRow | null {
  let from = index
  for (const watch of list) {
    const rows = rowsOf(watch)
    if (from < rows) return rowOf(watch, from)
    from -= rows
  }
  return null
}

function rowsOf(watch: Watch): number {
  return 1 + watch.first.length + watch.latest.length + (hiddenCount(watch) > 0 ? 1 : 0)
}

function rowOf(watch: Watch, row: number): WatchRow {
  const { first, latest } = watch
  const hidden = hiddenCount(watch)
  const beyond = row - 1 - first.length
  if (hidden > 0 && beyond === 0) return { watch, change: null, hidden }
  return { watch, change: first[row - 1] ?? latest[hidden > 0 ? beyond - 1 : beyond] ?? null, hidden: 0 }
}

function hiddenCount({ first, latest, count }: Watch): number {
  return count - first.length - latest.length
}
