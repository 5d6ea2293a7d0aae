// The watch list as plain data: what a person watches, and each change of it with its frame.

import { type Filter, KEYS, type Key } from "./filter/filter.ts"
import { parse } from "./filter/parse.ts"
import { print } from "./filter/print.ts"
import type { ParseError } from "./filter/text-cursor.ts"

/** A condition that comes true and stops being true, or a key whose value changes. */
export type Watched =
  | { readonly type: "condition"; readonly filter: Filter }
  | { readonly type: "value"; readonly key: ValueKey }

/** Keys whose value can be watched: the others never change, or with every frame. */
export type ValueKey = (typeof VALUES)[number]
export const VALUES = ["state", "reason", "model", "tool", "turn", "tokens"] as const satisfies readonly Key[]

export interface WatchChange {
  /** Number of the frame that made it, counted from 1. */
  readonly frame: number
  /** Of that frame, where it has them; the epoch counts from 0. */
  readonly epoch: number
  readonly seq: number | null
  /** The run's time after it, epoch ms. */
  readonly ts: number | null
  /** What became of it: true, false, or another value. */
  readonly to: "true" | "false" | "value"
  /** For whom, or from which value to which; may be shown. */
  readonly words: string
}

export interface Watch {
  /** Unique in the list. */
  readonly key: number
  readonly watched: Watched
  /** In its canonical text, raw. */
  readonly text: string
  /** The first changes and the latest ones: at most `ENDS` each. What lies between is only counted. */
  readonly first: readonly WatchChange[]
  readonly latest: readonly WatchChange[]
  readonly count: number
}

export interface Watches {
  readonly list: readonly Watch[]
  readonly nextKey: number
  /** How often the run was told anew: what was found in an earlier telling is not of this one. */
  readonly generation: number
  /** How much of the run was looked through, from 0 to 1. */
  readonly read: number
}

export const noWatches: Watches = { list: [], nextKey: 1, generation: 0, read: 1 }

/** Changes that are kept from either end of a watch, and watches in the list. */
export const ENDS = 500
export const MOST_WATCHES = 32

/** What a person typed to watch: a condition, or the name of a key; else what is wrong with it. */
export function readWatched(text: string): Watched | { readonly error: ParseError } {
  const name = text.trim()
  const wrong = (message: string) => ({ error: { at: text.indexOf(name), length: name.length, message } })
  if (name === "") return wrong(`a condition, or one of: ${VALUES.join(", ")}`)
  const key = VALUES.find(one => one === name)
  if (key !== undefined) return { type: "value", key }
  if (KEYS.some(one => one === name)) return wrong(`a value that can be watched is one of: ${VALUES.join(", ")}`)
  const parsed = parse(text)
  return "error" in parsed ? parsed : { type: "condition", filter: parsed.filter }
}

/** The list with one more at its end; the same list where it is watched already. */
export function withWatch(all: Watches, watched: Watched): Watches {
  const text = watched.type === "value" ? watched.key : print(watched.filter)
  if (all.list.some(one => one.text === text) || all.list.length >= MOST_WATCHES) return all
  const made: Watch = { key: all.nextKey, watched, text, first: [], latest: [], count: 0 }
  return { ...all, list: [...all.list, made], nextKey: all.nextKey + 1, read: 0 }
}

export function withoutWatch(all: Watches, key: number): Watches {
  return { ...all, list: all.list.filter(one => one.key !== key) }
}

/** The list with what was found since, in the order of the run; `found` is by the key of its watch. */
export function withChanges(all: Watches, found: ReadonlyMap<number, readonly WatchChange[]>, read: number): Watches {
  if (found.size === 0) return read === all.read ? all : { ...all, read }
  const list = all.list.map(one => {
    const more = found.get(one.key)
    if (more === undefined) return one
    const room = ENDS - one.first.length
    const latest = [...one.latest, ...more.slice(room)].slice(-ENDS)
    return { ...one, first: [...one.first, ...more.slice(0, room)], latest, count: one.count + more.length }
  })
  return { ...all, list, read }
}

/** The list for a run that is told anew: all of it is looked for again. */
export function withoutChanges(all: Watches): Watches {
  if (all.list.length === 0) return all
  const list = all.list.map(one => ({ ...one, first: [], latest: [], count: 0 }))
  return { ...all, list, generation: all.generation + 1, read: 0 }
}

/** One row of the list as it is shown: a watch itself, one of its changes, or those between that are only counted. */
export interface WatchRow {
  readonly watch: Watch
  readonly change: WatchChange | null
  readonly left: number
}

/** Rows that the list has. */
export function watchLength({ list }: Watches): number {
  return list.reduce((sum, one) => sum + rowsOf(one), 0)
}

/** The row at an index; null where there is none. */
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
  return 1 + watch.first.length + watch.latest.length + (leftOf(watch) > 0 ? 1 : 0)
}

function rowOf(watch: Watch, row: number): WatchRow {
  const left = leftOf(watch)
  if (row === 0) return { watch, change: null, left: 0 }
  const index = row - 1
  if (index < watch.first.length) return { watch, change: watch.first[index] ?? null, left: 0 }
  const behind = index - watch.first.length
  if (left === 0) return { watch, change: watch.latest[behind] ?? null, left }
  return behind === 0 ? { watch, change: null, left } : { watch, change: watch.latest[behind - 1] ?? null, left: 0 }
}

function leftOf({ first, latest, count }: Watch): number {
  return count - first.length - latest.length
}
