// The state of the debugger, which each frame reports in part, and whether it holds the run.
import type { DebugFrame, DebugMode } from "../../../packages/wire/src/frame.ts"
import type { KnownDebugger, Run } from "./run.ts"

export const unknownDebugger: KnownDebugger = {
  paused: null,
  stepBudget: null,
  mode: "running",
  turnIndex: null,
  waitingTurn: null,
  breakpointArmed: false,
  branch: null,
  branchError: null,
  config: null,
  pendingEvents: null,
}

/** The debugger after a frame. A field that the frame leaves out keeps its value. */
export function toldBy(frame: DebugFrame, before: KnownDebugger | null): KnownDebugger {
  const known = before ?? unknownDebugger
  const turnIndex = frame.turnIndex === undefined ? known.turnIndex : frame.turnIndex
  const mode = modeAfter(frame, known)
  const waited = known.mode === "paused-at-turn" ? (known.waitingTurn ?? known.turnIndex ?? 0) : 0
  const branch = frame.branch === undefined ? known.branch : frame.branch
  return {
    paused: frame.paused ?? known.paused,
    stepBudget: frame.stepBudget ?? known.stepBudget ?? (frame.paused === null ? null : 0),
    mode,
    turnIndex,
    waitingTurn: mode === "paused-at-turn" && turnIndex !== null ? Math.max(turnIndex, waited) : null,
    breakpointArmed: frame.breakpointArmed ?? known.breakpointArmed,
    branch,
    branchError: frame.branchError,
    config: frame.config ?? known.config,
    pendingEvents: frame.pendingEvents ?? (frame.paused === null ? known.pendingEvents : null),
  }
}

/**
 * A failed re-run and a pointer that was moved back both report "running" although a gate may hold the run: it opens
 * only when the pointer moves on or stays.
 */
function modeAfter(
  { mode, turnIndex, breakpointArmed, branchError, paused }: DebugFrame,
  known: KnownDebugger,
): DebugMode {
  if (mode === null) return known.mode
  if (branchError !== null && turnIndex === undefined && breakpointArmed === null) return known.mode
  const isBack = paused === null && typeof turnIndex === "number" && turnIndex < (known.turnIndex ?? 0)
  return mode === "running" && isBack ? known.mode : mode
}

type Debugged = Pick<Run, "debug" | "awaiting">

/** True while the agent waits before an event: its debug message says so, or a `debug/awaiting-*` event does. */
export function isPaused({ debug, awaiting }: Debugged): boolean {
  return awaiting !== null || debug?.paused === true
}

/** True while the turn gate takes ops: the agent waits before a model turn, or is about to. */
export function hasTurnGate({ debug }: Debugged): boolean {
  return debug?.mode === "paused-at-turn"
}

/** True while the agent waits before a model turn. It calls an armed gate paused before it stands there. */
export function isAtTurn({ debug }: Debugged): boolean {
  return debug?.mode === "paused-at-turn" && !debug.breakpointArmed
}

/** True while the agent waits for an op of ours. */
export function isHeld(run: Debugged): boolean {
  return isPaused(run) || isAtTurn(run)
}

/** True while the agent waits or may wait. */
export function mayBeHeld(run: Debugged): boolean {
  return isPaused(run) || hasTurnGate(run) || isUntold(run)
}

/** True while no frame has said whether the debugger pauses the run. */
export function isUntold({ debug, awaiting }: Debugged): boolean {
  return debug !== null && debug.paused === null && awaiting === null
}
