// Answers a filter for the run itself.
import type { Run } from "../../run/model/run.ts"
import { reasonOf } from "../../run/select/figures.ts"
import type { FactTable, Key, Texts } from "./filter.ts"

const KNOWN: readonly Key[] = ["state", "reason", "ts", "seq"]

/**
 * Facts of the run: `state`: the active states; `reason`: why it or one of its sessions ended; `ts`: the latest; `seq`:
 * the highest of the current epoch; `error`, `warning`: the log has such a row; `prompt`: a question is open. All other
 * keys are asked of sessions.
 */
export const runFacts: FactTable<null> = {
  knows: key => KNOWN.includes(key),
  texts(run, _, key) {
    if (key === "state") return run.chart.config
    return key === "reason" ? reasonsOf(run) : []
  },
  number(run, _, key) {
    if (key === "ts") return run.lastTs
    const epoch = run.epochs.at(-1)
    return key === "seq" && epoch !== undefined && epoch.seen > 0 ? epoch.highest : null
  },
  is(run, _, word) {
    const { errors, warnings } = run.log
    if (word === "prompt") return run.prompts.some(prompt => prompt.state === "open")
    return errors > 0 || (word === "warning" && warnings > 0)
  },
}

function* reasonsOf(run: Run): Texts {
  yield run.reason
  const epoch = run.epochs.length - 1
  for (const session of run.sessions) if (session.epoch === epoch) yield reasonOf(session)
}
