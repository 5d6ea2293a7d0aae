import type { Run } from "../model/run.ts"
import type { Invocation } from "../model/session.ts"

export type Owners = Pick<Run, "sessions" | "invocations" | "disk">

interface Group {
  readonly invocation: number
  readonly sessions: Map<string, number>
}

/** Finds the sessions of a run by their raw ids. It only grows. */
export class Lookup {
  /** By epoch, then by invokeid. */
  readonly #epochs: Map<string | null, Group>[] = []
  #epoch = -1
  /** The session found last: each frame asks twice, and most sessions say several things in a row. */
  #lastInvokeid: string | null = null
  #lastId: string | null = null
  #lastIndex: number | null = null
  /** The number of sessions that it has. */
  size = 0

  /** Finds the sessions of this epoch from now on. */
  at(epoch: number): Lookup {
    if (epoch !== this.#epoch) this.#lastId = null
    this.#epoch = epoch
    return this
  }

  /** The index of a session; null if there is none. */
  session(invokeid: string | null, sessionId: string): number | null {
    if (sessionId === this.#lastId && invokeid === this.#lastInvokeid) return this.#lastIndex
    const index = this.group(this.#epoch, invokeid)?.sessions.get(sessionId)
    if (index === undefined) return null
    this.#lastInvokeid = invokeid
    this.#lastId = sessionId
    this.#lastIndex = index
    return index
  }

  invocation(invokeid: string | null): number | null {
    return this.group(this.#epoch, invokeid)?.invocation ?? null
  }

  group(epoch: number, invokeid: string | null): Group | undefined {
    return this.#epochs[epoch]?.get(invokeid)
  }

  add({ epoch, invokeid }: Invocation, invocation: number, sessionId: string, index: number): void {
    this.#epochs[epoch] ??= new Map()
    const group = this.group(epoch, invokeid) ?? { invocation, sessions: new Map() }
    this.#epochs[epoch].set(invokeid, group)
    group.sessions.set(sessionId, index)
    this.size = index + 1
  }
}

/** Caches lookups outside the run. A run shares its successors' lookup until it is continued a second time. */
const cache = new WeakMap<Run["invocations"], Lookup>()

/** The lookup of a run, to which its successor may add; with `isShared`, it may have sessions of a successor too. */
export function lookupOf(run: Owners, isShared = false): Lookup {
  const kept = cache.get(run.invocations)
  if (kept !== undefined && (isShared || kept.size === run.sessions.length)) return kept
  const lookup = new Lookup()
  for (const [index, { invocation, sessionId }] of run.sessions.entries()) {
    const group = run.invocations[invocation]
    if (group !== undefined) lookup.add(group, invocation, sessionId, index)
  }
  keepLookup(run, lookup)
  return lookup
}

/** Keeps a lookup for this run, and for the next fold onto it. */
export function keepLookup({ invocations }: Owners, lookup: Lookup): void {
  cache.set(invocations, lookup)
}
