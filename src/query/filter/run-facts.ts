// Answers a filter for the run itself.
import type { Run } from "../../run/model/run.ts"
import { reasonOf } from "../../run/select/figures.ts"
import { type FactTable, has, type Passes } from "./facts.ts"
import type { Key } from "./filter.ts"

const KNOWN: readonly Key[] = ["state", "reason", "ts", "seq"]

/**
 * Facts of the run: `state`: the active states; `reason`: why it or one of its sessions ended; `ts`: the latest; `seq`:
 * the highest of the current epoch; `error`, `warning`: the log has such a row; `prompt`: a question is open. All other
 * keys are asked of sessions.
 */
export const runFacts: FactTable<null> = {
  knows: key => KNOWN.includes(key),
  some(run, _, key, passes) {
    if (key === "state") return run.chart.config.some(state => has(state, passes))
    return key === "reason" && someReason(run, passes)
  },
  number(run, _, key) {
    if (key === "ts") return run.lastTs
    return key === "seq" ? highest(run) : null
  },
  is(run, _, word) {
    const { errors, warnings } = run.log
    if (word === "prompt") return run.prompts.some(prompt => prompt.state === "open")
    return errors > 0 || (word === "warning" && warnings > 0)
  },
}

function someReason(run: Run, passes: Passes): boolean {
  const epoch = run.epochs.length - 1
  return (
    has(run.reason, passes) || run.sessions.some(session => session.epoch === epoch && has(reasonOf(session), passes))
  )
}

function highest(run: Run): number | null {
  const epoch = run.epochs.at(-1)
  return epoch === undefined || epoch.seen === 0 ? null : epoch.highest
}
