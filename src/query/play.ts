// Plays a recording forward and stops where a breakpoint is hit.
import type { Decoded } from "../protocol/frame.ts"
import { fold } from "../run/fold.ts"
import type { Run } from "../run/model/run.ts"
import type { Breakpoints } from "./breakpoints.ts"
import { foldWithBreakpoints } from "./fold-with-breakpoints.ts"

export interface Played {
  readonly run: Run
  readonly breakpoints: Breakpoints
  /** A breakpoint that pauses was hit; the run is right after the line that hit it. */
  readonly stopped: boolean
}

/** Folds the next lines of a recording, or those up to the first hit that pauses. */
export function playFrames(from: Run, lines: readonly Decoded[], breakpoints: Breakpoints, zone = 0): Played {
  if (!breakpoints.list.some(one => one.on)) return { run: fold(from, lines), breakpoints, stopped: false }
  const whole = foldWithBreakpoints(from, lines, breakpoints, zone)
  if (!pauses(whole.breakpoints)) return { ...whole, stopped: false }
  let at: Played = { run: from, breakpoints, stopped: false }
  for (const line of lines) {
    at = { ...foldWithBreakpoints(at.run, [line], at.breakpoints, zone), stopped: false }
    if (pauses(at.breakpoints)) return { ...at, stopped: true }
  }
  return at
}

function pauses({ list, pending }: Breakpoints): boolean {
  return pending.some(hit => list.find(one => one.key === hit.key)?.reaction !== "log")
}
