// Names a session and its group for good: an index moves when a run is folded again with rows from disk, a name does not.

declare const kind: unique symbol

export type SessionId = string & { readonly [kind]: "session" }
export type GroupId = string & { readonly [kind]: "group" }

/** The name of a group; `epoch` counts from the first epoch that came by the connection. */
export function groupId(epoch: number, invokeid: string | null): GroupId {
  return JSON.stringify([epoch, invokeid]) as GroupId
}

/** The name of a session, by the ids of its frames: within an epoch no two sessions share both. */
export function sessionId(epoch: number, invokeid: string | null, id: string): SessionId {
  return JSON.stringify([epoch, invokeid, id]) as SessionId
}
