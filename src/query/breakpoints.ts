// The conditions that a person set, as plain data, and what can be done to the list of them.

import type { Filter } from "./filter/filter.ts"
import { print } from "./filter/print.ts"
import type { ParseError } from "./filter/text-cursor.ts"

/** What a hit asks for: `pause`, `arm-llm-breakpoint`, or nothing. */
export type Reaction = "pause" | "turn" | "log"

export interface Breakpoint {
  /** Unique in the list. */
  readonly key: number
  readonly filter: Filter
  /** The filter in its canonical text, raw. */
  readonly text: string
  readonly on: boolean
  readonly reaction: Reaction
  /** How often it has come true. */
  readonly hits: number
}

/** What came true and was not told yet. */
export interface BreakpointHit {
  /** Of the breakpoint. */
  readonly key: number
  readonly count: number
  /** The first few sessions that it came true for; none where it was the run. */
  readonly sessions: readonly number[]
}

export interface Breakpoints {
  readonly list: readonly Breakpoint[]
  readonly nextKey: number
  readonly pending: readonly BreakpointHit[]
  /** The condition in the field, and where it is wrong; null while no field is open. */
  readonly typed: { readonly text: string; readonly error: ParseError | null } | null
}

export const noBreakpoints: Breakpoints = { list: [], nextKey: 1, pending: [], typed: null }

const REACTIONS: readonly Reaction[] = ["pause", "turn", "log"]

/** The list with one more at its end: on, and a hit pauses. The field closes. */
export function added(all: Breakpoints, filter: Filter): Breakpoints {
  const made: Breakpoint = { key: all.nextKey, filter, text: print(filter), on: true, reaction: "pause", hits: 0 }
  return { ...all, list: [...all.list, made], nextKey: all.nextKey + 1, typed: null }
}

/** The list without one; what it hit and was not told is forgotten. */
export function removed(all: Breakpoints, key: number): Breakpoints {
  return {
    ...all,
    list: all.list.filter(one => one.key !== key),
    pending: all.pending.filter(one => one.key !== key),
  }
}

export function toggled(all: Breakpoints, key: number): Breakpoints {
  return edited(all, key, one => ({ ...one, on: !one.on }))
}

/** The list in which one asks for the next thing: pause, turn, log only, pause. */
export function withNextReaction(all: Breakpoints, key: number): Breakpoints {
  return edited(all, key, one => {
    const at = (REACTIONS.indexOf(one.reaction) + 1) % REACTIONS.length
    return { ...one, reaction: REACTIONS[at] ?? "pause" }
  })
}

/** The list for a run that begins anew: the conditions stay, and nothing has hit. */
export function withoutHits(all: Breakpoints): Breakpoints {
  return { ...all, list: all.list.map(one => ({ ...one, hits: 0 })), pending: [] }
}

function edited(all: Breakpoints, key: number, edit: (one: Breakpoint) => Breakpoint): Breakpoints {
  return { ...all, list: all.list.map(one => (one.key === key ? edit(one) : one)) }
}
