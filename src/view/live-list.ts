// How the live pane lists sessions: in which order, which of them, and which stand first.
import type { GroupId, SessionId } from "../run/model/id.ts"

/** The orders, each with what the pane says of it. */
export const LIVE_ORDERS = {
  came: "as they came",
  needs: "what needs you first",
  newest: "newest first",
  tokens: "most tokens first",
} as const

export type LiveOrder = keyof typeof LIVE_ORDERS

/** The list of sessions: its selected row, and its order, filters and folding. */
export interface SessionList {
  readonly selected: Target | null
  /** The person chose the selection; until then it stays with a session that is at work. */
  readonly pinned: boolean
  readonly folded: readonly GroupId[]
  readonly order: LiveOrder
  /** The text that finds sessions; empty for all. */
  readonly filter: string
  /** The sessions that stand above all others, in the order in which they were pinned. */
  readonly pins: readonly SessionId[]
  /** Groups whose finished sessions are listed although they don't fit. */
  readonly unfolded: readonly GroupId[]
}

/** A row of the list: a group of sessions, its finished sessions where they are one row, or one session. */
export type Target =
  | { readonly type: "group" | "finished"; readonly invocation: GroupId }
  | { readonly type: "session"; readonly session: SessionId }

/** The states by which sessions are found. */
export type SessionState = "asking" | "failed" | "running" | "waiting" | "done"
/** What needs a person most stands first. */
export const STATES: readonly SessionState[] = ["asking", "failed", "running", "waiting", "done"]
/** The same where those that failed would hide what is at work. */
export const WORK_FIRST: readonly SessionState[] = ["asking", "running", "waiting", "failed", "done"]

/** Tests sessions: all words must be in the name; of the states named, one must hold. */
export function sessionFilter(text: string): (name: string, state: SessionState) => boolean {
  const terms = text
    .toLowerCase()
    .split(/\s+/)
    .filter(term => term !== "")
  const states = STATES.filter(state => terms.includes(state))
  const words = terms.filter(term => !STATES.some(state => state === term))
  return (name, state) => {
    if (states.length > 0 && !states.includes(state)) return false
    const folded = name.toLowerCase()
    return words.every(term => folded.includes(term))
  }
}
