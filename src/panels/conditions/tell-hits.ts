// Says which conditions became true, and sends what they ask of the agent.
import { noteFrame } from "../../../packages/wire/src/encode.ts"
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import { whoWords } from "../../query/condition-changes.ts"
import type { Condition } from "../../query/conditions.ts"
import { isAtTurn, isPaused } from "../../run/model/held.ts"
import { frameNumber } from "../../run/model/run.ts"
import { OP_WORDS } from "../../view/pending-ops.ts"
import { both, change, nothing, notice, type Plan } from "../../view/plan-result.ts"
import { isRecording, type State } from "../../view/state.ts"
import { awaiting, refusal, send } from "../common/send-op.ts"

/** Logs a row per new hit and sends each op once; its row says why one was refused (docs/decisions.md 3.1). */
export function tellHits(state: State, now: number): Plan {
  const { pending, list } = state.view.conditions
  if (pending.length === 0) return nothing
  const cleared = change({ conditions: { pending: [] } })
  if (isRecording(state)) return both(cleared, sayStopped(state, now))
  const hits = pending.flatMap(hit => {
    const condition = list.find(one => one.key === hit.key)
    return condition === undefined ? [] : [{ hit, text: condition.text, outcome: outcomeOf(state, condition) }]
  })
  const frames = hits.map(({ hit, text, outcome }) => {
    const data: JsonObject = { condition: text, who: whoWords(state.run, hit), outcome: outcome.words }
    return noteFrame(now, "breakpoint", data)
  })
  let plan = both(cleared, { actions: [{ type: "local", frames }], effects: [] })
  const ops = new Set(hits.flatMap(({ outcome }) => outcome.op ?? []))
  let sending = state
  for (const op of ops) {
    plan = both(plan, send(sending, { type: op }, now))
    sending = awaiting(sending, op, now)
  }
  // What stops the run is said before what is only counted.
  const first = hits.find(({ outcome }) => outcome.op !== null) ?? hits[0]
  if (first === undefined) return plan
  const more = hits.length > 1 ? ` and ${hits.length - 1} more` : ""
  return both(plan, notice(`Breakpoint ${first.text}${more}: ${first.outcome.words}`, "warning", now))
}

/** In a recording a hit stops what is played, and nothing is added to it. */
function sayStopped({ view, run, time }: State, now: number): Plan {
  const { list, pending } = view.conditions
  const names = pending.flatMap(hit => list.find(one => one.key === hit.key)?.text ?? [])
  const stopped = time.playing ? "still playing" : `paused at frame ${frameNumber(run)}`
  return notice(`Breakpoint ${names.join(", ")}: ${stopped}`, "warning", now)
}

type StopOp = "pause" | "arm-llm-breakpoint"

/** What a hit does. Ops name no target and we trail the agent, so the stop may land at the gate of another worker. */
function outcomeOf(state: State, { reaction }: Condition): { readonly op: StopOp | null; readonly words: string } {
  if (reaction === "log") return { op: null, words: "logged" }
  const op = reaction === "pause" ? "pause" : "arm-llm-breakpoint"
  const why = refusal(state, op)
  if (why !== null) return { op: null, words: `can't ${OP_WORDS[op].verb}: ${why}` }
  const { debug } = state.run
  const stands = reaction === "pause" ? isPaused(state.run) : debug?.breakpointArmed || isAtTurn(state.run)
  if (stands === true) return { op: null, words: reaction === "pause" ? "already paused" : "already set" }
  const where = reaction === "pause" ? "at the next event of any session" : "before the next model turn of any session"
  if (state.view.control.ops.some(one => one.op === op))
    return { op: null, words: `pauses ${where} (already requested)` }
  return { op, words: `pauses ${where}` }
}
