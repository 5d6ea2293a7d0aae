// Names sessions, groups and log rows for good: an index moves when a run is folded again with rows from disk, a name stays.

declare const kind: unique symbol

export type SessionId = string & { readonly [kind]: "session" }
export type GroupId = string & { readonly [kind]: "group" }

/** Names a row of the log by its place, which other rows can share. `epoch` counts from the first that came by the connection. */
export interface RowId {
  readonly epoch: number
  /** As in the row: its `seq`, or the highest of its epoch when it came without one. */
  readonly order: number
  /** Which row of this place it is, from 0. */
  readonly nth: number
}

/** The name of a group; `epoch` counts from the first epoch that came by the connection. */
export function groupId(epoch: number, invokeid: string | null): GroupId {
  return JSON.stringify([epoch, invokeid]) as GroupId
}

/** The name of a session, by the ids of its frames: within an epoch no two sessions share both. */
export function sessionId(epoch: number, invokeid: string | null, id: string): SessionId {
  return JSON.stringify([epoch, invokeid, id]) as SessionId
}
