import type { RunBuilder } from "./run-builder.ts"

/**
 * The session that asks, as far as it is known when the question comes: the most recent one of its invokeid, else the
 * one that spoke last. What comes before any event of an attachment may be of another epoch, so nothing is known yet.
 */
export function askingSession(builder: RunBuilder, invokeid: string | null): number | null {
  if (builder.run.attachment.beforeFirstEvent) return null
  const invocation = builder.lookup().invocation(invokeid)
  return builder.run.invocations[invocation ?? -1]?.sessions.at(-1) ?? builder.run.lastSpeaker
}
