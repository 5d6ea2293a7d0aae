// The watch list as plain data: the user's conditions and the changes found for each.
import type { Filter } from "./filter/filter.ts"
import { print } from "./filter/print.ts"

export interface WatchChange {
  /** Number of the frame that made the change, from 1. */
  readonly frame: number
  /** Epoch and `seq` of that frame; the epoch counts from 0. */
  readonly epoch: number
  readonly seq: number | null
  /** The run's time after it, epoch ms. */
  readonly ts: number | null
  /** What the condition became. */
  readonly to: boolean
  /** The sessions; may be shown. */
  readonly words: string
}

export interface Watch {
  readonly key: number
  readonly filter: Filter
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

/** Adds a condition; returns the same list if it is watched already or the list is full. */
export function withWatch(all: Watches, filter: Filter): Watches {
  const text = print(filter)
  if (all.list.some(one => one.text === text) || all.list.length >= MOST_WATCHES) return all
  const made: Watch = { key: all.nextKey, filter, text, first: [], latest: [], count: 0 }
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
