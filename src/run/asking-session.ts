import type { RunBuilder } from "./run-builder.ts"

/**
 * The session that asks, as far as it is known when the question comes: the most recent one of its invokeid, else the
 * one that spoke last. What comes before any event of an attachment may be of another epoch, so nothing is known yet.
 */
export function askingSession(draft: RunBuilder, invokeid: string | null): number | null {
  if (draft.attach.beforeFirstEvent) return null
  const invocation = draft.lookup().invocation(invokeid)
  return draft.invocations[invocation ?? -1]?.sessions.at(-1) ?? draft.spoke
}
