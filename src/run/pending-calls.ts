// Follows the tool calls of a session: the pending ones, the charges of finished ones, and repeats.
import type { Block } from "../../packages/wire/src/capture.ts"
import { replaySourceOf } from "../../packages/wire/src/capture-place.ts"
import type { EventBody } from "../../packages/wire/src/event-body.ts"
import type { EventFrame } from "../../packages/wire/src/frame.ts"
import { isSameJson } from "../../packages/wire/src/json.ts"
import { chargeTurn } from "./charge.ts"
import { at } from "./model/chunked-list.ts"
import { amountOf } from "./model/ledger.ts"
import type { PendingCall, Repeat } from "./model/session.ts"
import type { RunBuilder } from "./run-builder.ts"

const SHOWN_INPUT = 400

/** The calls that a reply leaves pending. A call that the provider ran has its result in the reply. */
export function pendingCallsIn(content: readonly Block[], ts: number | null): readonly PendingCall[] {
  const calls = content.flatMap(block => (block.type === "tool-call" ? [block] : []))
  const results = content.filter(block => block.type === "tool-result").length
  return calls
    .slice(results)
    .map(({ name, input, callId }) => ({ name, input: input.slice(0, SHOWN_INPUT), callId, ts }))
}

/** Charges a tool call that has its result: it took as long as was measured, else the time since it was made. */
export function chargeCall(
  builder: RunBuilder,
  index: number,
  body: EventBody<"llm/tool-result">,
  frame: EventFrame,
): void {
  if (replaySourceOf(frame) === "captured") return
  const call = builder.run.sessions[index]?.pendingCalls[callPlace(builder, index, body.callId)]
  const since = frame.ts === null || call === undefined || call.ts === null ? 0 : Math.max(0, frame.ts - call.ts)
  const took = body.elapsedMs ?? since
  const tool = body.tool ?? call?.name ?? ""
  const toolMs = took - askedIn(builder, index, took, frame.ts)
  chargeTurn(builder, index, amountOf({ calls: 1, failedCalls: body.isError ? 1 : 0, toolMs }), tool)
}

/**
 * The part of a call's time that a person took, ms. The first result after an answer belongs to the call that asked;
 * one that overtakes the answer does too, if no other call is pending.
 */
function askedIn(builder: RunBuilder, index: number, took: number, ts: number | null): number {
  const known = builder.run.sessions[index]
  if (known === undefined) return 0
  const last = at(known.stages, known.stages.length - 1)
  const isAsking = last?.kind === "human" && ts !== null && known.pendingCalls.length === 1
  const asked = known.askedMs + (isAsking ? Math.max(0, ts - last.ts) : 0)
  if (known.askedMs > 0) builder.session(index).askedMs = 0
  return Math.min(took, asked)
}

/** The place of the call that a result ends: the named call, else the first pending one. */
function callPlace({ run }: RunBuilder, index: number, callId: string | undefined): number {
  const calls = run.sessions[index]?.pendingCalls ?? []
  return Math.max(0, callId === undefined ? -1 : calls.findIndex(call => call.callId === callId))
}

/** A result ends its call. */
export function takeCall(builder: RunBuilder, index: number, callId: string | undefined): void {
  const calls = builder.run.sessions[index]?.pendingCalls ?? []
  if (calls.length === 0) return
  const place = callPlace(builder, index, callId)
  builder.session(index).pendingCalls = calls.filter((_, i) => i !== place)
}

/** Counts identical calls in a row. A result repeats its call, so results count only if calls are not reported. */
export function countCall(
  builder: RunBuilder,
  index: number,
  by: Repeat["by"],
  name: string | null,
  text: string,
): void {
  const session = builder.session(index)
  const { repeat } = session
  if (by === "tool-result" && repeat?.by === "tool-call") return
  const isNamed = repeat?.by === by && repeat.name === name
  const alike = isNamed && (by === "tool-call" ? isSameJson(repeat.text, text) : repeat.text === text)
  session.repeat = alike
    ? { ...repeat, count: repeat.count + 1 }
    : { by, name, text, count: 1, since: builder.run.lastTs }
}
