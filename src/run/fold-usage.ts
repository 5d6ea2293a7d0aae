import type { EventBody } from "../../packages/wire/src/event-body.ts"
import type { EventFrame } from "../../packages/wire/src/frame.ts"
import { billReply, charge, isBelieved, nanosOf, stateNow } from "./charge.ts"
import { setTokens } from "./fold-delta.ts"
import { type Account, amountOf } from "./model/ledger.ts"
import type { RunBuilder } from "./run-builder.ts"
import { findOrAddSession } from "./session-index.ts"
import { sumUsage } from "./turn-replies.ts"

type Usage = EventBody<"llm/usage">

/**
 * Charges the difference between reported and known figures, which may be negative; unreported figures stay. Returns
 * the session's index; null for the run, whose difference belongs to no session.
 */
export function foldUsage(builder: RunBuilder, frame: EventFrame): number | null {
  const { body } = frame
  if (body.type !== "llm/usage") return null
  const isRun = frame.invokeid === null && frame.sessionId === null
  const index = isRun ? null : findOrAddSession(builder, frame.invokeid, frame.sessionId)
  // The deltas of a reply that streams are in no account yet.
  for (const each of index === null ? builder.run.turnBuffers.keys() : [index]) billReply(builder, each)
  if (index === null) chargeRun(builder, body)
  else chargeSession(builder, index, body)
  return index
}

function chargeRun(builder: RunBuilder, told: Usage): void {
  const missing = missingIn(builder.ledger.total, told)
  builder.facts.tokens += missing.output ?? 0
  charge(builder, null, { state: stateNow(builder), model: "", account: amountOf(missing) })
}

function chargeSession(builder: RunBuilder, index: number, told: Usage): void {
  const session = builder.session(index)
  const { turn, tokens } = builder.turnBuffer(index)
  const { output = 0, ...missing } = missingIn(session.account, told)
  // The output of a reply is charged with its bill, which every event of the reply makes anew.
  setTokens(builder, index, Math.max(0, tokens + output), turn.captured)
  const state = turn.state ?? stateNow(builder)
  charge(builder, index, { state, model: turn.model ?? "", account: amountOf(missing) })
  billReply(builder, index)
  const { input = null, cached = null } = missing
  session.totalUsage = sumUsage(session.totalUsage, { input, output, cached })
}

/** The reported figures less those of an account. A reported cost leaves no reply of unknown cost. */
function missingIn(account: Account, { usage, counts, dollars }: Usage): Partial<Account> {
  const told: Partial<Record<keyof Account, number | null>> = {
    input: usage.input,
    cached: usage.cached,
    written: counts.written,
    output: usage.output,
    reasoning: counts.reasoning,
  }
  const missing: { -readonly [key in keyof Account]?: number } = {}
  for (const key of COUNTED) if (typeof told[key] === "number") missing[key] = told[key] - account[key]
  if (dollars === null || !isBelieved(dollars)) return missing
  const { nanos, unpriced } = account
  return { ...missing, nanos: nanosOf(dollars) - nanos, unpriced: -unpriced, priced: unpriced }
}

const COUNTED = ["input", "cached", "written", "output", "reasoning"] as const
