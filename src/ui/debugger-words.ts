// Says in words what the debugger is told to hold.
import type { KnownDebugger } from "../run/model/run.ts"

/** The turn that waits at the gate, and where the pointer is if it was moved back from it. */
export function waitingTurnWords({ turnIndex, waitingTurn }: KnownDebugger): string {
  if (turnIndex === null) return "a turn"
  if (waitingTurn === null || waitingTurn <= turnIndex) return `turn ${turnIndex + 1}`
  return `pointer at turn ${turnIndex + 1} · turn ${waitingTurn + 1} waits`
}

/** True if the pointer was moved back from the turn that waits. */
export function isMovedBack({ turnIndex, waitingTurn }: KnownDebugger): boolean {
  return turnIndex !== null && waitingTurn !== null && turnIndex < waitingTurn
}
