// Ids of sessions, groups and log rows. Unlike indexes, they stay the same when a run is folded again with rows from
// disk.

declare const kind: unique symbol

export type SessionId = string & { readonly [kind]: "session" }
export type GroupId = string & { readonly [kind]: "group" }

/** Id of a log row: its position. `epoch` counts from the first epoch that came over the connection. */
export interface RowId {
  readonly epoch: number
  /** As in the row: its `seq`, or the highest of its epoch if it has none. */
  readonly order: number
  /** Its number, from 0, among the rows with this epoch and `order`. */
  readonly nth: number
}

/** The id of a group; `epoch` counts from the first epoch that came over the connection. */
export function groupId(epoch: number, invokeid: string | null): GroupId {
  return JSON.stringify([epoch, invokeid]) as GroupId
}

/** The id of a session, made of the ids in its frames: within an epoch no two sessions share both. */
export function sessionId(epoch: number, invokeid: string | null, id: string): SessionId {
  return JSON.stringify([epoch, invokeid, id]) as SessionId
}
