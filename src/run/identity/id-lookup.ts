// Finds sessions and invocations of one epoch by the raw ids in a frame.
import type { Invocation, Session } from "../model/session.ts"
import { hashIds } from "./fingerprint.ts"

/** The owner of a session id, and the hash of its ids. Two invokeids rarely share a session id. */
export interface SessionOwner {
  readonly invokeid: string | null
  readonly index: number
  readonly hash: number
  /** Sessions with the same id under other invokeids. */
  others: Map<string | null, SessionOwner> | null
}

/** Looks up the sessions of one epoch. It only grows. */
export class Lookup {
  private readonly owners = new Map<string, SessionOwner>()
  private readonly invocations = new Map<string | null, number>()
  /** The latest query and its result: each frame asks twice, and each lookup hashes the whole id. */
  private lastQuery: string | null = null
  private lastResult: SessionOwner | undefined

  /** `size`: length of the session list it describes. */
  constructor(
    readonly epoch: number,
    public size: number,
  ) {}

  owner(invokeid: string | null, sessionId: string): SessionOwner | undefined {
    if (sessionId !== this.lastQuery) {
      this.lastResult = this.owners.get(sessionId)
      this.lastQuery = sessionId
    }
    return this.lastResult?.invokeid === invokeid ? this.lastResult : this.lastResult?.others?.get(invokeid)
  }

  invocation(invokeid: string | null): number | null {
    return this.invocations.get(invokeid) ?? null
  }

  hash(invokeid: string | null, sessionId: string | null): number {
    const owner = sessionId === null ? undefined : this.owner(invokeid, sessionId)
    return owner?.hash ?? hashIds(invokeid, sessionId)
  }

  add(invokeid: string | null, invocation: number, sessionId: string, index: number): void {
    this.invocations.set(invokeid, invocation)
    const made = { invokeid, index, hash: hashIds(invokeid, sessionId), others: null }
    const owner = this.owners.get(sessionId)
    if (owner === undefined) this.owners.set(sessionId, made)
    else {
      owner.others ??= new Map()
      owner.others.set(invokeid, made)
    }
    this.lastQuery = null
    this.size = index + 1
  }
}

/** Caches lookups outside the run. A run shares its successors' lookup until it is continued a second time. */
const cache = new WeakMap<readonly Session[], Lookup>()

/** The lookup of these sessions; built anew only if none was kept. */
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

/** Keeps a lookup for the next fold onto these sessions. */
export function keepLookup(sessions: readonly Session[], lookup: Lookup): void {
  cache.set(sessions, lookup)
}
