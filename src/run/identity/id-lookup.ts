// Finds sessions and invocations of one epoch by the raw ids in a frame.
import type { Invocation, Session } from "../model/session.ts"
import { hashIds } from "./fingerprint.ts"

/** Looks up the sessions of one epoch. It only grows. */
export class Lookup {
  /** The first session with an id. Two invokeids rarely share one, so the others are kept apart. */
  private readonly first = new Map<string, number>()
  private readonly others = new Map<string, Map<string | null, number>>()
  private readonly invocations = new Map<string | null, number>()
  /** By index of the session: its invokeid, the same string for all of an invocation, and the hash of its ids. */
  private readonly invokeids: (string | null)[] = []
  private readonly hashes: number[] = []
  /** The latest query and its result: each frame asks twice, and each lookup hashes the whole id. */
  private lastQuery: string | null = null
  private lastResult: number | undefined

  /** `size`: length of the session list it describes. */
  constructor(
    readonly epoch: number,
    public size: number,
  ) {}

  /** The index of a session; null if there is none. */
  session(invokeid: string | null, sessionId: string): number | null {
    if (sessionId !== this.lastQuery) {
      this.lastResult = this.first.get(sessionId)
      this.lastQuery = sessionId
    }
    const found = this.lastResult
    if (found === undefined) return null
    return this.invokeids[found] === invokeid ? found : (this.others.get(sessionId)?.get(invokeid) ?? null)
  }

  invocation(invokeid: string | null): number | null {
    return this.invocations.get(invokeid) ?? null
  }

  hash(invokeid: string | null, sessionId: string | null): number {
    const index = sessionId === null ? null : this.session(invokeid, sessionId)
    return (index === null ? undefined : this.hashes[index]) ?? hashIds(invokeid, sessionId)
  }

  add({ invokeid }: Pick<Invocation, "invokeid">, invocation: number, sessionId: string, index: number): void {
    this.invocations.set(invokeid, invocation)
    this.invokeids[index] = invokeid
    this.hashes[index] = hashIds(invokeid, sessionId)
    if (!this.first.has(sessionId)) this.first.set(sessionId, index)
    else {
      const others = this.others.get(sessionId) ?? new Map<string | null, number>()
      this.others.set(sessionId, others.set(invokeid, index))
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
      made.add(invocation, session.invocation, session.sessionId, index)
    }
  })
  made.size = sessions.length
  return made
}

/** Keeps a lookup for the next fold onto these sessions. */
export function keepLookup(sessions: readonly Session[], lookup: Lookup): void {
  cache.set(sessions, lookup)
}
