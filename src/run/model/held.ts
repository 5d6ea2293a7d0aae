// Tells whether a debugger holds the run.
import type { Run } from "./run.ts"

type Debugged = Pick<Run, "debug" | "awaiting">

/** True while the agent waits before an event: its debug message says so, or a `debug/awaiting-*` event does. */
export function isPaused({ debug, awaiting }: Debugged): boolean {
  return awaiting !== null || debug?.paused === true
}

/** True while the agent waits before a model turn. */
export function isAtTurn({ debug }: Debugged): boolean {
  return debug?.mode === "paused-at-turn"
}

/** True while the agent waits for an op of ours. */
export function isHeld(run: Debugged): boolean {
  return isPaused(run) || isAtTurn(run)
}
