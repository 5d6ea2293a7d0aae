// Computes the figures of one session.
import type { Usage } from "../../protocol/frame.ts"
import type { Session, TurnBuffer } from "../model/session.ts"

/** Ms from the session's first event to its last, or to `now` if it is open. Null if no event had a time. */
export function sessionTime(session: Session, buffer: TurnBuffer, now: number | null): number | null {
  if (session.beganTs === null) return null
  const last = Math.max(session.lastTs ?? session.beganTs, buffer.lastTs ?? 0, now ?? 0)
  return last - session.beganTs
}

/** Tokens of all turns so far, including the output of a turn that still streams. */
export function usageOf(session: Session, buffer: TurnBuffer): Usage {
  const open = buffer.replied ? 0 : buffer.tokens
  const { input, output, cached } = session.totalUsage
  return { input, cached, output: output === null && open === 0 ? null : (output ?? 0) + open }
}

/** How full the context is: the fraction that the agent warned of, else the input tokens of the latest turn. */
export function contextOf(session: Session): { readonly fraction: number } | { readonly tokens: number } | null {
  if (session.contextUsed !== null) return { fraction: session.contextUsed }
  return session.usage.input === null ? null : { tokens: session.usage.input }
}
