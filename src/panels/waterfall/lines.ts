// Sessions against time: a bar for each, in pieces of what it did, below the states that the chart entered meanwhile.
import { at, firstIndexWhere } from "../../run/model/chunked-list.ts"
import type { Run } from "../../run/model/run.ts"
import type { Stage, StageKind } from "../../run/model/session.ts"
import {
  barStages,
  runRange,
  STAGE_NAMES,
  STAGES,
  type TimeRange,
  visibleRange,
  waterfallTurnOf,
} from "../../run/select/waterfall.ts"
import type { Glyphs } from "../../ui/glyphs.ts"
import { type ColorToken, clipSpans, type Hue, type Line, line, lineWidth, type Span, span } from "../../ui/line.ts"
import type { RenderContext } from "../../ui/render-context.ts"
import { clip, clock, count, duration, offset, pad, width } from "../../ui/text-width.ts"
import { windowTop } from "../../view/cursor-step.ts"
import type { State } from "../../view/state.ts"
import { sessionName, sessionNameIn } from "../common/session-name.ts"
import { momentOf, waterfallNow, waterfallRow, waterfallTurn } from "./update.ts"

/** Columns of a time on the axis, with what keeps it apart from the next. */
const TICK = 14
/** Names of the sessions take a fifth of the columns, within these. */
const NAME = { least: 10, most: 26 }

/** The axis, the states, the rows that fit around the cursor, and below them what the chosen turn was made of. */
export function waterfallLines(state: State, context: RenderContext, columns: number, rows: number): readonly Line[] {
  const run = state.present
  const now = waterfallNow(state, context.now)
  const whole = runRange(run, now)
  if (whole === null || run.sessions.length === 0) return [line(span("No sessions", "dim"))]
  const shown = visibleRange(state.view.inspector.fall, whole)
  const name = Math.max(NAME.least, Math.min(NAME.most, Math.floor(columns / 5)))
  const room = Math.max(1, columns - name)
  const place = columnOf(momentOf(state), shown, room)
  const { height, hasTurn, hasAxis, hasLegend } = waterfallRows(rows)
  const head = hasAxis
    ? [axisLine(run, shown, name, room, place, context), stateLine(run, shown, name, room, context)]
    : [stateLine(run, shown, name, room, context)]
  const cursor = waterfallRow(state)
  const top = windowTop(Math.max(0, cursor - Math.floor(height / 2)), cursor, height, run.sessions.length)
  const body: Line[] = []
  for (let index = top; index < Math.min(top + height, run.sessions.length); index++) {
    const bar = barStages(run, index, shown, room, now)
    const chosen = index === cursor ? waterfallTurn(state) : null
    body.push(sessionLine(run, index, { bar, name, place, chosen }, context))
  }
  while (body.length < height) body.push(line())
  const foot = hasTurn ? [turnLine(state, now, context, columns)] : []
  return [...head, ...body, ...(hasLegend ? [legendLine(context, columns)] : []), ...foot]
}

/** How many sessions are seen in so many rows, and what else has room. */
export function waterfallRows(rows: number) {
  const [hasTurn, hasAxis, hasLegend] = [rows >= 4, rows >= 5, rows >= 8]
  const others = [hasTurn, hasAxis, hasLegend].filter(has => has).length
  return { height: Math.max(1, rows - 1 - others), hasTurn, hasAxis, hasLegend }
}

export function waterfallTitle(state: State, context: RenderContext): string {
  const run = state.present
  const whole = runRange(run, waterfallNow(state, context.now))
  if (whole === null) return ""
  const shown = visibleRange(state.view.inspector.fall, whole)
  const isWhole = shown.from === whole.from && shown.to === whole.to
  const part = isWhole ? "" : ` · ${offset(Math.round(shown.from - whole.from))} to ${clock(shown.to - whole.from)}`
  const sessions = `${count(run.sessions.length)} ${run.sessions.length === 1 ? "session" : "sessions"}`
  return `${sessions} · ${duration(whole.to - whole.from)}${part}`
}

/** The glyph of a kind: it says the same as its colour. */
export function stageGlyph(kind: StageKind, { dot, barEmpty, barFull, asks, error }: Glyphs): string {
  switch (kind) {
    case "waiting":
      return dot
    case "first-token":
      return barEmpty
    case "generation":
      return barFull
    case "tool":
      return "="
    case "human":
      return asks
    case "failed":
      return error
    case "over":
      return " "
  }
}

function stageToken(kind: StageKind, hue: Hue): ColorToken {
  if (kind === "generation") return hue
  if (kind === "tool") return "accent"
  if (kind === "human") return "warn"
  return kind === "failed" ? "error" : "dim"
}

/** The column in which a moment lies; null where it is not shown. The last one holds the end. */
function columnOf(ts: number, { from, to }: TimeRange, columns: number): number | null {
  if (ts < from || ts > to) return null
  return Math.min(columns - 1, Math.floor(((ts - from) / (to - from)) * columns))
}

function axisLine(
  run: Run,
  shown: TimeRange,
  name: number,
  room: number,
  place: number | null,
  context: RenderContext,
): Line {
  const piece = (shown.to - shown.from) / room
  const isFine = piece * TICK < 1000
  let text = ""
  for (let column = 0; column + TICK <= room || column === 0; column += TICK) {
    const ms = Math.round(shown.from + column * piece - (run.firstTs ?? 0))
    text += pad(`${isFine ? offset(ms) : `+${clock(ms)}`}`, Math.min(TICK, room))
  }
  const axis = pad(text, room)
  if (place === null) return line(span(" ".repeat(name)), span(axis, "dim"))
  return line(
    span(" ".repeat(name)),
    span(axis.slice(0, place), "dim"),
    span(context.glyphs.below, "bright", { bold: true }),
    span(axis.slice(place + 1), "dim"),
  )
}

/** A mark where states were entered, with their names as far as the next mark leaves room. */
function stateLine(
  { stateEntries: entered }: Run,
  shown: TimeRange,
  name: number,
  room: number,
  { glyphs }: RenderContext,
): Line {
  const spans: Span[] = [span(pad("   states", name), "dim")]
  let column = 0
  while (column < room) {
    const piece = (shown.to - shown.from) / room
    const next = firstIndexWhere(entered, one => one.ts >= shown.from + column * piece)
    const one = at(entered, next)
    const start = one === undefined ? null : columnOf(one.ts, shown, room)
    if (one === undefined || start === null) break
    const mark = Math.max(column, start)
    // Of what was entered within one column the last is named.
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
  readonly name: number
  /** The column of the moment shown, null where it is not seen. */
  readonly place: number | null
  /** The turn that stands out; null where the cursor is not on this row. */
  readonly chosen: number | null
}

function sessionLine(run: Run, index: number, { bar, name, place, chosen }: Bar, context: RenderContext): Line {
  const session = run.sessions[index]
  if (session === undefined) return line()
  const { glyphs } = context
  const hue: Hue = `hue${session.invocation}`
  const here = chosen !== null
  const spans: Span[] = [
    span(here ? glyphs.bar : " ", "accent"),
    span(" "),
    span(pad(sessionNameIn(run, session, name - 3, glyphs.ellipsis), name - 2), hue, { bold: here }),
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
  return here ? { spans: merged(spans), selected: true } : { spans: merged(spans) }
}

/** Spans that look alike are one. */
function merged(spans: readonly Span[]): readonly Span[] {
  const kept: Span[] = []
  for (const one of spans) {
    const last = kept.at(-1)
    const isAlike = last !== undefined && last.token === one.token && last.bold === one.bold
    if (isAlike) kept[kept.length - 1] = { ...last, text: last.text + one.text }
    else kept.push(one)
  }
  return kept
}

/** The chosen turn in words: when it began, and how long each of its stages took. */
function turnLine(state: State, now: number, context: RenderContext, columns: number): Line {
  const run = state.present
  const index = waterfallRow(state)
  const session = run.sessions[index]
  const turn = waterfallTurnOf(run, index, waterfallTurn(state), now)
  if (session === undefined) return line()
  if (turn === null) return line(span("Not begun at this moment", "dim"))
  const of = turn.turn === 0 ? "before its first turn" : `turn ${turn.turn} of ${session.turns}`
  const parts = STAGES.flatMap(kind => {
    const ms = turn.ms[kind]
    if (ms === undefined) return []
    return [kind === "failed" ? STAGE_NAMES[kind] : `${STAGE_NAMES[kind]} ${duration(ms)}`]
  })
  const spans = [
    span(`${sessionName(run, session)} `, `hue${session.invocation}`, { bold: true }),
    span(`${of}  `, "normal"),
    span(`${offset(turn.from - (run.firstTs ?? 0))}  `, "dim"),
    span(parts.join(` ${context.glyphs.dot} `), "normal"),
  ]
  return { spans: clipSpans(spans, columns, context.glyphs.ellipsis) }
}

function legendLine(context: RenderContext, columns: number): Line {
  const spans = STAGES.flatMap(kind => [
    span(`${stageGlyph(kind, context.glyphs)} `, stageToken(kind, "hue0")),
    span(`${STAGE_NAMES[kind]}   `, "dim"),
  ])
  return lineWidth(spans) <= columns ? { spans } : { spans: clipSpans(spans, columns, context.glyphs.ellipsis) }
}
