import type { ProgressFrame } from "../protocol/frame.ts"
import type { RunBuilder } from "./run-builder.ts"

/** Progress bars kept at once; an agent that never ends them must not grow us. */
const KEPT = 256

/** Keeps the latest progress of each invokeid until it ends; it never makes an invocation (docs/decisions.md 1.7). */
export function foldProgress(builder: RunBuilder, frame: ProgressFrame): void {
  const known = builder.run.progress.find(one => one.invokeid === frame.invokeid)
  const others = builder.run.progress.filter(one => one.invokeid !== frame.invokeid)
  if (frame.phase === "end") {
    builder.run.progress = others
    return
  }
  const { invokeid } = frame
  const label = frame.label ?? known?.label ?? null
  const fraction = frame.fraction ?? known?.fraction ?? null
  builder.run.progress = [...others.slice(1 - KEPT), { invokeid, label, fraction }]
}
