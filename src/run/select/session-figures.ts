import type { Usage } from "../../protocol/frame.ts"
import type { Session, TurnBuffer } from "../model/session.ts"

/** Ms from the session's first event to its last, or to `now` where it is open; null where no event had a time. */
export function sessionTime(session: Session, stream: TurnBuffer, now: number | null): number | null {
  if (session.beganTs === null) return null
  const last = Math.max(session.lastTs ?? session.beganTs, stream.lastTs ?? 0, now ?? 0)
  return last - session.beganTs
}

/** Tokens of all turns so far; the output of a turn that still streams counts as far as it is known. */
export function usageOf(session: Session, stream: TurnBuffer): Usage {
  const open = stream.replied ? 0 : stream.tokens
  const { input, output, cached } = session.totalUsage
  return { input, cached, output: output === null && open === 0 ? null : (output ?? 0) + open }
}

/** How full the context is: the fraction that the agent warned of, else the tokens that the latest turn took in. */
export function contextOf(session: Session): { readonly fraction: number } | { readonly tokens: number } | null {
  if (session.contextUsed !== null) return { fraction: session.contextUsed }
  return session.usage.input === null ? null : { tokens: session.usage.input }
}
