// Draws sessions against time: a bar for each in stages, below the states that the chart entered meanwhile.
import { at, firstIndexWhere } from "../../run/model/chunked-list.ts"
import type { Run } from "../../run/model/run.ts"
import type { Stage } from "../../run/model/session.ts"
import { sessionName } from "../../run/select/figures.ts"
import { noTurnFacts, troubleWords, turnFacts } from "../../run/select/turn-facts.ts"
import {
  barStages,
  hasYou,
  runRange,
  STAGES,
  stageName,
  type TimeRange,
  visibleRange,
  waterfallTurnOf,
} from "../../run/select/waterfall.ts"
import {
  blank,
  clipSpans,
  type Hue,
  type Line,
  line,
  merged,
  type RenderContext,
  rowClick,
  type Span,
  span,
} from "../../ui/line.ts"
import { clip, clipName, clock, count, duration, offset, pad, ticksWithin, width } from "../../ui/text-width.ts"
import { clamp, type SeenRows, seenAround } from "../../view/cursor-step.ts"
import type { State } from "../../view/state.ts"
import { groupLane, youLane } from "../common/lanes.ts"
import { cursors } from "../common/lines-overlay.ts"
import type { Place } from "../common/panel.ts"
import { stageGlyph, stageToken } from "../common/stage-mark.ts"
import { momentOf, waterfallNow, waterfallRow, waterfallTurn } from "./update.ts"

interface AxisLayout {
  readonly shown: TimeRange
  /** Columns of the names, and of the bars behind them. */
  readonly name: number
  readonly room: number
  /** The column of the moment shown, null where it is not visible. */
  readonly place: number | null
}

type Parts = ReturnType<typeof waterfallRows>

/** Names of the sessions take a fifth of the columns, within these; in a narrow place at least the fewest. */
const NAME = { fewest: 10, least: 15, most: 26 }
const NARROW = 50

/** The axis, the overview, the states, the sessions that fit, and below them the stages of the chosen turn. */
export function waterfallLines(state: State, place: Place): readonly Line[] {
  const { render, columns } = place
  const run = state.present
  const now = waterfallNow(state, render.now)
  const whole = runRange(run, now)
  if (whole === null || run.sessions.length === 0) return [line(span("No sessions", "dim"))]
  const shown = visibleRange(cursors.of(state.view).fall, whole)
  const name = clamp(Math.floor(columns / 5), columns < NARROW ? NAME.fewest : NAME.least, NAME.most)
  const room = Math.max(1, columns - name)
  const axis = { shown, name, room, place: columnOf(momentOf(state), shown, room) }
  const parts = waterfallRows(run, place.rows)
  const { top, rows, length } = waterfallSeen(state, place)
  const cursor = waterfallRow(state)
  const body: Line[] = []
  for (let index = top; index < Math.min(top + rows, length); index++) {
    const bar = barStages(run, index, shown, room, now)
    const chosen = index === cursor ? waterfallTurn(state) : null
    const click = rowClick(index, index === cursor)
    body.push({ ...sessionLine(run, index, { bar, chosen }, axis, render), click })
  }
  while (body.length < rows) body.push(blank)
  return [
    ...(parts.hasAxis ? [axisLine(run, axis, render)] : []),
    stateLine(run, axis, render),
    ...laneLines(run, parts, axis, now, render),
    ...body,
    ...(parts.hasLegend ? [legendLine(render, columns)] : []),
    ...(parts.hasTurn ? [turnLine(state, now, render, columns)] : []),
  ]
}

/** How many sessions are seen in so many rows, and what else has room: where not all of them have, an overview. */
export function waterfallRows(run: Run, rows: number) {
  const [hasTurn, hasAxis, hasLegend, hasPerson] = [rows >= 4, rows >= 5, rows >= 8, rows >= 6 && hasYou(run)]
  const others = [hasTurn, hasAxis, hasLegend, hasPerson].filter(has => has).length
  const room = Math.max(1, rows - 1 - others)
  const { length } = run.invocations
  const overview = run.sessions.length > room && length <= Math.floor(rows / 4) ? length : 0
  return { sessions: room - overview, overview, hasTurn, hasAxis, hasLegend, hasPerson }
}

/** The sessions that have a row. */
export function waterfallSeen(state: State, { rows, top }: Place): SeenRows {
  const run = state.present
  return seenAround(waterfallRow(state), waterfallRows(run, rows).sessions, run.sessions.length, top)
}

/** The title: how many sessions there are, and the part of the run that is shown. */
export function waterfallTitle(state: State, { render }: Place): string {
  const run = state.present
  const whole = runRange(run, waterfallNow(state, render.now))
  if (whole === null) return ""
  const shown = visibleRange(cursors.of(state.view).fall, whole)
  const isWhole = shown.from === whole.from && shown.to === whole.to
  const part = isWhole ? "" : ` · ${offset(Math.round(shown.from - whole.from))} to ${clock(shown.to - whole.from)}`
  return `${count(run.sessions.length)} · ${duration(whole.to - whole.from)}${part}`
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
  // A tick that the mark would cover stands behind it.
  const tick = axis[place] === " " ? place + 1 : axis.slice(0, place + 1).search(/\S+$/)
  return line(
    span(" ".repeat(name)),
    span(pad(axis.slice(0, Math.min(tick, place)), place), "dim"),
    span(glyphs.below, "bright", { bold: true }),
    span(axis.slice(tick, tick + room - place - 1), "dim"),
  )
}

/** The lanes of all invocations, where not every session has a row, and when a person was waited for. */
function laneLines(run: Run, { overview, hasPerson }: Parts, axis: AxisLayout, now: number, context: RenderContext) {
  const { shown, name, room } = axis
  const scale = { columns: room, shown, to: now, ticks: "" }
  const groups = run.invocations.slice(0, overview).map(({ title, sessions }, group): Line => {
    const head = span(pad(`   ${clip(title, name - 4, context.glyphs.ellipsis)}`, name), `hue${group}`)
    return { spans: [head, ...groupLane(run, group, scale, context)], click: rowClick(sessions[0] ?? 0, false) }
  })
  return hasPerson ? [...groups, line(span(pad("   you", name), "warn"), ...youLane(run, scale, context))] : groups
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

interface Bar {
  readonly bar: readonly (Stage | null)[]
  readonly chosen: number | null
}

function sessionLine(
  run: Run,
  index: number,
  { bar, chosen }: Bar,
  { name, place }: AxisLayout,
  { glyphs }: RenderContext,
): Line {
  const session = run.sessions[index]
  if (session === undefined) return blank
  const hue: Hue = `hue${session.invocation}`
  const here = chosen !== null
  // A tool may fail within less than a column.
  const hasTrouble = session.failedTools > 0 || session.truncatedReplies > 0
  const spans: Span[] = [
    span(here ? glyphs.bar : " ", "accent"),
    span(hasTrouble ? glyphs.warning : " ", "warn"),
    span(pad(clipName(sessionName(run, index) ?? "", name - 3, glyphs.ellipsis), name - 2), hue, { bold: here }),
  ]
  bar.forEach((stage, column) => {
    if (stage === null) {
      spans.push(column === place ? span(glyphs.rule, "dim") : span(" "))
      return
    }
    const isAside = chosen !== null && chosen !== stage.turn && stage.kind !== "failed"
    const bold = chosen === stage.turn
    spans.push(span(stageGlyph(stage.kind, glyphs), isAside ? "dim" : stageToken(stage.kind, hue), { bold }))
  })
  return { spans: merged(spans), selected: here }
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
    span(parts.join(` ${context.glyphs.dot} `)),
  ]
  return { spans: clipSpans(spans, columns, context.glyphs.ellipsis) }
}

function legendLine(context: RenderContext, columns: number): Line {
  const spans = STAGES.flatMap(kind => [
    span(`${stageGlyph(kind, context.glyphs)} `, stageToken(kind, "hue0")),
    span(`${stageName(kind)}${columns < 72 ? " " : "   "}`, "dim"),
  ])
  return { spans: clipSpans(spans, columns, context.glyphs.ellipsis) }
}
