// What is known of one turn of a session: who answered, how long it took, and how many tokens.
import type { Usage } from "../../protocol/frame.ts"
import { at, firstIndexWhere } from "../model/chunked-list.ts"
import type { Run } from "../model/run.ts"
import { noUsage } from "../model/session.ts"
import { waterfallTurnOf } from "./waterfall.ts"

export interface TurnFacts {
  /** May be shown. */
  readonly model: string | null
  /** What it spent on its reply, its tools and whom it asked, up to now where it lasts; null where no event of it had a time. */
  readonly ms: number | null
  readonly usage: Usage
}

/** The facts of a turn, from 1, of the session at `index`; of the turn under way as far as they are known at `now`. */
export function turnFacts(run: Run, index: number, turn: number, now: number): TurnFacts | null {
  const [session, stream] = [run.sessions[index], run.turnBuffers[index]]
  if (session === undefined || stream === undefined || turn < 1) return null
  const { replies, turns } = session
  const { model } = stream
  const reply = at(
    replies,
    firstIndexWhere(replies, one => one.turn >= turn),
  )
  const took = waterfallTurnOf(run, index, turn, now)
  // What it waits for behind its last word is the next turn.
  const ms = took === null ? null : Object.values({ ...took.ms, waiting: 0 }).reduce((sum, one) => sum + one, 0)
  if (reply?.turn === turn) return { model: reply.model, ms, usage: reply.usage }
  if (turn !== turns) return { model: null, ms, usage: noUsage }
  return { model, ms, usage: { ...noUsage, output: stream.tokens === 0 ? null : stream.tokens } }
}
