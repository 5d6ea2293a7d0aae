// Folds progress frames.
import type { ProgressFrame } from "../protocol/frame.ts"
import type { RunBuilder } from "./run-builder.ts"

/** Maximum number of progress bars, so that an agent that never ends them can't use up memory. */
const KEPT = 256

/**
 * Keeps the latest progress of each invokeid until it ends. Progress never creates an invocation (docs/decisions.md
 * 1.7).
 */
export function foldProgress({ run }: RunBuilder, frame: ProgressFrame): void {
  const known = run.progress.find(one => one.invokeid === frame.invokeid)
  const others = run.progress.filter(one => one.invokeid !== frame.invokeid)
  if (frame.phase === "end") {
    run.progress = others
    return
  }
  const { invokeid } = frame
  const label = frame.label ?? known?.label ?? null
  const fraction = frame.fraction ?? known?.fraction ?? null
  run.progress = [...others.slice(1 - KEPT), { invokeid, label, fraction }]
}
