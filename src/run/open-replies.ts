// Brings the ledger up to date with the replies that stream, which are charged only when their next event comes.
import { billReply } from "./charge.ts"
import type { Run } from "./model/run.ts"
import { RunBuilder } from "./run-builder.ts"

/** A cache: the ledger is asked for several times in one frame. */
const known = new WeakMap<Run, Run>()

/** The run with what its open replies used so far in its accounts. Costs a look at each session. */
export function withOpenReplies(run: Run): Run {
  const found = known.get(run)
  if (found !== undefined) return found
  const open = run.turnBuffers.flatMap(({ captured, tokens, bill }, index) =>
    !captured && tokens !== bill.account.output ? [index] : [],
  )
  const made = open.length === 0 ? run : billed(run, open)
  known.set(run, made)
  return made
}

function billed(run: Run, indexes: readonly number[]): Run {
  const builder = new RunBuilder(run)
  for (const index of indexes) billReply(builder, index)
  return builder.done()
}
