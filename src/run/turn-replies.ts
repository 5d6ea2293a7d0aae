// Keeps of each turn of a session its model, tokens and trouble, which add up to the session's.
import type { Usage } from "../../packages/wire/src/event-body.ts"
import { isTruncatedReply } from "./log.ts"
import { withReply } from "./memory/pack-turns.ts"
import { at, type ChunkedList, withLast } from "./model/chunked-list.ts"
import { emptyReply } from "./model/empty-session.ts"
import { type Accounts, isEmptyAccount } from "./model/ledger.ts"
import {
  type CutReply,
  type Mutable,
  noUsage,
  type Reply,
  type RequestInput,
  type Session,
  type TurnBuffer,
} from "./model/session.ts"

/** Adds a reply, or the end of a turn without one, to the record of the current turn. */
export function addToTurn(
  session: Mutable<Session>,
  buffer: TurnBuffer,
  { usage: reported, stopReason }: Pick<Reply, "usage" | "stopReason">,
  failed: number,
  isSummed = false,
): void {
  const { turn, tokens } = buffer
  const reply = turnReplyOf(session, buffer)
  const output = reported.output ?? (tokens === 0 ? null : tokens)
  const usage: Usage = { input: reported.input, output, cached: reported.cached }
  const isTruncated = (reason: string | null) => (isTruncatedReply(reason) ? 1 : 0)
  session.failedTools += failed
  session.truncatedReplies += isTruncated(stopReason) - isTruncated(reply.stopReason)
  if (!turn.captured) session.totalUsage = sumUsage(session.totalUsage, usage)
  reply.model = turn.model
  reply.usage = sumUsage(reply.usage, usage)
  if (!isSummed) reply.context = withRequest(reply.context, usage)
  reply.captured = turn.captured
  reply.stopReason = stopReason
  reply.failedTools += failed
  session.replies = withTurnReply(session, reply)
}

/**
 * Ends the current turn: its usage is kept with its reply, or with a turn without one. `mayBeLate`: some event
 * of the epoch is missing, which may be its response.
 */
export function endTurn(session: Mutable<Session>, buffer: TurnBuffer, mayBeLate: boolean): void {
  const { replied, account, models, state } = buffer.turn
  if (!replied) addToTurn(session, buffer, { usage: noUsage, stopReason: session.stopReason }, 0)
  const reply = turnReplyOf(session, buffer)
  reply.account = account
  reply.models = models
  reply.state = state
  reply.cut = replied || !mayBeLate ? null : cutReply(buffer)
  session.replies = withTurnReply(session, reply)
}

function cutReply({ turn, deltas, tokens }: TurnBuffer): CutReply {
  const { requestTs, firstTs, endTs, hasReportedTokens } = turn
  return { requestTs, firstTs, endTs, deltas, tokens, hasReportedTokens }
}

/** Counts a tool call of the current turn that failed. */
export function addFailedTool(session: Mutable<Session>, buffer: TurnBuffer): void {
  session.failedTools++
  const reply = turnReplyOf(session, buffer)
  reply.failedTools++
  session.replies = withTurnReply(session, reply)
}

function turnReplyOf(
  { replies, turns, systemOrder }: Session,
  { turn: { model, captured, startSeq } }: TurnBuffer,
): Mutable<Reply> {
  const last = at(replies, replies.length - 1)
  if (last?.turn === turns) return { ...last, systemOrder }
  return { ...emptyReply, turn: turns, model, captured, startSeq, systemOrder }
}

/** The usage of a turn by model. */
export function partsOf({ models, model, account }: Pick<Reply, "models" | "model" | "account">): Accounts {
  // A copy, since an account is written in place while a batch is folded.
  return models ?? new Map(isEmptyAccount(account) ? [] : [[model ?? "", { ...account }]])
}

function withTurnReply({ replies }: Session, reply: Reply): ChunkedList<Reply> {
  const last = at(replies, replies.length - 1)
  return last?.turn === reply.turn ? withLast(replies, reply) : withReply(replies, reply)
}

/** A turn's context after one more request with this usage. */
export function withRequest(known: RequestInput, { input, cached }: Usage): RequestInput {
  return input === null ? known : { first: known.first ?? input, latest: input, cached }
}

/** The sum of two usages; a number that neither has stays null. */
export function sumUsage(total: Usage, usage: Usage): Usage {
  const sum = (a: number | null, b: number | null) => (a === null || b === null ? (a ?? b) : a + b)
  return {
    input: sum(total.input, usage.input),
    output: sum(total.output, usage.output),
    cached: sum(total.cached, usage.cached),
  }
}

/** The record of a turn, from 1, if it has one yet. Each turn has its own, in order; one of turn 0 may come first. */
export function replyOfTurn({ replies }: Pick<Session, "replies">, turn: number): Reply | undefined {
  const reply = at(replies, turn - 1)
  const own = reply?.turn === turn - 1 ? at(replies, turn) : reply
  return own?.turn === turn ? own : undefined
}
