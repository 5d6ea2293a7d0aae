// Refers to a turn of a session: for good, and by its place in one run.
import type { EntryId, SessionId } from "./id.ts"

/** A turn of a session, by its first entry: numbers of turns move when earlier ones come from disk. */
export interface TurnRef {
  readonly session: SessionId
  readonly turn: EntryId
}

/** Where that turn stands in a run. */
export interface TurnPlace {
  /** Index of the session, -1 where the run has none. */
  readonly session: number
  /** From 1; 0 for what came before the first. */
  readonly turn: number
}
