// Refers to a turn of a session; turns are counted from 1.
import type { SessionId } from "./id.ts"

/** A turn of a session; turns are counted from 1. */
export interface TurnRef {
  readonly session: SessionId
  readonly turn: number
}
