// Collects what is known of one turn of a session: model, duration and tokens.
import type { Usage } from "../../protocol/event-body.ts"
import { at, firstIndexWhere } from "../model/chunked-list.ts"
import type { Run } from "../model/run.ts"
import { noUsage } from "../model/session.ts"
import { waterfallTurnOf } from "./waterfall.ts"

export interface TurnFacts {
  /** May be shown. */
  readonly model: string | null
  /** Ms spent on the reply, tools and questions, until `now` if the turn is not over. Null if no event had a time. */
  readonly ms: number | null
  readonly usage: Usage
}

/** The facts of a turn, from 1; those of the current one as far as `now`. Null if there is no such turn. */
export function turnFacts(run: Run, index: number, turn: number, now: number): TurnFacts | null {
  const [session, buffer] = [run.sessions[index], run.turnBuffers[index]]
  if (session === undefined || buffer === undefined || turn < 1) return null
  const { replies, turns } = session
  const { model } = buffer
  const reply = at(
    replies,
    firstIndexWhere(replies, one => one.turn >= turn),
  )
  const took = waterfallTurnOf(run, index, turn, now)
  // Waiting after the last word belongs to the next turn.
  const ms = took === null ? null : Object.values({ ...took.ms, waiting: 0 }).reduce((sum, one) => sum + one, 0)
  if (reply?.turn === turn) return { model: reply.model, ms, usage: reply.usage }
  if (turn !== turns) return { model: null, ms, usage: noUsage }
  return { model, ms, usage: { ...noUsage, output: buffer.tokens === 0 ? null : buffer.tokens } }
}
