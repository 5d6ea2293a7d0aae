// Records the stages of each session, which its bar in the waterfall is made of.
import { charge, stateNow } from "./charge.ts"
import { withStage, withStateEntry } from "./memory/pack-turns.ts"
import { at } from "./model/chunked-list.ts"
import { amountOf } from "./model/ledger.ts"
import type { PersonWait } from "./model/run.ts"
import type { Session, Stage, StageKind, TurnBuffer } from "./model/session.ts"
import type { RunBuilder } from "./run-builder.ts"
import { addFailedTool } from "./turn-replies.ts"

/** The stage a session is in; `asked` if it waits for a person. */
function stageOf(session: Session, { turn: { status } }: TurnBuffer, asked: boolean): StageKind {
  if (asked) return "human"
  if (status === "streaming") return "generation"
  // A retry is part of the wait for the first token, as in the ledger.
  if (status === "waiting") return session.turns === 0 ? "waiting" : "first-token"
  if (session.exitReason !== null) return "over"
  // A session fails once. If a person was asked after that, it was idle.
  if (status === "error") return lastStage(session)?.kind === "human" ? "waiting" : "failed"
  return session.pendingCalls.length > 0 ? "tool" : "waiting"
}

/** Begins another stage if the session's activity changed. Costs one record per change and nothing per delta. */
export function recordStage(builder: RunBuilder, index: number, ts: number | null): void {
  const { run } = builder
  const [session, buffer] = [run.sessions[index], run.turnBuffers[index]]
  if (session === undefined || buffer === undefined) return
  const isAsked = run.personWaits.some(wait => wait.session === index)
  beginStage(builder, index, stageOf(session, buffer, isAsked), ts)
}

/** Says which questions wait for a person from this moment on, and records whether any does. */
export function setPersonWaits({ run, facts }: RunBuilder, waits: readonly PersonWait[], ts: number | null): void {
  run.personWaits = waits
  const kind = waits.length > 0 ? "human" : "over"
  const last = at(facts.personStages, facts.personStages.length - 1)
  const moment = Math.max(last?.ts ?? -Infinity, ts ?? run.lastTs ?? -Infinity)
  if (kind !== (last?.kind ?? "over") && Number.isFinite(moment))
    facts.personStages = withStage(facts.personStages, { kind, ts: moment, turn: 0 })
}

/** Ends these waits for a person. What they took is their session's, or the run's if the chart asked. */
export function endPersonWaits(builder: RunBuilder, ended: readonly PersonWait[], ts: number | null): void {
  const { run } = builder
  const left = run.personWaits.filter(wait => !ended.includes(wait))
  setPersonWaits(builder, left, ts)
  for (const wait of ended) {
    const humanMs = (ts ?? run.lastTs ?? 0) - (wait.ts ?? Infinity)
    if (wait.session !== null) recordStage(builder, wait.session, ts)
    else if (humanMs > 0) charge(builder, null, { account: amountOf({ humanMs }), state: stateNow(builder), model: "" })
  }
}

/** Adds the stage of a tool that no call reported, from the time its result took, unless another stage began. */
export function recordToolStage(builder: RunBuilder, index: number, ts: number | null, elapsedMs: number | null): void {
  const session = builder.run.sessions[index]
  if (session === undefined || session.pendingCalls.length > 0 || ts === null || elapsedMs === null) return
  if (lastStage(session)?.kind === "waiting") beginStage(builder, index, "tool", ts - elapsedMs)
}

/** Marks the moment at which a tool of the session failed; counts it unless the reply had it already. */
export function recordFailedTool(builder: RunBuilder, index: number, ts: number | null, isTold: boolean): void {
  if (!isTold) addFailedTool(builder.session(index), builder.turnBuffer(index))
  beginStage(builder, index, "tool-failed", ts)
}

/** Event times can go back, but stage times must not, because stages are searched by time. */
function beginStage(builder: RunBuilder, index: number, kind: StageKind, ts: number | null): void {
  const { run } = builder
  const known = run.sessions[index]
  const last = known === undefined ? undefined : lastStage(known)
  if (known === undefined || (last?.kind === kind && last.turn === known.turns)) return
  const moment = Math.max(last?.ts ?? -Infinity, ts ?? run.lastTs ?? -Infinity)
  if (!Number.isFinite(moment)) return
  const session = builder.session(index)
  if (last?.kind === "human") {
    const humanMs = moment - last.ts
    charge(builder, index, { account: amountOf({ humanMs }), state: stateNow(builder), model: "" })
    if (session.pendingCalls.length > 0) session.askedMs += humanMs
  }
  session.stages = withStage(session.stages, { kind, ts: moment, turn: session.turns })
}

/** Records which chart states were entered, and when. */
export function recordStateEntries({ facts }: RunBuilder, ids: readonly string[], ts: number | null): void {
  const last = at(facts.stateEntries, facts.stateEntries.length - 1)
  const moment = Math.max(last?.ts ?? -Infinity, ts ?? -Infinity)
  if (ids.length > 0 && Number.isFinite(moment))
    facts.stateEntries = withStateEntry(facts.stateEntries, { ids, ts: moment })
}

function lastStage({ stages }: Session): Stage | undefined {
  return at(stages, stages.length - 1)
}
