// The user's breakpoints as plain data, and the edits of their list.
import type { Filter } from "./filter/filter.ts"
import { print } from "./filter/print.ts"
import type { RowFilter } from "./filters.ts"

/** What a hit does: send `pause`, send `arm-llm-breakpoint`, or only log. */
export type Reaction = "pause" | "turn" | "log"

export interface Breakpoint extends RowFilter {
  readonly reaction: Reaction
  readonly hits: number
}

/** A hit that has not been handled yet. */
export interface BreakpointHit {
  readonly key: number
  readonly count: number
  /** The first few sessions that hit it; empty if the run did. */
  readonly sessions: readonly number[]
}

export interface Breakpoints {
  readonly list: readonly Breakpoint[]
  readonly nextKey: number
  readonly pending: readonly BreakpointHit[]
}

export const noBreakpoints: Breakpoints = { list: [], nextKey: 1, pending: [] }

const REACTIONS: readonly Reaction[] = ["pause", "turn", "log"]

/** Adds a breakpoint that is on and pauses. */
export function added(breakpoints: Breakpoints, filter: Filter): Breakpoints {
  const { list, nextKey: key } = breakpoints
  const made: Breakpoint = { key, filter, text: print(filter), on: true, reaction: "pause", hits: 0 }
  return { ...breakpoints, list: [...list, made], nextKey: key + 1 }
}

/** The list without this breakpoint. */
export function removed(breakpoints: Breakpoints, key: number): Breakpoints {
  const { list, pending } = breakpoints
  return { ...breakpoints, list: list.filter(one => one.key !== key), pending: pending.filter(one => one.key !== key) }
}

/** The list with this breakpoint on or off. */
export function toggled(breakpoints: Breakpoints, key: number): Breakpoints {
  return withEdit(breakpoints, key, one => ({ ...one, on: !one.on }))
}

/** Switches a breakpoint to its next reaction: pause, turn, log, pause. */
export function withNextReaction(breakpoints: Breakpoints, key: number): Breakpoints {
  return withEdit(breakpoints, key, one => {
    const at = (REACTIONS.indexOf(one.reaction) + 1) % REACTIONS.length
    return { ...one, reaction: REACTIONS[at] ?? "pause" }
  })
}

/** Clears all hits, for a run that is folded again. */
export function withoutHits(breakpoints: Breakpoints): Breakpoints {
  return { ...breakpoints, list: breakpoints.list.map(one => ({ ...one, hits: 0 })), pending: [] }
}

function withEdit(breakpoints: Breakpoints, key: number, edit: (one: Breakpoint) => Breakpoint): Breakpoints {
  return { ...breakpoints, list: breakpoints.list.map(one => (one.key === key ? edit(one) : one)) }
}
