// Draws who worked when, as lanes on one scale: of a session, of an invocation, and of the person who was waited for.
import { at } from "../../run/model/chunked-list.ts"
import { derived } from "../../run/model/derived.ts"
import type { Run } from "../../run/model/run.ts"
import type { StageKind } from "../../run/model/session.ts"
import { isActive } from "../../run/select/figures.ts"
import { barStages, type Lane, runRange, type TimeRange } from "../../run/select/waterfall.ts"
import { heightOf } from "../../ui/glyphs.ts"
import { type Hue, merged, type RenderContext, type Span, span } from "../../ui/line.ts"
import { roundTicks, ticksWithin } from "../../ui/text-width.ts"
import { isOver } from "../../view/state.ts"
import { sessionsAtWork } from "./sessions-at-work.ts"
import { stageGlyph, stageToken } from "./stage-mark.ts"

/** The stages of more sessions in one lane tell less than how many of them worked. */
const MOST_SESSIONS = 12
/** Of the stages of several sessions in one column, the first of these is drawn. */
const FIRST_KINDS: readonly StageKind[] = [
  ...(["failed", "tool-failed", "human", "generation", "tool", "first-token", "waiting"] as const),
]

/** The time that all lanes show, in so many columns, and the ticks above or below them. */
export interface LaneScale {
  readonly columns: number
  readonly shown: TimeRange
  /** The latest known time, epoch ms. */
  readonly to: number
  readonly ticks: string
}

/** The scale of a run from its start; null where nothing has a time, or lanes have no room. */
export function laneScale(run: Run, { now }: RenderContext, columns: number): LaneScale | null {
  const whole = runRange(run, isOver(run) ? null : now)
  if (whole === null || columns < 20) return null
  const ms = Math.max(1, whole.to - whole.from)
  // That of a run that is over ends with it.
  const { words, end } = isOver(run) ? { words: ticksWithin(0, ms, columns), end: ms } : roundTicks(ms, columns)
  return { columns, shown: { from: whole.from, to: whole.from + end }, to: whole.to, ticks: words }
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
  const isLit = tally.open.length > 0 && context.goneMs == null
  return drawn([tally, columnOf(scale), scale.shown.to, scale.columns, isLit], () => {
    const counts = sessionsAtWork(run, group, scale.shown, scale.columns, scale.to)
    const most = Math.max(1, ...counts)
    const cells = counts.map((count, column) =>
      count > 0 && column <= columnOf(scale) ? heightOf(count, most, context.glyphs) : " ",
    )
    return [span(cells.join(""), hue, { faint: !isLit })]
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
      if (kind === undefined) return span(" ")
      return span(stageGlyph(kind, glyphs), goneMs == null ? stageToken(kind, hue) : "dim", { faint: !isLit })
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
