// Begins the session of a subagent, and says how the lines of a subagent's own file are told from its caller's.
import { GuestSession } from "./guest-session.ts"
import type { Output, Owner } from "./output.ts"

/**
 * The type of a line that precedes those of a subagent's file, and says what is known of it. Where a reader reads one
 * session, this is also the key of all its lines whose value is the subagent's id.
 */
export const AGENT = "opentui-sidecar/agent"

/** What is told of a subagent before it speaks. */
export interface KnownAgent {
  readonly id: string
  readonly type: string
  readonly description: string
  /** Who started it, if that is known. */
  readonly parent: Owner | null
}

/** A session in a group by the subagent's type, which says where it comes from. */
export function agentSession(out: Output, { id, type, description, parent }: KnownAgent): GuestSession {
  const begins = {
    ...(parent !== null && { "parent-session-id": parent.id, "parent-invokeid": parent.invokeid }),
    ...(description !== "" && { "session-label": description }),
  }
  const session = new GuestSession(out, type || "subagent", id, begins)
  session.ask()
  const of = parent === null ? "" : `of ${parent.invokeid} ${parent.id.slice(0, 8)}`
  session.note("subagent", [of, description].filter(Boolean).join(": "))
  return session
}
