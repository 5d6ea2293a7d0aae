import type { Invocation, Session } from "./session.ts"

/** Who has a session id. Hardly ever do two invokeids share one. */
interface Owner {
  readonly invokeid: string | null
  readonly index: number
  /** The sessions of the same id under other invokeids. */
  others: Map<string | null, number> | null
}

/** Finds the sessions of one epoch by the raw ids of a frame: most times by one look. */
export class Lookup {
  readonly epoch: number
  /** Length of the session list that it describes. */
  size: number
  private readonly owners = new Map<string, Owner>()
  private readonly invocations = new Map<string | null, number>()

  constructor(epoch: number, size: number) {
    this.epoch = epoch
    this.size = size
  }

  session(invokeid: string | null, sessionId: string): number | null {
    const owner = this.owners.get(sessionId)
    if (owner === undefined) return null
    if (owner.invokeid === invokeid) return owner.index
    return owner.others?.get(invokeid) ?? null
  }

  invocation(invokeid: string | null): number | null {
    return this.invocations.get(invokeid) ?? null
  }

  add(invokeid: string | null, invocation: number, sessionId: string, index: number): void {
    this.invocations.set(invokeid, invocation)
    const owner = this.owners.get(sessionId)
    if (owner === undefined) this.owners.set(sessionId, { invokeid, index, others: null })
    else {
      owner.others ??= new Map()
      owner.others.set(invokeid, index)
    }
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
