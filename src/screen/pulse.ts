import { isAtWork } from "../run/select/figures.ts"
import { isOver, type State } from "../view/state.ts"

/**
 * How often the screen must look at the clock, in ms; null where nothing on it moves by itself (docs/decisions.md 1.12).
 * A recording's clock moves with its frames.
 */
export function pulse(state: State, motion: boolean): number | null {
  const { run, link } = state
  if (link.state === "lost") return isOver(run) ? null : 1000
  if ((link.state !== "open" && link.state !== "running") || isOver(run)) return null
  // The list of what needs a person says for how long.
  if (state.view.overlays.at(-1)?.type === "attention") return 1000
  const waits = run.turnBuffers.some((stream, index) => stream.status === "waiting" && isAtWork(run, index))
  const bars = run.progress.some(one => one.fraction === null)
  if (waits || bars) return motion ? 250 : 1000
  return null
}
