// Corrects an earlier turn when one of its events comes late: its reply, the run's tokens and the ledger.
import { replaySourceOf } from "../../packages/wire/src/capture-place.ts"
import type { EventBody, Usage } from "../../packages/wire/src/event-body.ts"
import type { DeltaFrame, EventFrame } from "../../packages/wire/src/frame.ts"
import { billOf, chargeSession, type Streamed } from "./charge.ts"
import { isTruncatedReply } from "./log.ts"
import { at, firstIndexWhere, pushed, replaceAt } from "./model/chunked-list.ts"
import { emptyTurn } from "./model/empty-session.ts"
import { addAmount, amountOf, type Bill, noBill, partsWith } from "./model/ledger.ts"
import { noUsage, type Reply, type Turn } from "./model/session.ts"
import type { RunBuilder } from "./run-builder.ts"
import { partsOf, sumUsage, withRequest } from "./turn-replies.ts"

interface Kept {
  readonly builder: RunBuilder
  readonly index: number
  readonly place: number
  readonly reply: Reply
}

/** Corrects the turn that an event or delta from before the session's current turn belongs to, if it is known. */
export function foldLate(builder: RunBuilder, index: number, frame: EventFrame | DeltaFrame): void {
  const replies = builder.run.sessions[index]?.replies
  const { seq } = frame
  if (replies === undefined || seq === null) return
  const place = firstIndexWhere(replies, one => one.startSeq > seq) - 1
  const reply = at(replies, place)
  if (reply === undefined) return
  const kept = { builder, index, place, reply }
  if (frame.kind === "delta") lateDelta(kept, frame)
  else if (frame.body.type === "llm/response") lateResponse(kept, frame.body, frame)
  else if (frame.body.type === "llm/tool-result") lateResult(kept, frame.body, replaySourceOf(frame) === "captured")
  else if (frame.body.type === "llm/retry") put(kept, reply, noBill, billFor(reply, { retries: 1 }))
}

/** A delta of a reply that no response has ended: it counts as in its turn. */
function lateDelta(kept: Kept, { ts: sent, coalesced, outputTokens, whole }: DeltaFrame): void {
  const { reply } = kept
  if (reply.cut === null) return
  const known = reply.cut
  const deltas = known.deltas + coalesced
  const hasReportedTokens = known.hasReportedTokens || (!whole && outputTokens !== null)
  // A block that came whole has no tokens and no time.
  const tokens = whole ? known.tokens : (outputTokens ?? (hasReportedTokens ? known.tokens : deltas))
  const ts = whole ? null : sent
  const firstTs = Math.min(known.firstTs ?? ts ?? Infinity, ts ?? Infinity)
  const endTs = Math.max(known.endTs ?? ts ?? -Infinity, ts ?? -Infinity)
  const times = { firstTs: Number.isFinite(firstTs) ? firstTs : null, endTs: Number.isFinite(endTs) ? endTs : null }
  const cut = { ...known, ...times, deltas, tokens, hasReportedTokens }
  replaceReply(kept, { ...reply, cut }, { ...noUsage, output: tokens === 0 ? null : tokens }, cut)
}

/** The response of a reply that was cut, else another reply of its turn. */
function lateResponse(kept: Kept, body: EventBody<"llm/response">, frame: EventFrame): void {
  const { reply } = kept
  const { usage, counts, content } = body
  const tokens = usage.output ?? reply.cut?.tokens ?? 0
  const source = replaySourceOf(frame)
  const failed = (content ?? []).filter(block => block.type === "tool-result" && block.isError).length
  const context = withRequest(reply.context, usage)
  const next: Reply = {
    ...reply,
    model: body.model ?? reply.model,
    captured: source === null ? reply.captured : source === "captured",
    stopReason: reply.cut === null ? reply.stopReason : body.stopReason,
    failedTools: reply.failedTools + failed,
    cut: null,
    // A late reply of its turn comes before the latest reply, whose context stays.
    context: counts.summed || (reply.cut === null && reply.context.latest !== null) ? reply.context : context,
  }
  const billed = { replied: true, endTs: frame.ts, tokens, counts: { ...usage, ...counts }, reported: body.dollars }
  replaceReply(kept, next, { ...usage, output: usage.output ?? (tokens === 0 ? null : tokens) }, billed)
}

function lateResult(kept: Kept, body: EventBody<"llm/tool-result">, isCaptured: boolean): void {
  const { builder, reply } = kept
  const failed = body.isError ? 1 : 0
  const isSpent = !isCaptured && !reply.captured
  const bill = isSpent ? billFor(reply, { calls: 1, failedCalls: failed, toolMs: body.elapsedMs ?? 0 }) : noBill
  if (isSpent) builder.ledger.addToNamed("tools", body.tool ?? "", bill.account, 1)
  put(kept, { ...reply, failedTools: reply.failedTools + failed }, noBill, bill)
}

/** Replaces the cut reply, or adds one: its bill, its tokens and its usage. */
function replaceReply(kept: Kept, next: Reply, usage: Usage, billed: Partial<Turn & Streamed>): void {
  const { builder, index, reply } = kept
  const { cut } = reply
  const before = cut === null ? 0 : cut.tokens
  const more = (next.captured ? 0 : (billed.tokens ?? 0)) - (reply.captured ? 0 : before)
  builder.facts.tokens += more
  builder.turn(index).spentBefore += more
  const session = builder.session(index)
  const others = reply.captured ? session.totalUsage : withoutOutput(session.totalUsage, before)
  session.totalUsage = next.captured ? others : sumUsage(others, usage)
  const replaced = { ...next, usage: sumUsage(withoutOutput(reply.usage, before), usage) }
  const old = cut === null ? noBill : wholeBill(builder, reply, cut)
  put(kept, replaced, old, wholeBill(builder, next, { ...cut, ...billed }))
}

/** Keeps the corrected reply, which is charged another bill than before. */
function put({ builder, index, place, reply }: Kept, next: Reply, old: Bill, bill: Bill): void {
  const account = { ...reply.account }
  let parts = partsOf(reply)
  for (const [one, times] of [[old, -1] as const, [bill, 1] as const]) {
    if (one === noBill) continue
    chargeSession(builder, index, one, times)
    addAmount(account, one.account, times)
    parts = partsWith(parts, one, times)
  }
  const isTruncated = (one: Reply) => (isTruncatedReply(one.stopReason) ? 1 : 0)
  const session = builder.session(index)
  session.failedTools += next.failedTools - reply.failedTools
  session.truncatedReplies += isTruncated(next) - isTruncated(reply)
  session.corrected = pushed(session.corrected, { place, was: reply })
  session.replies = replaceAt(session.replies, place, { ...next, account, models: parts })
}

/** A bill for something of a turn; nothing if a capture served it. */
function billFor({ captured, state, model }: Reply, amount: Parameters<typeof amountOf>[0]): Bill {
  return captured ? noBill : { state: state ?? "", model: model ?? "", account: amountOf(amount) }
}

/** The bill of a reply of this turn before anything is known of it. */
function wholeBill(builder: RunBuilder, { captured, model, state }: Reply, known: Partial<Turn & Streamed>): Bill {
  const { deltas = 0, tokens = 0 } = known
  return billOf(builder.run, { ...emptyTurn, ...known, captured, model, state }, { deltas, tokens })
}

function withoutOutput(usage: Usage, tokens: number): Usage {
  return tokens === 0 ? usage : { ...usage, output: (usage.output ?? 0) - tokens }
}
