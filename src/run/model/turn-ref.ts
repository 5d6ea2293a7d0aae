/** A turn of a session, by the session's index; turns are counted from 1. */
export interface TurnRef {
  readonly session: number
  readonly turn: number
}
