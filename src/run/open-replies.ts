// Brings the ledger up to date with the replies that stream, which are charged only when their next event comes.

import { billReply, closeAccounts } from "./charge.ts"
import { derived } from "./model/derived.ts"
import type { Run } from "./model/run.ts"
import { RunBuilder } from "./run-builder.ts"

/** The ledger is asked for several times in one frame. */
const withOpen = derived<Run>()

/** The run with the usage of its open replies in its accounts. Costs a look at each session. */
export function withOpenReplies(run: Run): Run {
  return withOpen([run], () => billedOpen(run))
}

function billedOpen(run: Run): Run {
  const open = run.turnBuffers.flatMap(({ turn: { captured, bill }, tokens }, index) =>
    !captured && tokens !== bill.account.output ? [index] : [],
  )
  if (open.length === 0) return run
  const builder = new RunBuilder(run)
  for (const index of open) billReply(builder, index)
  return builder.done()
}

/** The run with all accounts closed: usage not reported by now stays unknown. */
export function withClosedAccounts(run: Run): Run {
  const builder = new RunBuilder(run)
  closeAccounts(builder)
  return builder.done()
}
