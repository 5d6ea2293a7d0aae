import type { Invocation, Session } from "../model/session.ts"
import { hashIds } from "./fingerprint.ts"

/** Looks up the sessions of one epoch. It only grows. */
export class Lookup {
  /** By the hash of both ids: the latest session with it; by its index, the one before it with the same hash. */
  readonly #latest = new Map<number, number>()
  readonly #before: number[] = []
  readonly #ids: string[] = []
  readonly #invokeids: (string | null)[] = []
  readonly #invocations = new Map<string | null, number>()
  /** The latest ids and their hash: each frame asks twice. */
  #lastId: string | null = null
  #lastInvokeid: string | null = null
  #lastHash = hashIds(null, null)

  /** `size`: length of the session list it describes. */
  constructor(
    readonly epoch: number,
    public size: number,
  ) {}

  /** The index of a session; null if there is none. */
  session(invokeid: string | null, sessionId: string): number | null {
    let index = this.#latest.get(this.hash(invokeid, sessionId))
    while (index !== undefined && (this.#ids[index] !== sessionId || this.#invokeids[index] !== invokeid))
      index = this.#before[index]
    return index ?? null
  }

  invocation(invokeid: string | null): number | null {
    return this.#invocations.get(invokeid) ?? null
  }

  hash(invokeid: string | null, sessionId: string | null): number {
    if (sessionId !== this.#lastId || invokeid !== this.#lastInvokeid) {
      this.#lastHash = hashIds(invokeid, sessionId)
      this.#lastId = sessionId
      this.#lastInvokeid = invokeid
    }
    return this.#lastHash
  }

  add({ invokeid }: Pick<Invocation, "invokeid">, invocation: number, sessionId: string, index: number): void {
    const hash = this.hash(invokeid, sessionId)
    const before = this.#latest.get(hash)
    if (before !== undefined) this.#before[index] = before
    this.#latest.set(hash, index)
    this.#ids[index] = sessionId
    this.#invokeids[index] = invokeid
    this.#invocations.set(invokeid, invocation)
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
