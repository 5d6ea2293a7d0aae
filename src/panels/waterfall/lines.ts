// Draws sessions against time: a bar for each in stages, below the states that the chart entered meanwhile.
import { at, firstIndexWhere } from "../../run/model/chunked-list.ts"
import type { Run } from "../../run/model/run.ts"
import { sessionName } from "../../run/select/figures.ts"
import { noTurnFacts, troubleWords, turnFacts } from "../../run/select/turn-facts.ts"
import {
  barStages,
  hasYou,
  runRange,
  STAGES,
  stageName,
  type TimeRange,
  waterfallTurnOf,
} from "../../run/select/waterfall.ts"
import {
  blank,
  clipSpans,
  type Hue,
  type Line,
  line,
  lineWidth,
  merged,
  type RenderContext,
  rowClick,
  type Span,
  span,
  wholeParts,
} from "../../ui/line.ts"
import { clip, clipName, clock, count, duration, offset, pad, ticksWithin, width } from "../../ui/text-width.ts"
import { clamp } from "../../view/cursor-step.ts"
import type { State } from "../../view/state.ts"
import { groupLane, youLane } from "../common/lanes.ts"
import { listLines } from "../common/list/list.ts"
import type { Place } from "../common/panel.ts"
import { stageGlyph, stageToken } from "../common/stage-mark.ts"
import { momentOf, shownRange, waterfallNow, waterfallRow, waterfallTurn } from "./update.ts"

type AxisLayout = Readonly<NonNullable<ReturnType<typeof axisOf>>>

/** Names of the sessions take a fifth of the columns, within these; in a narrow place at least the fewest. */
const NAME = { fewest: 10, least: 15, most: 26 }
const NARROW = 50

function axisOf(state: State, { render, columns }: Place) {
  const shown = shownRange(state, render.now)
  if (shown === null) return null
  const name = clamp(Math.floor(columns / 5), columns < NARROW ? NAME.fewest : NAME.least, NAME.most)
  const room = Math.max(1, columns - name)
  // `name` and `room` are columns: of the names, and of the bars behind them. `place` is that of the moment shown.
  return { shown, now: waterfallNow(state, render.now), name, room, place: columnOf(momentOf(state), shown, room) }
}

/** The axis, the states, where not all sessions have a row their invocations, and when a person was waited for. */
export function waterfallHeading(state: State, place: Place): readonly Line[] {
  const run = state.present
  const axis = axisOf(state, place)
  const { rows, render } = place
  if (axis === null || run.sessions.length === 0) return []
  const you = rows >= 6 && hasYou(run)
  const others = 1 + [rows >= 4, rows >= 5, rows >= 8, you].filter(has => has).length
  const { length } = run.invocations
  const overview = run.sessions.length > rows - others && length <= Math.floor(rows / 4) ? length : 0
  const scale = { columns: axis.room, shown: axis.shown, to: axis.now, ticks: "" }
  return [
    ...(rows >= 5 ? [axisLine(run, axis, render)] : []),
    stateLine(run, axis, render),
    ...run.invocations.slice(0, overview).map(({ title, sessions }, group): Line => {
      const head = span(pad(`   ${clip(title, axis.name - 4, render.glyphs.ellipsis)}`, axis.name), `hue${group}`)
      return { spans: [head, ...groupLane(run, group, scale, render)], click: rowClick(sessions[0] ?? 0, false) }
    }),
    ...(you ? [line(span(pad("   you", axis.name), "warn"), ...youLane(run, scale, render))] : []),
  ]
}

/** The sessions that fit. */
export function waterfallLines(state: State, cursor: number, place: Place): readonly Line[] {
  const run = state.present
  const axis = axisOf(state, place)
  if (axis === null || run.sessions.length === 0) return [line(span("No sessions", "dim"))]
  const all = { length: run.sessions.length, at: (index: number) => index }
  return listLines(all, cursor, place, (index, here) =>
    sessionSpans(run, index, here ? waterfallTurn(state) : null, axis, place.render),
  )
}

/** What the marks mean, and the stages of the chosen turn, as far as there are rows. */
export function waterfallFoot(state: State, { rows, render, columns }: Place): readonly Line[] {
  return [
    ...(rows >= 8 ? [legendLine(render, columns)] : []),
    ...(rows >= 4 ? [turnLine(state, waterfallNow(state, render.now), render, columns)] : []),
  ]
}

/** The title: how many sessions there are, and the part of the run that is shown. */
export function waterfallTitle(state: State, { now }: RenderContext): string {
  const run = state.present
  const whole = runRange(run, waterfallNow(state, now))
  const shown = shownRange(state, now)
  if (whole === null || shown === null) return "SESSIONS"
  const isWhole = shown.from === whole.from && shown.to === whole.to
  const [from, to] = [Math.round(shown.from - whole.from), Math.round(shown.to - whole.from)]
  // Seconds alone would let a short part end before it begins.
  const time = to - from < 10_000 ? offset : clock
  const part = isWhole ? "" : ` · ${time(from)} to ${time(to)}`
  return `SESSIONS  ${count(run.sessions.length)} · ${duration(whole.to - whole.from)}${part}`
}

/** The column in which a moment lies; null where it is not shown. The last one holds the end. */
function columnOf(ts: number, { from, to }: TimeRange, columns: number): number | null {
  if (ts < from || ts > to) return null
  return Math.min(columns - 1, Math.floor(((ts - from) / (to - from)) * columns))
}

function axisLine(run: Run, { shown, name, room, place }: AxisLayout, { glyphs }: RenderContext): Line {
  const began = run.firstTs ?? 0
  const axis = pad(ticksWithin(shown.from - began, shown.to - began, room), room)
  if (place === null) return line(span(" ".repeat(name)), span(axis, "dim"))
  // A tick that the mark would cover, with its unit, stands behind it, or before it where the axis ends.
  const tick = [...axis.matchAll(/\S+(?: [a-z]+)?/g)].find(
    one => one.index <= place && place < one.index + one[0].length,
  )
  const [words, start] = [tick?.[0] ?? "", tick?.index ?? place]
  const isBehind = place + words.length < room
  const end = isBehind ? place : place - words.length
  const before = pad(axis.slice(0, Math.min(start, end)), end)
  return line(
    span(" ".repeat(name)),
    span(isBehind ? before : before + words, "dim"),
    span(glyphs.below, "bright", { bold: true }),
    span(isBehind ? words + axis.slice(place + 1 + words.length) : "", "dim"),
  )
}

/** A mark where states were entered, with their names as far as the next mark leaves room. */
function stateLine(
  { facts: { stateEntries: entered } }: Run,
  { shown, name, room }: AxisLayout,
  { glyphs }: RenderContext,
): Line {
  const piece = (shown.to - shown.from) / room
  const spans: Span[] = [span(pad("   states", name), "dim")]
  let column = 0
  while (column < room) {
    const next = firstIndexWhere(entered, one => one.ts >= shown.from + column * piece)
    const one = at(entered, next)
    const start = one === undefined ? null : columnOf(one.ts, shown, room)
    if (one === undefined || start === null) break
    const mark = Math.max(column, start)
    // Of the states that were entered within one column the last is named.
    const after = firstIndexWhere(entered, other => other.ts >= shown.from + (mark + 1) * piece)
    const last = at(entered, after - 1) ?? one
    const beyond = at(entered, after)
    const end = (beyond === undefined ? null : columnOf(beyond.ts, shown, room)) ?? room
    const words = clip(`${glyphs.unfolded}${last.ids.at(-1) ?? ""}`, Math.max(1, end - mark - 1), glyphs.ellipsis)
    const shownWords = end - mark < 3 ? glyphs.unfolded : words
    spans.push(span(" ".repeat(mark - column)), span(shownWords, "ok"))
    column = Math.max(mark + width(shownWords), mark + 1)
  }
  return { spans: clipSpans(spans, name + room, "") }
}

/** A session: a mark of trouble, its name, and its stages; those of another turn than the chosen one are dim. */
function sessionSpans(
  run: Run,
  index: number,
  chosen: number | null,
  { shown, now, name, room, place }: AxisLayout,
  { glyphs }: RenderContext,
): readonly Span[] {
  const session = run.sessions[index]
  if (session === undefined) return []
  const hue: Hue = `hue${session.invocation}`
  // A tool may fail within less than a column.
  const hasTrouble = session.failedTools > 0 || session.truncatedReplies > 0
  const title = clipName(sessionName(run, index) ?? "", name - 4, glyphs.ellipsis)
  const bar = barStages(run, index, shown, room, now).map((stage, column) => {
    if (stage === null) return span(column === place ? glyphs.rule : " ", "dim", { lane: true })
    const isAside = chosen !== null && chosen !== stage.turn && stage.kind !== "failed"
    const token = isAside ? "dim" : stageToken(stage.kind, hue)
    return span(stageGlyph(stage.kind, glyphs), token, { bold: chosen === stage.turn, lane: true })
  })
  return merged([
    span(hasTrouble ? glyphs.warning : " ", "warn"),
    span(pad(title, name - 3), hue, { bold: chosen !== null }),
    ...bar,
  ])
}

/** The chosen turn in words: when it began, and how long each of its stages took. */
function turnLine(state: State, now: number, context: RenderContext, columns: number): Line {
  const run = state.present
  const index = waterfallRow(state)
  const session = run.sessions[index]
  if (session === undefined) return blank
  const turn = waterfallTurnOf(run, index, waterfallTurn(state), now)
  if (turn === null) return line(span("Not started yet at this point", "dim"))
  const of = turn.turn === 0 ? "before the first turn" : `turn ${turn.turn} of ${session.turns}`
  const parts = STAGES.flatMap(kind => {
    const ms = kind === "failed" ? undefined : turn.ms[kind]
    return ms === undefined ? [] : [`${stageName(kind)} ${duration(ms)}`]
  })
  // What went wrong comes before what may be cut.
  const failed = turn.ms.failed === undefined ? [] : [stageName("failed")]
  const trouble = [...failed, ...troubleWords(turnFacts(run, index, turn.turn, now) ?? noTurnFacts)]
  // The row of the session names it, and the axis has the time.
  const isWide = columns >= 80
  const spans = [
    span(isWide ? `${sessionName(run, index) ?? ""} ` : "", `hue${session.invocation}`, { bold: true }),
    span(`${of}  `),
    span(trouble.map(one => `${one}  `).join(""), "warn"),
    span(isWide ? `${offset(turn.from - (run.firstTs ?? 0))}  ` : "", "dim"),
  ]
  const stages = wholeParts(parts, ` ${context.glyphs.dot} `, columns - lineWidth(spans))
  return { spans: clipSpans([...spans, span(stages)], columns, context.glyphs.ellipsis) }
}

function legendLine(context: RenderContext, columns: number): Line {
  const spans = STAGES.flatMap(kind => [
    span(`${stageGlyph(kind, context.glyphs)} `, stageToken(kind, "hue0")),
    span(`${stageName(kind)}${columns < 72 ? " " : "   "}`, "dim"),
  ])
  return { spans: clipSpans(spans, columns, context.glyphs.ellipsis) }
}
