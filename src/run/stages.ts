// Keeps what a session was doing from when on, stage after stage: what its bar in the waterfall is made of.

import { withEntered, withStage } from "./memory/pack-turns.ts"
import { at } from "./model/chunked-list.ts"
import type { Session, Stage, StageKind, TurnBuffer } from "./model/session.ts"
import type { RunBuilder } from "./run-builder.ts"

/** What a session does by what is known of it; `asked` where a person is waited for on its behalf. */
function stageOf(session: Session, { status }: TurnBuffer, asked: boolean): StageKind {
  if (asked) return "human"
  if (status === "streaming") return "generation"
  // Before its first turn, and between two attempts, it waits for its turn to begin.
  if (status === "waiting") return session.turns === 0 || session.retry !== null ? "waiting" : "first-token"
  if (session.exitReason !== null) return "over"
  // It fails once: whoever was asked after that was asked while it did nothing.
  if (status === "error") return lastOf(session)?.kind === "human" ? "waiting" : "failed"
  return session.pendingCalls > 0 ? "tool" : "waiting"
}

/** Begins another stage where what the session does has changed. Costs one record a change, none a delta. */
export function recordStage(builder: RunBuilder, index: number, ts: number | null): void {
  const [session, stream] = [builder.run.sessions[index], builder.run.turnBuffers[index]]
  if (session === undefined || stream === undefined) return
  beginStage(builder, index, stageOf(session, stream, builder.run.askingSessions.includes(index)), ts)
}

/** A tool whose call was not shown began when its result says so, unless another stage has begun since. */
export function recordToolStage(builder: RunBuilder, index: number, ts: number | null, elapsedMs: number | null): void {
  const session = builder.run.sessions[index]
  if (session === undefined || session.pendingCalls > 0 || ts === null || elapsedMs === null) return
  if (lastOf(session)?.kind === "waiting") beginStage(builder, index, "tool", ts - elapsedMs)
}

/** Times of events may step back; stages do not, so that they can be searched. */
function beginStage(builder: RunBuilder, index: number, kind: StageKind, ts: number | null): void {
  const known = builder.run.sessions[index]
  const last = known === undefined ? undefined : lastOf(known)
  if (known === undefined || (last?.kind === kind && last.turn === known.turns)) return
  const moment = Math.max(last?.ts ?? Number.NEGATIVE_INFINITY, ts ?? builder.run.lastTs ?? Number.NEGATIVE_INFINITY)
  if (!Number.isFinite(moment)) return
  const session = builder.session(index)
  session.stages = withStage(session.stages, { kind, ts: moment, turn: session.turns })
}

/** Keeps which states of the chart were entered, and when. */
export function recordStateEntries(builder: RunBuilder, ids: readonly string[], ts: number | null): void {
  const last = at(builder.run.stateEntries, builder.run.stateEntries.length - 1)
  const moment = Math.max(last?.ts ?? Number.NEGATIVE_INFINITY, ts ?? Number.NEGATIVE_INFINITY)
  if (ids.length > 0 && Number.isFinite(moment))
    builder.run.stateEntries = withEntered(builder.run.stateEntries, { ids, ts: moment })
}

function lastOf({ stages }: Session): Stage | undefined {
  return at(stages, stages.length - 1)
}
