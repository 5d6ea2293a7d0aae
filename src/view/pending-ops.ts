// Knows when an op of ours has had its effect: the agent never acknowledges a frame (docs/contract.md section 2).
import type { Op } from "../../packages/wire/src/command.ts"
import type { DebugFrame, Decoded } from "../../packages/wire/src/frame.ts"

export interface PendingOp {
  readonly op: Op["type"]
  /** Epoch ms. */
  readonly sentAt: number
  /** True from an attachment until its `debug` frame, which may repeat what was before the op. */
  readonly attached?: boolean
}

/** The ops after an attachment, where the agent repeats its latest frames (docs/contract.md section 2). */
export function attached(pending: readonly PendingOp[]): readonly PendingOp[] {
  return pending.map(one => ({ ...one, attached: true }))
}

/** What an op does, as a verb; and the notice that it was sent. */
export const OP_WORDS: { readonly [op in Op["type"]]: { readonly verb: string; readonly sent: string } } = {
  pause: { verb: "pause", sent: "Pausing" },
  step: { verb: "step", sent: "Stepping" },
  continue: { verb: "continue", sent: "Continuing" },
  arm: { verb: "pause at the next external event", sent: "Will pause at the next external event" },
  "arm-llm-breakpoint": { verb: "pause before the next turn", sent: "Will pause before the next model turn" },
  "turn-next": { verb: "run the next turn", sent: "Running the next turn" },
  "turn-back": { verb: "step back", sent: "Stepping back" },
  "request-conversation": { verb: "load the conversation", sent: "Loading the conversation…" },
  "request-model-catalog": { verb: "load the models", sent: "Loading models…" },
  "rerun-from": { verb: "re-run", sent: "Starting the re-run…" },
  choose: { verb: "choose", sent: "Asking the agent…" },
  "ui-interrupt": { verb: "interrupt", sent: "Interrupting the agent" },
  "ui-quit": { verb: "quit", sent: "Quitting" },
}

type Shows = (line: Decoded) => boolean
const debugs = (test: (frame: DebugFrame) => boolean): Shows => {
  return line => line.kind === "debug" && test(line)
}
const acted: Shows = line =>
  line.kind === "debug" || (line.kind === "event" && line.body.type.startsWith("debug/awaiting-"))
const heard: Shows = line => line.kind === "event" || line.kind === "delta"
const never: Shows = () => false
const leftTurn = debugs(({ mode }) => mode !== null && mode !== "paused-at-turn")

/** The effect that proves an op (docs/decisions.md 3.4), then the state that proves it in a repeated frame. */
const SHOWS: { readonly [op in Op["type"]]: readonly [effect: Shows, state?: Shows] } = {
  pause: [acted, debugs(({ paused }) => paused === true)],
  step: [acted, never],
  continue: [acted, debugs(({ paused, mode }) => paused === false && mode !== "paused-at-turn")],
  arm: [acted, never],
  "arm-llm-breakpoint": [acted, debugs(({ breakpointArmed }) => breakpointArmed === true)],
  "turn-next": [acted, leftTurn],
  "turn-back": [acted, leftTurn],
  "request-conversation": [line => line.kind === "conversation"],
  "request-model-catalog": [line => line.kind === "model-catalog"],
  "rerun-from": [debugs(({ branch, branchError }) => branch != null || branchError !== null)],
  choose: [heard],
  "ui-interrupt": [heard],
  "ui-quit": [never],
}

/** An op without an effect after this time had none, ms. */
export const EFFECT_MS = 5000
export const NO_EFFECT = `no effect within ${EFFECT_MS / 1000}s`

/** The ops that still wait after these lines; the same list where all do. */
export function stillPending(pending: readonly PendingOp[], lines: readonly Decoded[]): readonly PendingOp[] {
  if (pending.length === 0) return pending
  const left = pending.flatMap(one => afterLines(one, lines) ?? [])
  return left.length === pending.length && left.every((one, at) => one === pending[at]) ? pending : left
}

/** An op after these lines; null if one shows its effect. */
function afterLines(pending: PendingOp, lines: readonly Decoded[]): PendingOp | null {
  let isRepeat = pending.attached === true
  const [effect, state = effect] = SHOWS[pending.op]
  for (const line of lines) {
    if (isRepeat ? state(line) : effect(line)) return null
    if (line.kind === "debug") isRepeat = false
  }
  return isRepeat === (pending.attached === true) ? pending : { op: pending.op, sentAt: pending.sentAt }
}

/** The ops without an effect in time; `now` is epoch ms. */
export function overdue(pending: readonly PendingOp[], now: number): readonly PendingOp[] {
  return pending.filter(({ sentAt }) => now - sentAt >= EFFECT_MS)
}
