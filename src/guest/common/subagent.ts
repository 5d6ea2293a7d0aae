// Begins the session of a subagent, and names the line that precedes a subagent's own file.
import { given } from "./fields.ts"
import { GuestSession } from "./guest-session.ts"
import type { Output, Owner } from "./output.ts"

/**
 * The type of a line that precedes those of a subagent's file, and describes it. Where a reader reads one
 * session, this is also the key of all its lines whose value is the subagent's id.
 */
export const AGENT = "opentui-sidecar/agent"

/** The description of a subagent before it speaks. */
export interface AgentStart {
  readonly id: string
  readonly type: string
  readonly description: string
  /** The session that started it, if it is known. */
  readonly parent: Owner | null
}

/** A subagent's session, in a group by its type, with a note of its caller. */
export function agentSession(out: Output, { id, type, description, parent }: AgentStart): GuestSession {
  const caller = { "parent-session-id": parent?.id, "parent-invokeid": parent?.invokeid }
  const begins = given({ ...caller, "session-label": description })
  const session = new GuestSession(out, type || "subagent", id, begins)
  session.ask()
  const of = parent === null ? "" : `of ${parent.invokeid} ${parent.id.slice(0, 8)}`
  session.note("subagent", [of, description].filter(Boolean).join(": "))
  return session
}
