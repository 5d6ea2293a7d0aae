// Ids of sessions, groups, turns, log rows and entries. They stay the same when a run is folded again.
declare const kind: unique symbol

export type SessionId = string & { readonly [kind]: "session" }
export type GroupId = string & { readonly [kind]: "group" }
/** Id of an entry within its session: its `order`, and its number among the entries of that order. */
export type EntryId = string & { readonly [kind]: "entry" }

/** Id of a prompt: its raw id, and how often that id was used before. */
export type PromptKey = string & { readonly [kind]: "prompt" }

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

/** The key of a prompt; `before` is the key of the latest prompt with the same raw id. */
export function promptKey(promptId: string, before: PromptKey | null): PromptKey {
  const nth = before === null ? 0 : Number(before.slice(0, before.indexOf(" "))) + 1
  return `${nth} ${promptId}` as PromptKey
}

/** The id of the `nth` entry, from 0, of the frame with this order. */
export function entryId(order: number, nth: number): EntryId {
  return `${order}.${nth}` as EntryId
}

/** The id of the entry after this one, which may not exist yet; null stands for the first entry. */
export function entryIdAfter(id: EntryId | null): EntryId {
  return `${id ?? ""}+` as EntryId
}

/** True for an id made by `entryIdAfter`. */
export function isAfterLast(id: string): boolean {
  return id.endsWith("+")
}

/** A turn of a session by its first entry, since turn numbers change when earlier turns come from disk. */
export interface TurnRef {
  readonly session: SessionId
  readonly turn: EntryId
}

export interface TurnPlace {
  /** Index of the session; -1 if the run has none. */
  readonly session: number
  /** From 1; 0 for entries before the first turn. */
  readonly turn: number
}
