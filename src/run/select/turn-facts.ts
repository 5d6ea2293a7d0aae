import { isTruncatedReply } from "../log.ts"
import { at, firstIndexWhere } from "../model/chunked-list.ts"
import { emptyReply } from "../model/empty-session.ts"
import type { Row, Run } from "../model/run.ts"
import { noUsage, type Reply, type Session } from "../model/session.ts"
import { replyOfTurn, sumUsage } from "../turn-replies.ts"
import { waterfallTurnOf } from "./waterfall.ts"

type Told = "model" | "usage" | "context" | "stopReason" | "failedTools" | "captured"

export interface TurnFacts extends Pick<Reply, Told> {
  /** Ms spent on the reply and tools so far, without waits for a person; null without the times of both ends. */
  readonly ms: number | null
}

export const noTurnFacts: TurnFacts = { ...emptyReply, ms: null }

/** The failures: a refused or truncated reply, failed tools. */
export function troubleWords({
  stopReason,
  failedTools,
}: Pick<Reply, "stopReason" | "failedTools">): readonly string[] {
  return [
    ...(isTruncatedReply(stopReason) ? [stopReason === "refusal" ? "refused" : "truncated: token limit"] : []),
    ...(failedTools === 0 ? [] : [failedTools === 1 ? "1 tool failed" : `${failedTools} tools failed`]),
  ]
}

/** The turn of a row of a session: that of its entries, or of the next entries; 0 before the first. */
export function turnOfRow({ entries, turns }: Session, { order }: Row): number {
  const place = firstIndexWhere(entries, entry => entry.order >= order)
  return at(entries, place)?.turn ?? turns
}

/** The facts of a turn, from 1; those of the current one as far as `now`. Null if there is no such turn. */
export function turnFacts(run: Run, index: number, turn: number, now: number): TurnFacts | null {
  const [session, buffer] = [run.sessions[index], run.turnBuffers[index]]
  if (session === undefined || buffer === undefined || turn < 1) return null
  const took = waterfallTurnOf(run, index, turn, now)
  // Waiting after the last word belongs to the next turn, and a person's time to no turn.
  const spent = Object.values({ ...took?.ms, waiting: 0, human: 0 }).reduce((sum, one) => sum + one, 0)
  const ms = took?.isWhole === true && spent > 0 ? spent : null
  const { usage, context, model, stopReason, failedTools, captured } = replyOfTurn(session, turn) ?? noTurnFacts
  const known = { ms, context, stopReason, failedTools }
  if (turn !== session.turns) return { ...known, model, usage, captured }
  const streamed = { ...noUsage, output: buffer.turn.replied || buffer.tokens === 0 ? null : buffer.tokens }
  return { ...known, model: buffer.turn.model, usage: sumUsage(usage, streamed), captured: buffer.turn.captured }
}
