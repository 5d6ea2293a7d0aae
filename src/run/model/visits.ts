// Tracks which chart states a run was in: how often, for how long, and the latest transition.
import type { EventBody } from "../../../packages/wire/src/event-body.ts"

/** A state that was seen, or named by a phase frame. Times are epoch ms. */
export interface SeenState {
  readonly id: string
  readonly visits: number
  /** When it was entered; null if it is inactive or the time is unknown. */
  readonly since: number | null
  readonly dwell: number
  /** The enclosing state, if a phase frame named it; null otherwise. */
  readonly parent: string | null
  /** A phase frame had it among the active states, which counts no visit: the event that enters it may come later. */
  readonly wasActive: boolean
}

function unseen(id: string): SeenState {
  return { id, visits: 0, since: null, dwell: 0, parent: null, wasActive: false }
}

export interface Transition {
  readonly event: string | null
  readonly exited: readonly string[]
  readonly entered: readonly string[]
  /** Epoch ms. */
  readonly ts: number | null
}

/** States entered together. `ts` is epoch ms and never decreases. */
export interface StateEntry {
  readonly ids: readonly string[]
  readonly ts: number
}

/** States are in the order they were first seen or named. */
export interface Visits {
  readonly states: readonly SeenState[]
  readonly active: readonly string[]
  readonly transition: Transition | null
}

export const noVisits: Visits = { states: [], active: [], transition: null }

/** The ids of the states that were ever active. */
export function activeStates({ states }: Visits): readonly string[] {
  return states.filter(({ visits, wasActive }) => visits > 0 || wasActive).map(({ id }) => id)
}

/** Applies an event: the states it exited and entered, then the states active after it. */
export function visitsAfterEvent(
  visits: Visits,
  { eventName, entered, exited, after }: EventBody<"runner/event-processed">,
  ts: number | null,
): Visits {
  const left = leave(visits, exited, ts)
  const moved = after === null ? enter(left, entered, ts) : visitsAfterConfig(enter(left, entered, ts), after, ts)
  if (entered.length === 0 && exited.length === 0) return moved
  return { ...moved, transition: { event: eventName, exited, entered, ts } }
}

/** Leaves states that are not in a config and enters those that are. Returns the same object if nothing changed. */
export function visitsAfterConfig(visits: Visits, config: readonly string[], ts: number | null): Visits {
  const left = visits.active.filter(state => !config.includes(state))
  const entered = config.filter(state => !visits.active.includes(state))
  return left.length + entered.length === 0 ? visits : enter(leave(visits, left, ts), entered, ts)
}

/** Notes the active states, and nests those of a breadcrumb; the frame may precede the event that enters them. */
export function withPhase(visits: Visits, { config, ...named }: NonNullable<Chart["phase"]>): Visits {
  const breadcrumb = named.breadcrumb ?? []
  const siblings = named.siblings ?? []
  const known = new Map(visits.states.map(state => [state.id, state]))
  // Reversed, so that the first place of a repeated state counts.
  const parents = new Map(breadcrumb.map((id, i) => [id, breadcrumb[i - 1] ?? null] as const).toReversed())
  const beside = siblings.filter(id => !parents.has(id))
  const parent = breadcrumb.at(-2) ?? siblings.map(id => known.get(id)?.parent ?? null).find(id => id !== null)
  if (parent !== undefined) for (const id of beside) if (id !== parent) parents.set(id, parent)
  const all = [...breadcrumb.slice(0, -1), ...siblings, ...breadcrumb, ...config]
  const unknown = [...new Set(all)].filter(id => !known.has(id)).map(unseen)
  const states = [...visits.states, ...unknown].map(state => {
    const inside = parents.get(state.id) ?? state.parent
    const wasActive = state.wasActive || config.includes(state.id)
    return state.parent === inside && state.wasActive === wasActive ? state : { ...state, parent: inside, wasActive }
  })
  const same = states.every((state, i) => state === visits.states[i])
  return same ? visits : { ...visits, states }
}

/** A state that is already active is left first, because it is entered again. */
function enter(visits: Visits, ids: readonly string[], ts: number | null): Visits {
  if (ids.length === 0) return visits
  const before = leave(visits, ids, ts)
  const states = [...before.states]
  for (const id of ids) {
    const place = states.findIndex(state => state.id === id)
    const known = states[place] ?? unseen(id)
    states[place < 0 ? states.length : place] = { ...known, visits: known.visits + 1, since: ts }
  }
  return { ...before, states, active: [...before.active, ...ids] }
}

function leave(visits: Visits, ids: readonly string[], ts: number | null): Visits {
  if (!ids.some(id => visits.active.includes(id))) return visits
  const states = visits.states.map(state => {
    if (!ids.includes(state.id)) return state
    const last = state.since === null || ts === null ? 0 : Math.max(0, ts - state.since)
    return { ...state, since: null, dwell: state.dwell + last }
  })
  return { ...visits, states, active: visits.active.filter(id => !ids.includes(id)) }
}

/** The run's position in its chart (docs/decisions.md 1.6). */
export interface Chart {
  readonly config: readonly string[]
  /** `ts` of the latest event with a config; a phase with an earlier `ts` is one that a new attachment repeated. */
  readonly configTs: number | null
  /** From the last phase frame; breadcrumb and siblings hold only while its config is the active one. */
  readonly phase: {
    readonly config: readonly string[]
    readonly breadcrumb: readonly string[] | null
    readonly siblings: readonly string[] | null
  } | null
  readonly finalConfig: readonly string[] | null
  readonly visits: Visits
  readonly chartId: string | null
  readonly sessionId: string | null
}

export const noChart: Chart = {
  config: [],
  configTs: null,
  phase: null,
  finalConfig: null,
  visits: noVisits,
  chartId: null,
  sessionId: null,
}

/** True for the same states in the same order. */
export function isSameConfig(a: readonly string[] | null, b: readonly string[] | null): boolean {
  return a?.length === b?.length && (a ?? []).every((state, i) => state === b?.[i])
}
