// Plays the debugger: which gates are shut, and what an op does to them.
import type { Op } from "../protocol/command.ts"
import type { JsonObject } from "../protocol/json.ts"

/**
 * The debug controller: what the two gates, one for events and one for model turns, let through. A pure value.
 * `where` is always the position of the cue that waits, by which a turn that was let go is known again.
 */
export interface Debugger {
  /** The event gate: open, shut, or open for `budget` more events. */
  readonly mode: "running" | "paused" | "stepping"
  readonly budget: number
  /** Shut the event gate before the next external event. */
  readonly armed: boolean
  /** Shut the turn gate before the next turn; spent when it shuts. */
  readonly breakpoint: boolean
  /** The turn that waits at the turn gate. */
  readonly turn: number | null
  /** The turn that is pointed at; moving it undoes nothing. */
  readonly pointer: number
  /** The cue whose turn was let go. */
  readonly released: number | null
  /** The branch that runs beside the recording, as its frame says it. */
  readonly branch: JsonObject | null
  readonly branchError: string | null
}

export function newDebugger(paused: boolean): Debugger {
  return {
    mode: paused ? "paused" : "running",
    budget: 0,
    armed: false,
    breakpoint: false,
    turn: null,
    pointer: 0,
    released: null,
    branch: null,
    branchError: null,
  }
}

/** True while either gate is shut. */
export function shut(it: Debugger): boolean {
  return it.mode === "paused" || it.turn !== null
}

/** Does one op. Null where the op is not a debugger's; then no `debug` frame answers it. */
export function operate(it: Debugger, op: Op, where: number): Debugger | null {
  const next = { ...it, branchError: null }
  switch (op.type) {
    case "pause":
      return { ...next, mode: "paused", budget: 0 }
    case "step":
      return { ...next, mode: "stepping", budget: op.n }
    case "continue":
      // It opens the gate that is shut; at the event gate a breakpoint for a turn still stands.
      return {
        ...next,
        mode: "running",
        budget: 0,
        breakpoint: it.turn === null && it.breakpoint,
        turn: null,
        released: where,
        branch: null,
      }
    case "arm":
      return { ...next, armed: true }
    case "arm-llm-breakpoint":
      return { ...next, breakpoint: true }
    case "turn-back":
      return { ...next, pointer: Math.max(0, it.pointer - 1) }
    case "turn-next":
      return forward(next, where)
    default:
      return null
  }
}

/** Moves the pointer on; at the waiting turn itself it lets that turn go and waits for the next one. */
function forward(it: Debugger, where: number): Debugger {
  if (it.turn === null) return it
  if (it.pointer < it.turn) return { ...it, pointer: it.pointer + 1 }
  return { ...it, turn: null, breakpoint: true, released: where }
}

/** Which gate shuts before the cue at `where`; null where it may pass. */
export function halt(it: Debugger, cue: Passing, where: number): { it: Debugger; gate: "event" | "turn" } | null {
  if (it.armed && cue.external) return { it: { ...it, mode: "paused", budget: 0, armed: false }, gate: "event" }
  if (!it.breakpoint || cue.turn === null || it.released === where) return null
  return { it: { ...it, breakpoint: false, turn: cue.turn, pointer: cue.turn }, gate: "turn" }
}

/** What the gates need to know of a cue. */
export interface Passing {
  /** An event that reached the chart from outside. */
  readonly external: boolean
  /** The turn that begins here, counted from 0. */
  readonly turn: number | null
}

/** One event went through: the same value unless it was stepped, paused again when it was the last step. */
export function passed(it: Debugger): Debugger {
  if (it.mode !== "stepping") return it
  return it.budget > 1 ? { ...it, budget: it.budget - 1 } : { ...it, mode: "paused", budget: 0 }
}

/** The `debug` frame (docs/contract.md sections 3 and 9). */
export function debugFrame(it: Debugger, config: readonly string[]): JsonObject {
  return {
    kind: "debug",
    paused: it.mode === "paused",
    "step-budget": it.budget,
    mode: it.turn !== null ? "paused-at-turn" : it.branch !== null ? "branch-running" : "running",
    "turn-index": it.turn === null ? null : it.pointer,
    "breakpoint-armed": it.breakpoint,
    branch: it.branch,
    ...(it.branchError === null ? {} : { "branch-error": it.branchError }),
    config,
  }
}
