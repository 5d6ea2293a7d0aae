import type { Invocation, Session } from "../model/session.ts"
import { hashIds } from "./fingerprint.ts"

/** Who has a session id, and what a fingerprint has of the two. Hardly ever do two invokeids share one. */
export interface SessionOwner {
  readonly invokeid: string | null
  readonly index: number
  readonly print: number
  /** Those of the same id under other invokeids. */
  others: Map<string | null, SessionOwner> | null
}

/** Finds the sessions of one epoch by the raw ids of a frame. */
export class Lookup {
  readonly epoch: number
  /** Length of the session list that it describes. */
  size: number
  private readonly owners = new Map<string, SessionOwner>()
  private readonly invocations = new Map<string | null, number>()
  /** What was asked for last: a frame asks twice, and each look hashes the whole id. */
  private asked: string | null = null
  private found: SessionOwner | undefined

  constructor(epoch: number, size: number) {
    this.epoch = epoch
    this.size = size
  }

  /** The session of these ids. */
  owner(invokeid: string | null, sessionId: string): SessionOwner | undefined {
    if (sessionId !== this.asked) {
      this.found = this.owners.get(sessionId)
      this.asked = sessionId
    }
    return this.found?.invokeid === invokeid ? this.found : this.found?.others?.get(invokeid)
  }

  invocation(invokeid: string | null): number | null {
    return this.invocations.get(invokeid) ?? null
  }

  /** `printIds` of these ids. */
  print(invokeid: string | null, sessionId: string | null): number {
    const owner = sessionId === null ? undefined : this.owner(invokeid, sessionId)
    return owner?.print ?? hashIds(invokeid, sessionId)
  }

  add(invokeid: string | null, invocation: number, sessionId: string, index: number): void {
    this.invocations.set(invokeid, invocation)
    const made = { invokeid, index, print: hashIds(invokeid, sessionId), others: null }
    const owner = this.owners.get(sessionId)
    if (owner === undefined) this.owners.set(sessionId, made)
    else {
      owner.others ??= new Map()
      owner.others.set(invokeid, made)
    }
    this.asked = null
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
