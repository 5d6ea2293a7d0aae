// Sessions against time: which stretch of time is shown, and what each session does in each piece of it.

import { at, type ChunkedList, firstIndexWhere, slice } from "../model/chunked-list.ts"
import type { Run } from "../model/run.ts"
import type { Stage, StageKind } from "../model/session.ts"
import { isAtWork } from "./figures.ts"

/** What a person has chosen to see of the waterfall. The row under its cursor is the inspector's. */
export interface WaterfallViewport {
  /** Ms that are shown; null for the whole run. */
  readonly width: number | null
  /** Where they begin, epoch ms; null follows the end. */
  readonly from: number | null
  /** The chosen turn of the session under the cursor; null for the one at the moment shown. */
  readonly turn: number | null
}

export const wholeViewport: WaterfallViewport = { width: null, from: null, turn: null }

/** A stretch of time, epoch ms. */
export interface TimeRange {
  readonly from: number
  readonly to: number
}

/** The kinds that a bar shows, in the order in which a turn goes through them, and what they are called. */
export const STAGES = ["waiting", "first-token", "generation", "tool", "human", "failed"] as const
export const STAGE_NAMES: { readonly [kind in (typeof STAGES)[number]]: string } = {
  waiting: "waiting",
  "first-token": "first token",
  generation: "generation",
  tool: "tool",
  human: "human",
  failed: "failed",
}

/** Ms below which nothing is shown any nearer. */
const LEAST = 20
/** Stages of one piece of a bar that are looked at: more of them are not told apart in it. */
const LOOKED_AT = 8

/** From the run's first event to its last, or to `now` where that is later; null before the first. */
export function runRange({ firstTs, lastTs }: Run, now: number | null): TimeRange | null {
  if (firstTs === null || lastTs === null) return null
  return { from: firstTs, to: Math.max(firstTs + LEAST, lastTs, now ?? lastTs) }
}

/** The part of the whole that is shown. */
export function visibleRange(fall: WaterfallViewport, whole: TimeRange): TimeRange {
  const wide = Math.max(LEAST, Math.min(fall.width ?? Number.POSITIVE_INFINITY, whole.to - whole.from))
  const from = Math.max(whole.from, Math.min(fall.from ?? Number.POSITIVE_INFINITY, whole.to - wide))
  return { from, to: from + wide }
}

/** Twice or half as near, around a moment, which keeps its place. */
export function zoomed(fall: WaterfallViewport, whole: TimeRange, step: 1 | -1, around: number): WaterfallViewport {
  const { from, to } = visibleRange(fall, whole)
  const wide = Math.max(LEAST, step === 1 ? (to - from) / 2 : (to - from) * 2)
  if (wide >= whole.to - whole.from) return { ...fall, width: null, from: null }
  const place = Math.max(0, Math.min(1, (around - from) / (to - from)))
  return { ...fall, width: wide, from: around - place * wide }
}

/** A quarter of what is shown to one side; at its end the run is followed. */
export function panned(fall: WaterfallViewport, whole: TimeRange, step: 1 | -1): WaterfallViewport {
  const { from, to } = visibleRange(fall, whole)
  const next = from + ((to - from) / 4) * step
  return { ...fall, from: next >= whole.to - (to - from) ? null : Math.max(whole.from, next) }
}

/** As much to the side as it takes to see a stretch. */
export function scrolledTo(fall: WaterfallViewport, whole: TimeRange, { from, to }: TimeRange): WaterfallViewport {
  const shown = visibleRange(fall, whole)
  if (from >= shown.from && Math.min(to, from + (shown.to - shown.from)) <= shown.to) return fall
  return { ...fall, from: from - (shown.to - shown.from) / 8 }
}

/** When the latest stage of a session ended; `now` where it lasts. */
export function lastStageEnd(run: Run, index: number, now: number): number {
  const [session, stream] = [run.sessions[index], run.turnBuffers[index]]
  const last = session === undefined ? undefined : at(session.stages, session.stages.length - 1)
  if (session === undefined || last === undefined) return 0
  const isAwaited = last.kind === "human" || last.kind === "tool"
  const isOver = run.status !== "running" || session.epoch !== run.epochs.length - 1
  if (isAtWork(run, index) || (isAwaited && !isOver)) return Math.max(last.ts, now)
  if (last.kind === "over" || last.kind === "failed" || (last.kind === "waiting" && last.turn > 0)) return last.ts
  return Math.max(last.ts, session.lastTs ?? 0, stream?.lastTs ?? 0)
}

/** Ms that each kind of stage took. */
export type StageTimes = { readonly [kind in StageKind]?: number }

/** A turn of a session: when it began, and what it did for how long; null where no such turn was seen. */
export interface WaterfallTurn extends TimeRange {
  readonly turn: number
  readonly ms: StageTimes
}

/** A stage of a bar. */
export interface BarPiece extends TimeRange {
  readonly kind: (typeof STAGES)[number]
  readonly turn: number
}

/** All that a bar is made of. Costs the stages. */
export function barPieces(run: Run, index: number, now: number): readonly BarPiece[] {
  const stages = run.sessions[index]?.stages
  if (stages === undefined) return []
  return slice(stages, 0, stages.length).flatMap(({ kind, ts, turn }, place) => {
    if (kind === "over" || isRest(stages, place)) return []
    return [{ kind, turn, from: ts, to: at(stages, place + 1)?.ts ?? lastStageEnd(run, index, now) }]
  })
}

/** Looks only at the stages of that turn. */
export function waterfallTurnOf(run: Run, index: number, turn: number, now: number): WaterfallTurn | null {
  const stages = run.sessions[index]?.stages
  if (stages === undefined) return null
  const first = firstIndexWhere(stages, stage => stage.turn >= turn)
  const from = at(stages, first)
  if (from?.turn !== turn) return null
  const ms: { [kind in StageKind]?: number } = {}
  let to = from.ts
  for (let i = first; i < stages.length; i++) {
    const stage = at(stages, i)
    if (stage?.turn !== turn) break
    to = at(stages, i + 1)?.ts ?? lastStageEnd(run, index, now)
    if ((to > stage.ts || stage.kind === "failed") && !isRest(stages, i))
      ms[stage.kind] = (ms[stage.kind] ?? 0) + to - stage.ts
  }
  return { turn, from: from.ts, to, ms }
}

/** The turn that a session was in at a moment; 0 before its first. */
export function turnAt(run: Run, index: number, ts: number): number {
  const stages = run.sessions[index]?.stages
  return stages === undefined ? 0 : (at(stages, firstIndexWhere(stages, stage => stage.ts > ts) - 1)?.turn ?? 0)
}

/**
 * What a session does in each of `columns` equal pieces of a stretch: what takes most of the piece, but a failure
 * before all; null where it does nothing. Costs the pieces, not the stages.
 */
export function barStages(
  run: Run,
  index: number,
  shown: TimeRange,
  columns: number,
  now: number,
): readonly (Stage | null)[] {
  const stages = run.sessions[index]?.stages
  if (stages === undefined || stages.length === 0) return Array.from({ length: columns }, () => null)
  const end = lastStageEnd(run, index, now)
  const piece = (shown.to - shown.from) / columns
  return Array.from({ length: columns }, (_, column) => {
    const from = shown.from + column * piece
    return from > end ? null : mostOf(stages, { from, to: from + piece }, end)
  })
}

function mostOf(stages: ChunkedList<Stage>, { from, to }: TimeRange, end: number): Stage | null {
  const first = Math.max(0, firstIndexWhere(stages, stage => stage.ts > from) - 1)
  const last = firstIndexWhere(stages, stage => stage.ts >= to) - 1
  const step = Math.max(1, (last - first + 1) / LOOKED_AT)
  let most: Stage | null = null
  let longest = -1
  for (let i = first; i <= last; i += step) {
    const place = Math.floor(i)
    const stage = at(stages, place)
    const next = at(stages, place + 1)?.ts ?? end
    if (stage === undefined || stage.kind === "over" || isRest(stages, place) || next < from) continue
    if (stage.kind === "failed" && stage.ts >= from) return stage
    const took = Math.min(next, to) - Math.max(stage.ts, from)
    if (stage.kind === "failed" || took <= longest) continue
    most = stage
    longest = took
  }
  return most
}

/** True for what follows a session's last turn: nothing is waited for. */
function isRest(stages: ChunkedList<Stage>, place: number): boolean {
  const stage = at(stages, place)
  const next = at(stages, place + 1)
  return stage?.kind === "waiting" && stage.turn > 0 && (next === undefined || next.kind === "over")
}
