// Models the agent's debugger: the state of its gates, and the effect of each op on them. Pure.
import type { Op } from "../../packages/wire/src/command.ts"
import type { JsonObject } from "../../packages/wire/src/json.ts"

/** A debugger with a gate for events and one for turns. `position` is the index of the next line of the script. */
export interface Debugger {
  /** The event gate: open, closed, or open for `budget` more events. */
  readonly mode: "running" | "paused" | "stepping"
  readonly budget: number
  readonly armed: boolean
  /** Close the turn gate before the next turn. Cleared when it closes. */
  readonly breakpoint: boolean
  /** The turn that waits at the turn gate; null if the gate is open. */
  readonly waitingTurn: number | null
  /** The turn that the pointer is at; moving the pointer undoes nothing. */
  readonly pointer: number
  /** The position of the turn that was released last. */
  readonly releasedPosition: number | null
  /** The branch that runs beside the recording, as it appears in a `debug` frame. */
  readonly branch: JsonObject | null
  readonly branchError: string | null
}

/** The debugger before the first op. */
export function initialDebugger(paused: boolean): Debugger {
  return {
    mode: paused ? "paused" : "running",
    budget: 0,
    armed: false,
    breakpoint: false,
    waitingTurn: null,
    pointer: 0,
    releasedPosition: null,
    branch: null,
    branchError: null,
  }
}

/** True while the run must not go on. */
export function isHalted(state: Debugger): boolean {
  return state.mode === "paused" || state.waitingTurn !== null
}

/** Applies an op. Returns null for an op that isn't the debugger's, to which no `debug` frame replies. */
export function applyOp(state: Debugger, op: Op, position: number): Debugger | null {
  const next = { ...state, branchError: null }
  switch (op.type) {
    case "pause":
      return { ...next, mode: "paused", budget: 0 }
    case "step":
      return { ...next, mode: "stepping", budget: op.n }
    case "continue":
      // Opens the closed gate. A breakpoint survives if that is the event gate.
      return {
        ...next,
        mode: "running",
        budget: 0,
        breakpoint: state.waitingTurn === null && state.breakpoint,
        waitingTurn: null,
        releasedPosition: position,
        branch: null,
      }
    case "arm":
      return { ...next, armed: true }
    case "arm-llm-breakpoint":
      return { ...next, breakpoint: true }
    case "turn-back":
      return { ...next, pointer: Math.max(0, state.pointer - 1) }
    case "turn-next":
      return turnNext(next, position)
    default:
      return null
  }
}

/** Moves the pointer forward; at the waiting turn, releases that turn and waits for the next one. */
function turnNext(state: Debugger, position: number): Debugger {
  if (state.waitingTurn === null) return state
  if (state.pointer < state.waitingTurn) return { ...state, pointer: state.pointer + 1 }
  return { ...state, waitingTurn: null, breakpoint: true, releasedPosition: position }
}

export interface GateInput {
  /** True for an event that came to the chart from outside. */
  readonly external: boolean
  /** The number of the turn that begins here, from 0; null if none does. */
  readonly turn: number | null
}

export interface Halt {
  readonly state: Debugger
  readonly gate: "event" | "turn"
}

/** The gate that closes before the line at `position`; null if the line may pass. */
export function haltBefore(state: Debugger, line: GateInput, position: number): Halt | null {
  if (state.armed && line.external) {
    return { state: { ...state, mode: "paused", budget: 0, armed: false }, gate: "event" }
  }
  if (!state.breakpoint || line.turn === null || state.releasedPosition === position) return null
  return { state: { ...state, breakpoint: false, waitingTurn: line.turn, pointer: line.turn }, gate: "turn" }
}

/** The debugger after an event has passed: while stepping, the budget shrinks, and after the last step it pauses. */
export function afterEvent(state: Debugger): Debugger {
  if (state.mode !== "stepping") return state
  return state.budget > 1 ? { ...state, budget: state.budget - 1 } : { ...state, mode: "paused", budget: 0 }
}

/** The `debug` frame (docs/contract.md sections 3 and 9). */
export function debugFrame(state: Debugger, config: readonly string[]): JsonObject {
  return {
    kind: "debug",
    paused: state.mode === "paused",
    "step-budget": state.budget,
    mode: state.waitingTurn !== null ? "paused-at-turn" : state.branch !== null ? "branch-running" : "running",
    "turn-index": state.waitingTurn === null ? null : state.pointer,
    "breakpoint-armed": state.breakpoint,
    branch: state.branch,
    ...(state.branchError === null ? {} : { "branch-error": state.branchError }),
    config,
  }
}
