// Draws who worked when, as lanes on one scale: of a session, of an invocation, and of the person who was waited for.
import { firstIndex } from "../../run/model/binary-search.ts"
import { at } from "../../run/model/chunked-list.ts"
import { derived } from "../../run/model/derived.ts"
import type { Run } from "../../run/model/run.ts"
import type { StageKind } from "../../run/model/session.ts"
import { noTally, type Tally } from "../../run/model/tally.ts"
import { isActive } from "../../run/select/figures.ts"
import { barStages, type Lane, lastStageEnd, runRange, type TimeRange } from "../../run/select/waterfall.ts"
import { heightOf } from "../../ui/glyphs.ts"
import { type Hue, merged, type RenderContext, type Span, span } from "../../ui/line.ts"
import { roundEnd, ticksWithin } from "../../ui/text-width.ts"
import { isOver } from "../../view/state.ts"
import { stageGlyph, stageToken } from "./stage-mark.ts"

/** Sessions that work no more: when they began and when they ended, each in order; epoch ms. */
interface Ended {
  readonly begins: readonly number[]
  readonly ends: readonly number[]
}

/** A tally is replaced when a session comes, begins or ends. */
const endedOfTally = derived<Ended>()

/**
 * How many sessions of an invocation, of all for null, worked in each of `columns` parts of a range; those that go on
 * work until `now`, epoch ms. Costs the columns and the sessions that go on.
 */
export function sessionsAtWork(
  run: Run,
  invocation: number | null,
  { from, to }: TimeRange,
  columns: number,
  now: number,
): readonly number[] {
  const tally = (invocation === null ? run.tally : run.tallies[invocation]) ?? noTally
  const piece = (to - from) / columns
  const columnOf = (ts: number) => Math.max(0, Math.min(columns, Math.floor((ts - from) / piece)))
  /** How many more go on in a column than in the one before. */
  const more = Array.from({ length: columns + 2 }, () => 0)
  for (const index of tally.open) {
    const [begin, end] = [run.sessions[index]?.beganTs ?? Infinity, lastStageEnd(run, index, now)]
    const [first, last] = [columnOf(begin), columnOf(end)]
    if (end < from) continue
    more[first] = (more[first] ?? 0) + 1
    more[last + 1] = (more[last + 1] ?? 0) - 1
  }
  const { begins, ends } = endedOfTally([tally], () => endedOf(run, invocation, tally))
  let goOn = 0
  return Array.from({ length: columns }, (_, column) => {
    goOn += more[column] ?? 0
    const begun = firstIndex(begins.length, index => (begins[index] ?? 0) >= from + (column + 1) * piece)
    const ended = firstIndex(ends.length, index => (ends[index] ?? 0) >= from + column * piece)
    return goOn + begun - ended
  })
}

function endedOf(run: Run, invocation: number | null, tally: Tally): Ended {
  const open = new Set(tally.open)
  const sessions = invocation === null ? [...run.sessions.keys()] : (run.invocations[invocation]?.sessions ?? [])
  const ended = sessions.flatMap(index => {
    const begin = run.sessions[index]?.beganTs
    return begin == null || open.has(index) ? [] : [{ begin, end: lastStageEnd(run, index, begin) }]
  })
  const sorted = (times: readonly number[]) => times.toSorted((a, b) => a - b)
  return { begins: sorted(ended.map(({ begin }) => begin)), ends: sorted(ended.map(({ end }) => end)) }
}

/** The stages of more sessions in one lane tell less than how many of them worked. */
const MOST_SESSIONS = 12
/** Of the stages of several sessions in one column, the first of these is drawn. */
const FIRST_KINDS: readonly StageKind[] = [
  ...(["failed", "tool-failed", "human", "generation", "tool", "first-token", "waiting"] as const),
]

/** The time that all lanes show, in so many columns, and the ticks above or below them. */
export type LaneScale = Readonly<NonNullable<ReturnType<typeof laneScale>>>

/** The scale of a run from its start; null where nothing has a time, or lanes have no room. */
export function laneScale(run: Run, { now }: RenderContext, columns: number) {
  const whole = runRange(run, isOver(run) ? null : now)
  if (whole === null || columns < 20) return null
  const ms = Math.max(1, whole.to - whole.from)
  // That of a run that is over ends with it.
  const end = isOver(run) ? ms : roundEnd(ms)
  return {
    columns,
    shown: { from: whole.from, to: whole.from + end },
    /** The latest known time, epoch ms. */
    to: whole.to,
    ticks: ticksWithin(0, end, columns),
  }
}

/** Cells change with a stage, or as time gets to the next column. */
const drawn = derived<readonly Span[]>()

/** The lane of one session. */
export function sessionLane(run: Run, index: number, scale: LaneScale, context: RenderContext): readonly Span[] {
  const session = run.sessions[index]
  if (session === undefined) return []
  return stageLane(run, [index], `hue${session.invocation}`, scale, context)
}

/** The lane of an invocation: the stages of its sessions, of many how many of them worked. */
export function groupLane(run: Run, group: number, scale: LaneScale, context: RenderContext): readonly Span[] {
  const sessions = run.invocations[group]?.sessions ?? []
  const tally = run.tallies[group]
  const hue: Hue = `hue${group}`
  if (tally === undefined || sessions.length <= MOST_SESSIONS) return stageLane(run, sessions, hue, scale, context)
  const isLit = tally.open.length > 0 && !isOver(run) && context.goneMs == null
  return drawn([tally, columnOf(scale), scale.shown.to, scale.columns, isLit, run.status], () => {
    const counts = sessionsAtWork(run, group, scale.shown, scale.columns, scale.to)
    const most = Math.max(1, ...counts)
    const cells = counts.map(count => (count > 0 ? heightOf(count, most, context.glyphs) : " "))
    return [span(cells.join(""), hue, { faint: !isLit, lane: true })]
  })
}

/** When a person was waited for. */
export function youLane(run: Run, scale: LaneScale, context: RenderContext): readonly Span[] {
  return stageLane(run, ["you"], "hue0", scale, context)
}

function stageLane(
  run: Run,
  lanes: readonly Lane[],
  hue: Hue,
  scale: LaneScale,
  { glyphs, goneMs }: RenderContext,
): readonly Span[] {
  const { shown, columns, to } = scale
  const stages = lanes.map(lane => (lane === "you" ? run.facts.personStages : run.sessions[lane]?.stages))
  const isLit = goneMs == null && lanes.some(lane => isMoving(run, lane))
  const key = stages[0]
  if (key === undefined) return []
  return drawn([key, columnOf(scale), shown.to, columns, isLit, goneMs == null, run.status, ...stages], () => {
    const bars = lanes.map(lane => barStages(run, lane, shown, columns, to))
    const cells = Array.from({ length: columns }, (_, column) => {
      const kinds = bars.map(bar => bar[column]?.kind)
      const kind = FIRST_KINDS.find(one => kinds.includes(one))
      if (kind === undefined) return span(" ", "normal", { lane: true })
      const token = goneMs == null ? stageToken(kind, hue) : "dim"
      return span(stageGlyph(kind, glyphs), token, { faint: !isLit, lane: true })
    })
    return merged(cells)
  })
}

function isMoving(run: Run, lane: Lane): boolean {
  if (lane !== "you") return isActive(run, lane)
  return run.status === "running" && at(run.facts.personStages, run.facts.personStages.length - 1)?.kind === "human"
}

/** The column of the latest known time. */
function columnOf({ shown, to, columns }: LaneScale): number {
  return Math.floor(((to - shown.from) / (shown.to - shown.from)) * columns)
}
