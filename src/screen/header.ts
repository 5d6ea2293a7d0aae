import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { silentSessions } from "../panels/common/silence.ts"
import { homeHeader } from "../panels/home/lines.ts"
import { behindWords } from "../panels/time/lines.ts"
import { chartPosition } from "../run/fold-chart.ts"
import { isHeld, isUntold } from "../run/model/held.ts"
import { tokensIn } from "../run/model/pulse.ts"
import type { Run } from "../run/model/run.ts"
import { elapsed, missingFrames, openPrompts, recentRate, sumOfRates } from "../run/select/figures.ts"
import { moneyWords } from "../run/select/usage.ts"
import { heightOf } from "../ui/glyphs.ts"
import { clipSpans, ends, lineWidth, type RenderContext, type Span, span, type Title } from "../ui/line.ts"
import { retryIn, wallClock } from "../ui/link-words.ts"
import { clipStart, clock, count, counted, duration, rateWords } from "../ui/text-width.ts"
import { answerable, isHeard, isOver, isRecording, type State } from "../view/state.ts"

/** The first row: the run, its phase, how it goes and its figures, as far as they fit. */
export function headerLine(state: State, title: Title, context: RenderContext, columns: number): readonly Span[] {
  if (state.home !== null) return homeHeader(state.home, state, context, columns)
  if (columns < 60) return tinyHeader(state, context, columns)
  const left = leftEnd(state, title, context)
  // Of a run that goes on or is over, the dim words tell least.
  const isWhole = columns >= MEDIUM || (!isOver(state.run) && state.run.status !== "running")
  const told = connectionSpans(state, context).filter(({ token }) => isWhole || token !== "dim")
  const before = [...trouble(state, context), ...told]
  const rights = figureSpans(state, context).map(figures => [...before, ...figures, span(" ")])
  for (const [parts, figures] of FITTING) {
    const right = rights[figures] ?? []
    const room = columns - 1 - lineWidth(right)
    const spans = parts === "short" ? shortened(left, room, context) : joined(left, parts)
    if (spans !== null && lineWidth(spans) <= room) {
      const graph = pulseSpans(state, context, room - lineWidth(spans) - GRAPH_GAP)
      return ends(spans, [...graph, ...right], columns, context.glyphs.ellipsis)
    }
  }
  return ends(left.name, rights.at(-1) ?? [], columns, context.glyphs.ellipsis)
}

/** Tokens per second from the start to now, or to the end, in so many columns; nothing where they tell nothing. */
function pulseSpans({ run, isPast }: State, context: RenderContext, columns: number): readonly Span[] {
  const { facts, lastTs } = run
  if (columns < LEAST_GRAPH || lastTs === null || facts.pulse.tokens.length < 2) return []
  const isOn = !isPast && !isOver(run) && run.tally.open.length > 0
  const cells = tokensIn(facts.pulse, isOn ? Math.max(lastTs, context.now) : lastTs, columns)
  const most = Math.max(1, ...cells)
  const drawn = cells.map(one => heightOf(one, most, context.glyphs)).join("")
  const latest = isOn && context.goneMs == null ? "bright" : "dim"
  return [span(drawn.slice(0, -1), "dim"), span(`${drawn.slice(-1)} `, latest)]
}

/** Columns of the graph of tokens at least, and beside it. */
const LEAST_GRAPH = 12
const GRAPH_GAP = 4

type LeftEnd = Readonly<ReturnType<typeof leftEnd>>

type Part = keyof LeftEnd

/** Columns from which on there is room for dim words beside the status. */
const MEDIUM = 100
const SHORTEST_NAME = 8

const ALL: readonly Part[] = ["name", "session", "siblings"]
const NO_SESSION: readonly Part[] = ["name", "siblings"]
const NO_SIBLINGS: readonly Part[] = ["name", "session", "path"]
const NAMED: readonly Part[] = ["name", "path"]
const PLACED: readonly Part[] = ["name", "place"]

/**
 * What is tried in turn: the parts at the left, and which of the figures. Siblings and session go before tokens that
 * went in, then all but the last of the path, then the name gets shorter; tokens and cost stay longest.
 */
const FITTING: readonly (readonly [parts: readonly Part[] | "short", figures: number])[] = [
  ...[ALL, NO_SESSION, NO_SIBLINGS, NAMED].flatMap(parts => [[parts, 0] as const, [parts, 1] as const]),
  ...([1, 2, 3] as const).flatMap(figures => [[NAMED, figures] as const, [PLACED, figures] as const]),
  [PLACED, 4],
  ["short", 3],
  [["path"], 3],
  [["path"], 4],
  [["place"], 4],
]

/** The parts one after the other; a path without a name begins as a name does. */
function joined(left: LeftEnd, parts: readonly Part[]): readonly Span[] {
  const spans = parts.flatMap(part => left[part])
  const [first = "name"] = parts
  return first === "name" || left.path.length === 0 ? spans : [span(" "), ...spans.slice(1)]
}

/** The name with the end of the path, in so many columns; null if too little of the name would be left. */
function shortened({ name, place }: LeftEnd, columns: number, context: RenderContext): readonly Span[] | null {
  const room = columns - lineWidth(place)
  return room < SHORTEST_NAME ? null : [...clipSpans(name, room, context.glyphs.ellipsis), ...place]
}

function leftEnd(state: State, title: Title, context: RenderContext) {
  const { run } = state
  const { chartId } = run.chart
  const chart = title.chart === null ? (chartId?.replace(/^:/, "") ?? "agent") : sanitizeLine(title.chart)
  const name = [span(` ${chart}`, "bright", { bold: true })]
  const parser = run.guest.parser === null ? [] : [span(`  parser ${run.guest.parser}`, "dim")]
  const session = [...parser, ...(title.session === null ? [] : [span(`  ${sanitizeLine(title.session)}`, "dim")])]
  const { breadcrumb, siblings } = chartPosition(run.chart)
  const path = breadcrumb.flatMap((state, i) => [
    span(i === 0 ? "   " : ` ${context.glyphs.path} `, "dim"),
    span(state, i === breadcrumb.length - 1 ? "bright" : "normal", { bold: i === breadcrumb.length - 1 }),
  ])
  const beside = siblings.flatMap(one => sibling(run, one, breadcrumb, context))
  const place = path.length === 0 ? [] : [span("   "), ...path.slice(-1)]
  return {
    name,
    session,
    path,
    /** The last of the path. */
    place,
    siblings: siblings.length < 2 ? path : [...path.slice(0, -1), ...beside],
  }
}

function sibling(run: Run, name: string, path: readonly string[], { glyphs }: RenderContext): readonly Span[] {
  if (name === path.at(-1)) return [span(`${glyphs.folded}${name}  `, "accent")]
  const isDone = run.chart.visits.states.some(({ id, visits }) => id === name && visits > 0)
  return [span(name, "dim"), span(isDone ? ` ${glyphs.ok}  ` : "  ", "ok")]
}

/** Questions, failed and silent sessions, what is missing or wasn't understood, and whether we record. */
function trouble(state: State, { glyphs, now }: RenderContext): readonly Span[] {
  const { run, view } = state
  const gap = missingFrames(run)
  const silent = silentSessions(state, now).size
  const asks = openPrompts(run).length
  const { malformed } = run.frames
  const warned = run.guest.warnings.length
  const { error } = run.tally.counts
  return [
    ...(asks > 0 ? [span(` ${glyphs.asks}${asks} `, "warn", { bold: true })] : []),
    ...(error > 0 ? [span(` ${glyphs.error}${count(error)} `, "error", { bold: true })] : []),
    ...(silent > 0 ? [span(` ${glyphs.warning} ${count(silent)} silent `, "warn")] : []),
    ...(gap > 0 ? [span(` ${glyphs.warning} ${count(gap)} missing `, "warn")] : []),
    ...(malformed > 0 ? [span(` ${glyphs.warning} ${count(malformed)} not understood `, "warn")] : []),
    ...(warned > 0 ? [span(` ${glyphs.warning} ${counted(warned, "parser problem")} `, "warn")] : []),
    ...(view.setup.readOnly ? [span(" read-only ", "warn")] : []),
    ...(view.setup.recording ? [span(` ${glyphs.live} rec `, "error")] : []),
  ]
}

function connectionSpans(state: State, context: RenderContext): readonly Span[] {
  const { run, link } = state
  const { glyphs } = context
  const over = overSpans(state, context)
  const held = heldWords(run)
  const replay = span(` ${glyphs.folded} replay`, "accent")
  const status = span(` ${glyphs.dot} ${run.status}`, "dim")
  const past = span(" PAST ", "past", { bold: true })
  if (state.isPast && !isRecording(state)) return [past, span(` ${behindWords(state, context)} `, "warn")]
  if (state.isPast) return [past, replay, ...(over.length > 0 ? over : [status])]
  const beside = (words: string) => span(over.length > 0 ? ` ${glyphs.dot} ${words}` : ` ${words}`, "dim")
  switch (link.state) {
    case "connecting":
      return [span(` ${glyphs.status.waiting} connecting`, "warn")]
    case "lost": {
      const words = link.everOpen ? `disconnected ${duration(wallClock(context) - link.since)}` : "not connected"
      if (isOver(run)) return [...over, beside("disconnected")]
      const retry = `${words}, retrying in ${retryIn(link, context)}s`
      // The HTTP API takes answers and ops meanwhile, but brings no frames.
      if (link.api === true)
        return [...(held === null ? [] : [held]), span(` ${glyphs.warning} over HTTP, ${retry}`, "warn")]
      return [span(` ${glyphs.error} ${retry}`, "error")]
    }
    case "open":
      if (isOver(run)) return over
      // Nobody knows whether a debugger pauses it that has not said so.
      if (held === null && isUntold(run)) return [span(` ${glyphs.live} live`, "ok")]
      return held === null ? [span(` ${glyphs.live} live`, "ok"), status] : [held, span(` ${glyphs.live} live`, "ok")]
    case "running":
      return [span(` ${glyphs.live} running`, "ok")]
    case "exited":
      // The banner says why it failed.
      return run.reason === null ? [...over, beside(`exit code ${link.code}`)] : over
    case "replaying":
      return [replay, ...(over.length > 0 ? over : [beside(run.status)])]
    case "ended":
      if (link.why !== undefined) return [...over, span(` ${glyphs.error} ${link.why}`, "error")]
      if (link.incompleteLength === 0) return [...over, beside("end of recording")]
      return [...over, span(` ${glyphs.warning} last line incomplete`, "warn")]
    case "closed":
      return over
  }
}

function heldWords(run: Run): Span | null {
  return isHeld(run) && !isOver(run) ? span(" PAUSED", "warn", { bold: true }) : null
}

function overSpans(state: State, context: RenderContext): readonly Span[] {
  switch (state.run.status) {
    case "finished":
      return [span(` ${context.glyphs.ok} finished`, "ok")]
    case "aborted":
    case "error":
      return [span(` ${context.glyphs.error} ${state.run.status}`, "error")]
    default:
      return []
  }
}

/** How many sessions are done, time, tokens, rate and cost, from the most to the least. */
function figureSpans(state: State, { now, goneMs }: RenderContext): readonly (readonly Span[])[] {
  const { run } = state
  const time = timeTaken(state, now)
  const sum = isOver(run) || goneMs != null ? null : sumOfRates(run, run.tally.open, one => recentRate(one, now))
  const { done, error } = run.tally.counts
  const ended = run.sessions.length < 2 ? [] : [span(`  ${count(done + error)} of ${count(run.sessions.length)} done`)]
  const clocked = span(time === null ? "" : `  ${clock(time)}`, "bright")
  const spent = span(run.facts.tokens === 0 ? "" : `  ${count(run.facts.tokens)} out`, "normal")
  const speed = span(sum === null ? "" : `  ${rateWords(sum)}`, "bright")
  const { total } = run.facts.ledger
  const { cached, input } = total
  const hits = cached === 0 ? "" : ` (${Math.round((100 * cached) / Math.max(cached, input))}% cached)`
  const taken = input === 0 ? [] : [span(`  ${count(input)} in${hits}`, "dim")]
  const money = moneyWords(total)
  const paid = money === null ? [] : [span(`  ${money}`, "bright")]
  return [
    [...ended, clocked, ...taken, spent, speed, ...paid],
    [clocked, ...taken, spent, speed, ...paid],
    [clocked, spent, speed, ...paid],
    [clocked, spent, ...paid],
    [clocked, ...(money === null ? [spent] : paid)],
  ]
}

/** For a screen of 40 columns: state, time, and the counts of questions, silent sessions and errors. */
function tinyHeader(state: State, context: RenderContext, columns: number): readonly Span[] {
  const { run } = state
  const time = timeTaken(state, context.now)
  const asks = answerable(state).length
  const silent = silentSessions(state, context.now).size
  const right = [
    span(time === null ? "" : ` ${clock(time)}`, "normal"),
    ...(asks > 0 ? [span(` ${context.glyphs.asks}${asks}`, "warn", { bold: true })] : []),
    ...(silent > 0 ? [span(` ${context.glyphs.warning}${silent}`, "warn")] : []),
    ...(run.tally.counts.error > 0 ? [span(` ${context.glyphs.error}${run.tally.counts.error}`, "error")] : []),
    ...(state.view.setup.readOnly ? [span(" ro", "warn")] : []),
    ...(state.view.setup.recording ? [span(` ${context.glyphs.live}rec`, "error")] : []),
    span(" "),
  ]
  return ends(tinyState(state, context, columns - lineWidth(right)), right, columns, context.glyphs.ellipsis)
}

/** The first that applies: the connection, what holds it, its state. */
function tinyState(state: State, context: RenderContext, columns: number): readonly Span[] {
  const { run, link } = state
  const connection = connectionSpans(state, context)
  const calm = !state.isPast && (link.state === "open" || link.state === "replaying" || link.state === "ended")
  const place = chartPosition(run.chart).breadcrumb.at(-1)
  if (!calm || place === undefined) return connection
  const held = heldWords(run)
  const [words] = connection
  const mark = [...(words?.text ?? "").trim()][0] ?? ""
  const first = held ?? span(` ${/^[a-z]?$/.test(mark) ? context.glyphs.dot : mark}`, words?.token ?? "dim")
  return [first, span(` ${clipStart(place, columns - lineWidth([first]) - 2, context.glyphs.ellipsis)}`, "bright")]
}

/** A clock that differs from ours by more is another clock: no time by ours can be told of its run. */
const CLOCKS_APART_MS = 30 * 24 * 3_600_000

/**
 * Ms from the run's first frame to its last, or to `now` (epoch ms) in a live run that isn't over.
 * Null if no frame had a time, or if a log that ended had only one.
 */
function timeTaken(state: State, now: number): number | null {
  const { run, link, isPast } = state
  const isLive = isHeard(state) || link.state === "running"
  if (run.firstTs === null || run.lastTs === null) return null
  const told = elapsed(run) ?? (isLive ? 0 : null)
  const runs = isLive && !isPast && !isOver(run)
  const since = now - run.lastTs
  return runs && since > 0 && since < CLOCKS_APART_MS ? now - run.firstTs : told
}
