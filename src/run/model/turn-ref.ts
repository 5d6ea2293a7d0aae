// Refers to a turn of a session: by ids that stay valid, or by its position in one run.
import type { EntryId, SessionId } from "./id.ts"

/**
 * A turn of a session, identified by its first entry. Turn numbers change when earlier turns are filled in from disk.
 */
export interface TurnRef {
  readonly session: SessionId
  readonly turn: EntryId
}

/** Position of that turn in a run. */
export interface TurnPlace {
  /** Index of the session; -1 if the run has none. */
  readonly session: number
  /** From 1; 0 for entries before the first turn. */
  readonly turn: number
}
