// Finds the session on whose behalf a question is asked.
import type { RunBuilder } from "./run-builder.ts"

/**
 * The most recent session of the invokeid, else the one that spoke last. Null before an attachment's first event,
 * because what comes then may belong to another epoch.
 */
export function askingSession(builder: RunBuilder, invokeid: string | null): number | null {
  const { run } = builder
  if (run.attachment.beforeFirstEvent) return null
  const invocation = builder.lookup().invocation(invokeid)
  return run.invocations[invocation ?? -1]?.sessions.at(-1) ?? run.lastSpeaker
}
