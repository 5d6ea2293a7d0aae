// Lays sessions out against time: the visible time range, and each session's stages in it.
import { at, type ChunkedList, emptyList, firstIndexWhere, slice } from "../model/chunked-list.ts"
import type { Run } from "../model/run.ts"
import type { Stage, StageKind } from "../model/session.ts"
import { isAtWork } from "./figures.ts"

export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** The stages that a bar shows, in the order of a turn. */
export const STAGES = ["waiting", "first-token", "generation", "tool", "human", "failed"] as const

/** The name of a stage, for people. */
export function stageName(kind: StageKind): string {
  return kind.replace("-", " ")
}

/** True for the stages that are a moment, and are drawn as a cross. */
export function isFailure(kind: StageKind): boolean {
  return kind === "failed" || kind === "tool-failed"
}

const MIN_WIDTH = 20
/** Maximum number of stages examined for one column of a bar. */
const MAX_EXAMINED = 8

/** From the run's first event to its last, or to `now` if that is later. Null if there are no two times. */
export function runRange({ firstTs, lastTs }: Run, now: number | null): TimeRange | null {
  if (firstTs === null || lastTs === null || Math.max(lastTs, now ?? lastTs) === firstTs) return null
  return { from: firstTs, to: Math.max(firstTs + MIN_WIDTH, lastTs, now ?? lastTs) }
}

/** The part of a run around one of its moments, as long before it as behind it. */
export function rangeAround(whole: TimeRange, { from, to }: TimeRange): TimeRange {
  const beside = Math.max(MIN_WIDTH, to - from)
  return { from: Math.max(whole.from, from - beside), to: Math.min(whole.to, to + beside) }
}

/** A bar of the waterfall: a session, by its index, or the person who is asked. */
export type Lane = number | "you"

function stagesOf(run: Run, lane: Lane): ChunkedList<Stage> {
  return lane === "you" ? run.facts.personStages : (run.sessions[lane]?.stages ?? emptyList)
}

/** True if anybody ever waited for a person, who then has a bar too. */
export function hasYou({ facts: { personStages } }: Run): boolean {
  return personStages.length > 0
}

/** When the latest stage of a bar ended; `now` if it has not. */
export function lastStageEnd(run: Run, index: Lane, now: number): number {
  if (index === "you") return run.status === "running" ? now : (run.lastTs ?? 0)
  const [session, buffer] = [run.sessions[index], run.turnBuffers[index]]
  const last = session === undefined ? undefined : at(session.stages, session.stages.length - 1)
  if (session === undefined || last === undefined) return 0
  const isAwaited = last.kind === "human" || last.kind === "tool"
  const isOver = run.status !== "running" || session.epoch !== run.epochs.length - 1
  const told = Math.max(last.ts, session.lastTs ?? 0, buffer?.lastTs ?? 0)
  // The clock of an agent elsewhere may be ahead of ours.
  if (isAtWork(run, index) || (isAwaited && !isOver)) return Math.max(told, now)
  if (last.kind === "over" || last.kind === "failed" || (last.kind === "waiting" && last.turn > 0)) return last.ts
  return told
}

export type StageTimes = { readonly [kind in StageKind]?: number }

export interface WaterfallTurn extends TimeRange {
  readonly turn: number
  /** The time of its beginning is known. */
  readonly isWhole: boolean
  readonly ms: StageTimes
}

export interface BarPiece extends TimeRange {
  readonly kind: Exclude<StageKind, "over">
  readonly turn: number
}

/** The stages of a bar. Costs as much as there are stages. */
export function barPieces(run: Run, index: Lane, now: number): readonly BarPiece[] {
  const stages = stagesOf(run, index)
  return slice(stages, 0, stages.length).flatMap((stage, place, all) => {
    const next = all[place + 1]
    if (stage.kind === "over" || isIdleAfterLastTurn(stage, next)) return []
    return [{ kind: stage.kind, turn: stage.turn, from: stage.ts, to: next?.ts ?? lastStageEnd(run, index, now) }]
  })
}

/** A turn of a session; null if it has no stages. Examines only the stages of that turn. */
export function waterfallTurnOf(run: Run, index: number, turn: number, now: number): WaterfallTurn | null {
  const stages = stagesOf(run, index)
  const first = firstIndexWhere(stages, stage => stage.turn >= turn)
  const from = at(stages, first)
  if (from?.turn !== turn) return null
  const ms: { [kind in StageKind]?: number } = {}
  let to = from.ts
  for (let i = first; i < stages.length; i++) {
    const stage = at(stages, i)
    if (stage?.turn !== turn) break
    const next = at(stages, i + 1)
    to = next?.ts ?? lastStageEnd(run, index, now)
    if ((to > stage.ts || stage.kind === "failed") && !isIdleAfterLastTurn(stage, next))
      ms[stage.kind] = (ms[stage.kind] ?? 0) + to - stage.ts
  }
  return { turn, isWhole: from.kind === "waiting" || from.kind === "first-token", from: from.ts, to, ms }
}

/** The turn that a session was in at a moment; 0 before its first. */
export function turnAt(run: Run, index: number, ts: number): number {
  const stages = stagesOf(run, index)
  return at(stages, firstIndexWhere(stages, stage => stage.ts > ts) - 1)?.turn ?? 0
}

/** The longest stage in each of `columns` parts of a range; a failure comes first; null if none. Costs the columns. */
export function barStages(
  run: Run,
  index: Lane,
  shown: TimeRange,
  columns: number,
  now: number,
): readonly (Stage | null)[] {
  const stages = stagesOf(run, index)
  if (stages.length === 0) return Array.from({ length: columns }, () => null)
  const end = lastStageEnd(run, index, now)
  const piece = (shown.to - shown.from) / columns
  return Array.from({ length: columns }, (_, column) => {
    const from = shown.from + column * piece
    return from > end ? null : dominantStage(stages, { from, to: from + piece }, end)
  })
}

function dominantStage(stages: ChunkedList<Stage>, { from, to }: TimeRange, end: number): Stage | null {
  const first = Math.max(0, firstIndexWhere(stages, stage => stage.ts >= from) - 1)
  const last = firstIndexWhere(stages, stage => stage.ts >= to) - 1
  const step = Math.max(1, (last - first + 1) / MAX_EXAMINED)
  let most: Stage | null = null
  let longest = -1
  for (let i = first; i <= last; i += step) {
    const place = Math.floor(i)
    const stage = at(stages, place)
    const following = at(stages, place + 1)
    const next = following?.ts ?? end
    if (stage === undefined || stage.kind === "over" || isIdleAfterLastTurn(stage, following)) continue
    if (stage.ts < from && (following === undefined ? next < from : next <= from)) continue
    if (isFailure(stage.kind) && stage.ts >= from) return stage
    const took = Math.min(next, to) - Math.max(stage.ts, from)
    if (isFailure(stage.kind) || took <= longest) continue
    most = stage
    longest = took
  }
  return most
}

/** True for the wait after a session's last turn, in which it waits for nothing. */
function isIdleAfterLastTurn({ kind, turn }: Stage, next: Stage | undefined): boolean {
  return kind === "waiting" && turn > 0 && (next === undefined || next.kind === "over")
}
