import type { Invocation, Session } from "./session.ts"

interface Slot {
  readonly invocation: number
  readonly sessions: Map<string, number>
}

/** Finds the sessions of one epoch by the raw ids of a frame. */
export class Lookup {
  readonly epoch: number
  /** Length of the session list that it describes. */
  size: number
  private readonly slots = new Map<string | null, Slot>()

  constructor(epoch: number, size: number) {
    this.epoch = epoch
    this.size = size
  }

  session(invokeid: string | null, sessionId: string): number | null {
    return this.slots.get(invokeid)?.sessions.get(sessionId) ?? null
  }

  invocation(invokeid: string | null): number | null {
    return this.slots.get(invokeid)?.invocation ?? null
  }

  add(invokeid: string | null, invocation: number, sessionId: string, index: number): void {
    const slot = this.slots.get(invokeid)
    if (slot === undefined) this.slots.set(invokeid, { invocation, sessions: new Map([[sessionId, index]]) })
    else slot.sessions.set(sessionId, index)
    this.size = index + 1
  }
}

/**
 * A lookup only grows, so a run and its successors share one; it is a cache beside the run and no part of it. A run
 * that is continued a second time finds that the lookup has grown past it, and gets a new one.
 */
const cache = new WeakMap<readonly Session[], Lookup>()

export function lookupFor(sessions: readonly Session[], invocations: readonly Invocation[], epoch: number): Lookup {
  const known = cache.get(sessions)
  if (known !== undefined && known.size === sessions.length && known.epoch === epoch) return known
  const made = new Lookup(epoch, sessions.length)
  sessions.forEach((session, index) => {
    const invocation = invocations[session.invocation]
    if (session.epoch === epoch && invocation !== undefined) {
      made.add(invocation.invokeid, session.invocation, session.sessionId, index)
    }
  })
  made.size = sessions.length
  return made
}

export function keepLookup(sessions: readonly Session[], lookup: Lookup): void {
  cache.set(sessions, lookup)
}
