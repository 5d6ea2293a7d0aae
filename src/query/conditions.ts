// The conditions that a person watches, as plain data: what each does when it becomes true, and the changes found.
import { derived } from "../run/model/derived.ts"
import type { FindingPlace } from "../run/model/finding.ts"
import type { Filter } from "./filter/filter.ts"
import { type Parsed, parse } from "./filter/parse.ts"
import { print } from "./filter/print.ts"

/** What a hit does: send `pause`, send `arm-llm-breakpoint`, only log; `watch` only lists the changes. */
export type Reaction = (typeof REACTIONS)[number]
const REACTIONS = ["pause", "turn", "log", "watch"] as const

/** At the frame that made it, and the run's time after that. */
export interface ConditionChange extends Omit<FindingPlace, "line"> {
  /** Whether it is true from here on. */
  readonly to: boolean
  /** The sessions; may be shown. */
  readonly words: string
}

export interface Condition {
  readonly key: number
  readonly filter: Filter
  /** The canonical text, raw. */
  readonly text: string
  readonly on: boolean
  readonly reaction: Reaction
  readonly hits: number
  /** The whole run is searched for its changes, which are listed below it. */
  readonly open: boolean
  /** The first and the latest changes, at most `ENDS` each. Those in between are only counted. */
  readonly first: readonly ConditionChange[]
  readonly latest: readonly ConditionChange[]
  readonly count: number
}

/** A hit that has not been handled yet. */
export interface ConditionHit {
  readonly key: number
  readonly count: number
  /** The first few sessions that hit it; empty if the run did. */
  readonly sessions: readonly number[]
}

export interface Conditions {
  readonly list: readonly Condition[]
  readonly nextKey: number
  readonly pending: readonly ConditionHit[]
  /** How often the run was folded again; changes found in an earlier generation are obsolete. */
  readonly generation: number
  /** The fraction of the run that was searched, 0 to 1. */
  readonly read: number
}

export const noConditions: Conditions = { list: [], nextKey: 1, pending: [], generation: 0, read: 1 }

/** Changes kept at either end of a condition, and the maximum number of conditions. */
export const ENDS = 500
export const MOST_CONDITIONS = 32

/** Parses a condition. An empty text is an error: as a filter it would match everything. */
export function readCondition(text: string): Parsed {
  return text.trim() === "" ? { error: { at: 0, length: 0, message: "expected a condition" } } : parse(text)
}

/** Adds a condition, or gives the one with its text this reaction; returns the same list if it is full. */
export function withCondition(all: Conditions, filter: Filter, reaction: Reaction): Conditions {
  const text = print(filter)
  const known = all.list.find(one => one.text === text)
  if (known !== undefined && reaction === "watch") return opened(all, known.key)
  if (known !== undefined) return edited(all, known.key, () => ({ on: true, reaction }))
  if (all.list.length >= MOST_CONDITIONS) return all
  const open = reaction === "watch"
  const made = { key: all.nextKey, filter, text, on: true, hits: 0, reaction, open, first: [], latest: [], count: 0 }
  return { ...all, list: [...all.list, made], nextKey: all.nextKey + 1, read: open ? 0 : all.read }
}

/** A list with a breakpoint for this filter alone, which pauses. */
export function onlyBreakpoint(filter: Filter): Conditions {
  return withCondition(noConditions, filter, "pause")
}

/** The list without this condition. */
export function withoutCondition(all: Conditions, key: number): Conditions {
  const isOther = (one: { readonly key: number }): boolean => one.key !== key
  return { ...all, list: all.list.filter(isOther), pending: all.pending.filter(isOther) }
}

/** The list with this condition on or off. */
export function toggled(all: Conditions, key: number): Conditions {
  return edited(all, key, ({ on }) => ({ on: !on }))
}

/** The list with the changes of this condition searched for and listed. */
export function opened(all: Conditions, key: number): Conditions {
  const isOpen = all.list.some(one => one.key === key && one.open)
  return isOpen ? all : { ...edited(all, key, () => ({ open: true })), read: 0 }
}

/** Switches a condition to its next reaction: pause, turn, log, watch, pause. */
export function withNextReaction(all: Conditions, key: number): Conditions {
  return edited(all, key, ({ reaction }) => ({
    reaction: REACTIONS[(REACTIONS.indexOf(reaction) + 1) % REACTIONS.length] ?? "pause",
  }))
}

function edited(all: Conditions, key: number, edit: (one: Condition) => Partial<Condition>): Conditions {
  return { ...all, list: all.list.map(one => (one.key === key ? { ...one, ...edit(one) } : one)) }
}

/** Adds changes, in the order of the run; `found` is by the condition's key. */
export function withChanges(
  all: Conditions,
  found: ReadonlyMap<number, readonly ConditionChange[]>,
  read: number,
): Conditions {
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

/** Clears all changes and pending hits, for a run that is folded again. */
export function withoutChanges(all: Conditions): Conditions {
  if (all.list.length === 0) return all
  const list = all.list.map(one => ({ ...one, first: [], latest: [], count: 0 }))
  return { ...all, list, pending: [], generation: all.generation + 1, read: list.some(({ open }) => open) ? 0 : 1 }
}

/** Clears the hits too, for a run that begins again. */
export function withoutHits(all: Conditions): Conditions {
  return { ...all, list: all.list.map(one => ({ ...one, hits: 0 })) }
}

/** One row of the list on screen: a condition, one of its changes, or the changes in between that are only counted. */
export interface ConditionRow {
  readonly condition: Condition
  readonly change: ConditionChange | null
  readonly hidden: number
}

const listed = derived<readonly ConditionRow[]>()

/** The rows of the list on screen: each condition, and below it its changes. */
export function conditionRows({ list }: Pick<Conditions, "list">): readonly ConditionRow[] {
  return listed([list], () => list.flatMap(rowsOf))
}

function rowsOf(condition: Condition): readonly ConditionRow[] {
  const { first, latest, count } = condition
  const hidden = count - first.length - latest.length
  const ofChange = (change: ConditionChange) => ({ condition, change, hidden: 0 })
  const between = hidden > 0 ? [{ condition, change: null, hidden }] : []
  return [{ condition, change: null, hidden: 0 }, ...first.map(ofChange), ...between, ...latest.map(ofChange)]
}
