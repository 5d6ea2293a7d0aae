import { closeAccounts } from "./charge.ts"
import { forgetPrompts } from "./fold-prompts.ts"
import { noVisits } from "./model/visits.ts"
import type { RunBuilder } from "./run-builder.ts"
import { setPersonWaits } from "./stages.ts"

/** Begins an epoch although no number proves it: a note says that another run follows. */
export function beginEpoch(builder: RunBuilder): void {
  builder.nextEpoch()
  resetForEpoch(builder)
}

/** Drops the state that the new epoch does not take over. */
export function resetForEpoch(builder: RunBuilder): void {
  const { run, facts } = builder
  forgetPrompts(builder)
  run.status = "running"
  run.reason = null
  facts.progress = []
  run.awaiting = null
  facts.lastSpeaker = null
  setPersonWaits(builder, [], null)
  closeAccounts(builder)
  run.chart = { ...run.chart, finalConfig: null, configTs: null, visits: noVisits }
  // Another run of the same agent keeps its debugger. After a new attachment the agent may be another one: then only
  // frames since the attachment count.
  if (run.attachment.beforeFirstEvent) run.debug = run.attachment.debug
}
