// Decides what a debugger key comes to: an op that is sent and awaited, or a refusal in words.
import type { Op } from "../../../packages/wire/src/command.ts"
import { hasTurnGate, isHeld } from "../../run/model/held.ts"
import type { KeyOp } from "../../view/intent.ts"
import { OP_WORDS } from "../../view/pending-ops.ts"
import { both, change, notice, type Plan, refuse, sendCommand } from "../../view/plan-result.ts"
import { isHeard, isLive, isOver, type State, talks } from "../../view/state.ts"
import { changed } from "../../view/view.ts"

/** Ops act now or are refused in words; none waits for the line (docs/decisions.md 3.1). */
export function planOp(state: State, op: KeyOp, n: number, now: number): Plan {
  const why = refusal(state, op)
  if (why !== null) return refuse(op, why, now)
  return send(state, op === "step" ? { type: op, n } : { type: op }, now)
}

/** Sends an op and waits for what shows that it was heard. */
export function send(state: State, command: Op, now: number): Plan {
  const op = command.type
  const { ops } = awaiting(state, op, now).view.control
  const awaited = change({ control: { ops } })
  const words = op === "step" && command.n > 1 ? `Stepping ${command.n} events` : OP_WORDS[op].sent
  return both(both(sendCommand(command), awaited), notice(words, "info", now))
}

/** The state once an op was sent: the next one waits beside it. */
export function awaiting(state: State, op: Op["type"], now: number): State {
  const ops = [...state.view.control.ops, { op, sentAt: now }]
  return { ...state, view: changed(state.view, { control: { ops } }) }
}

/** Why an op cannot act now, in words; null where it can. */
export function refusal(state: State, op: KeyOp | "rerun-from"): string | null {
  const { debug } = state.run
  const { link } = state
  if (talks(link)) {
    if (op === "pause" || op === "continue") return null
    return op === "step" ? "your answer to what is held lets it go" : "an agent CLI has no such debugger"
  }
  if (link.state === "running" || link.state === "exited") return `${link.command} has no debugger`
  if (!isLive(state)) return "a recording has no agent to control"
  if (!isHeard(state)) return "the agent is disconnected"
  if (op !== "rerun-from" && isOver(state.present)) return "the run is over"
  if (debug === null) return "no debugger is attached (start the agent with --debug)"
  const turnOp = op === "turn-next" || op === "turn-back"
  // The API has no turn ops (docs/contract.md section 7).
  if ((turnOp || op === "arm-llm-breakpoint" || op === "rerun-from") && state.link.state !== "open")
    return "the agent is disconnected, and HTTP has no turn control"
  if (turnOp && !hasTurnGate(state.run)) return "the agent is not paused before a turn"
  if (op === "turn-back" && debug.turnIndex === 0) return "the pointer is at the first turn"
  const isStepped = isHeld(state.run) || (debug.stepBudget ?? 0) > 0
  return op === "step" && !isStepped ? "p pauses first" : null
}
