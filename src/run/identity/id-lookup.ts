import type { Invocation, Session } from "../model/session.ts"

interface Group {
  readonly invocation: number
  readonly sessions: Map<string, number>
}

/** Looks up the sessions of one epoch. It only grows. */
export class Lookup {
  readonly #groups = new Map<string | null, Group>()
  /** The session found last: each frame asks twice, and most sessions say several things in a row. */
  #lastInvokeid: string | null = null
  #lastId: string | null = null
  #lastIndex: number | null = null

  /** `size`: length of the session list it describes. */
  constructor(
    readonly epoch: number,
    public size: number,
  ) {}

  /** The index of a session; null if there is none. */
  session(invokeid: string | null, sessionId: string): number | null {
    if (sessionId === this.#lastId && invokeid === this.#lastInvokeid) return this.#lastIndex
    const index = this.#groups.get(invokeid)?.sessions.get(sessionId)
    if (index === undefined) return null
    this.#lastInvokeid = invokeid
    this.#lastId = sessionId
    this.#lastIndex = index
    return index
  }

  invocation(invokeid: string | null): number | null {
    return this.#groups.get(invokeid)?.invocation ?? null
  }

  add({ invokeid }: Pick<Invocation, "invokeid">, invocation: number, sessionId: string, index: number): void {
    const group = this.#groups.get(invokeid) ?? { invocation, sessions: new Map() }
    this.#groups.set(invokeid, group)
    group.sessions.set(sessionId, index)
    this.size = index + 1
  }
}

/** Caches lookups outside the run. A run shares its successors' lookup until it is continued a second time. */
const cache = new WeakMap<readonly Session[], Lookup>()

/** The lookup of these sessions; built anew only if none was kept. */
export function lookupFor(sessions: readonly Session[], invocations: readonly Invocation[], epoch: number): Lookup {
  const kept = cache.get(sessions)
  if (kept !== undefined && kept.size === sessions.length && kept.epoch === epoch) return kept
  const lookup = new Lookup(epoch, sessions.length)
  sessions.forEach((session, index) => {
    const invocation = invocations[session.invocation]
    if (session.epoch === epoch && invocation !== undefined) {
      lookup.add(invocation, session.invocation, session.sessionId, index)
    }
  })
  lookup.size = sessions.length
  return lookup
}

/** Keeps a lookup for the next fold onto these sessions. */
export function keepLookup(sessions: readonly Session[], lookup: Lookup): void {
  cache.set(sessions, lookup)
}
