// Divides a row of the list of runs into columns, and draws one run in them.
import type { Glyphs } from "../../ui/glyphs.ts"
import { type ColorToken, ends, type RenderContext, type Span, span } from "../../ui/line.ts"
import { clip, clipMiddle, count, duration, pad, shorten, timeOfDay, width } from "../../ui/text-width.ts"
import type { HomeList, HomeRow, RunMark } from "../../view/select/home-rows.ts"

/** Widths; 0 for a column without room. */
export type RunColumns = Readonly<ReturnType<typeof runColumns>>

/** The cursor, the mark, and a blank beside each. */
const LEAD = 4
const GAP = 2
const CLI = 7
/** From so many columns on, the run's name has so many. */
const RUN_WIDTHS = [
  [150, 40],
  [92, 28],
  [68, 26],
  [52, 20],
] as const

/** What tells runs apart stays longest: state and errors go first, then tokens and cost, how long it took, and when. */
export function runColumns(columns: number, { hasCosts, hasSessions }: Pick<HomeList, "hasCosts" | "hasSessions">) {
  const isWide = columns >= 108
  const hasFigures = columns >= 96
  const run = RUN_WIDTHS.find(([from]) => columns >= from)?.[1] ?? Math.max(6, Math.floor(columns * 0.42))
  const fixed = {
    run,
    state: isWide ? (columns >= 150 ? 24 : 14) : 0,
    model: hasSessions && columns >= 150 ? 18 : 0,
    context: hasSessions && columns >= 120 ? 4 : 0,
    when: columns >= 56 ? 6 : 0,
    took: columns >= 64 ? 6 : 0,
    tokens: hasFigures ? 8 : 0,
    cost: hasCosts && hasFigures ? 8 : 0,
    errors: isWide ? 3 : 0,
  }
  const used = Object.values(fixed).reduce((sum, one) => sum + (one === 0 ? 0 : one + GAP), LEAD)
  return { ...fixed, last: Math.max(0, columns - used) }
}

/** The names of the columns, each where its column is. */
export function runHeading(columns: RunColumns): string {
  const cells = [
    pad("run", columns.run),
    pad("state", columns.state),
    pad("model", columns.model),
    pad("what happened last", columns.last),
    pad("when", columns.when, "right"),
    pad("took", columns.took, "right"),
    pad("ctx", columns.context, "right"),
    pad("tokens", columns.tokens, "right"),
    pad("cost", columns.cost, "right"),
    pad("err", columns.errors, "right"),
  ]
  return " ".repeat(LEAD) + cells.filter(cell => cell !== "").join(" ".repeat(GAP))
}

const MARKS = {
  asks: ["asks", "warn"],
  running: ["live", "ok"],
  failed: ["error", "error"],
  done: ["ok", "ok"],
  stopped: ["stopped", "normal"],
  gone: ["warning", "warn"],
  unreadable: ["warning", "warn"],
  idle: ["dot", "normal"],
  unread: ["dot", "dim"],
} as const satisfies { readonly [mark in RunMark]: readonly [glyph: keyof Glyphs, token: ColorToken] }

/** The mark of a run and its colour; each says what the other does. */
export function markOf(mark: RunMark, glyphs: Glyphs): Span {
  const [glyph, token] = MARKS[mark]
  return span(glyphs[glyph], token, { bold: mark === "asks" })
}

/** One run. `zone`: the local offset from UTC, ms. */
export function runSpans(
  row: HomeRow,
  columns: RunColumns,
  { glyphs, now }: RenderContext,
  zone: number,
  here: boolean,
): readonly Span[] {
  const { facts, mark, run } = row
  const isWorking = mark === "asks" || mark === "running"
  const gap = span(" ".repeat(GAP))
  const cell = (text: string, wide: number, token: ColorToken, align: "left" | "right" = "right"): readonly Span[] =>
    wide === 0 ? [] : [gap, span(pad(text, wide, align, glyphs.ellipsis), token)]
  const started = facts?.firstTs ?? null
  const end = isWorking ? now : (facts?.lastTs ?? null)
  const took = started === null || end === null || end <= started ? "" : duration(end - started)
  const tokens = facts === null ? "" : tokenWords(facts.tokens, facts.isWhole, columns.tokens)
  const full = facts?.session?.context
  const words = lastWords(row)
  return [
    span(here ? glyphs.bar : " ", "accent"),
    span(" "),
    markOf(mark, glyphs),
    span(" "),
    ...nameSpans(row, columns.run, glyphs, here),
    ...cell(stateWords(row, now), columns.state, "normal", "left"),
    ...cell(facts?.session?.model ?? "", columns.model, "dim", "left"),
    ...cell(words.text, columns.last, words.token, "left"),
    ...cell(isWorking ? "now" : run === null ? "" : timeOfDay(run.changedAt, zone).slice(0, 5), columns.when, "normal"),
    ...cell(took, columns.took, "normal"),
    ...cell(full == null ? "" : `${Math.round(full * 100)}%`, columns.context, "normal"),
    ...cell(tokens, columns.tokens, "normal"),
    ...cell(
      facts === null ? "" : (facts.cost ?? (facts.session === undefined ? glyphs.dash : "")),
      columns.cost,
      "normal",
    ),
    ...cell(facts === null || facts.errors === 0 ? "" : count(facts.errors), columns.errors, "error"),
  ]
}

/** The chart, and the name of the run in what room is left: its end tells it from its siblings. */
function nameSpans({ title, facts, run }: HomeRow, columns: number, glyphs: Glyphs, here: boolean): readonly Span[] {
  const token = here ? "bright" : "normal"
  if (run?.cli !== undefined || facts?.kept !== undefined) {
    const place = facts?.session?.place ?? facts?.kept?.place ?? ""
    const branch = facts?.session?.branch ?? ""
    const cli = pad(clip(run?.cli ?? title, CLI, glyphs.ellipsis), CLI)
    const beside = branch === "" || columns < 24 ? "" : ` ${clip(branch, Math.floor(columns / 4), glyphs.ellipsis)}`
    const where = shortPath(place, Math.max(1, columns - CLI - 1 - width(beside)), glyphs.ellipsis)
    const spans = [span(cli, "dim"), span(` ${where}`, token, { bold: here }), span(beside, "dim")]
    return ends(spans, [], columns, glyphs.ellipsis)
  }
  const chart = facts?.chart ?? null
  const spans =
    chart === null || chart === title
      ? [span(clipMiddle(title, columns, glyphs.ellipsis), token, { bold: here })]
      : besideChart(chart, title, columns, glyphs, here)
  return ends(spans, [], columns, glyphs.ellipsis)
}

/** As many of a path's last folders as fit. */
function shortPath(path: string, columns: number, ellipsis: string): string {
  let from = 0
  while (width(path) - from + 1 > columns && path.indexOf("/", from + 1) > 0) from = path.indexOf("/", from + 1)
  const short = from === 0 ? path : ellipsis + path.slice(from)
  return width(short) <= columns ? short : clip(path.slice(path.lastIndexOf("/") + 1), columns, ellipsis)
}

/** The state that the CLI reports, or for how long nothing was written; for a run its state or its end. */
function stateWords({ facts, mark, run }: HomeRow, now: number): string {
  const { session } = facts ?? {}
  if (session !== undefined) {
    const isQuiet = session.state === "quiet" && run !== null
    return isQuiet ? `quiet ${duration(Math.max(0, now - run.changedAt))}` : session.state
  }
  const isWorking = mark === "asks" || mark === "running"
  return isWorking || facts?.end === null ? (facts?.state ?? "") : (facts?.end ?? "")
}

function besideChart(chart: string, title: string, columns: number, glyphs: Glyphs, here: boolean): readonly Span[] {
  const least = Math.min(width(title), Math.max(4, Math.floor(columns / 3)))
  const named = clip(chart, Math.max(1, columns - least - GAP), glyphs.ellipsis)
  const rest = columns - width(named) - GAP
  return [
    span(named, here ? "bright" : "normal", { bold: here }),
    span(" ".repeat(GAP)),
    span(clipMiddle(title, rest, glyphs.ellipsis), "dim"),
  ]
}

function lastWords({ mark, facts }: HomeRow): { readonly text: string; readonly token: ColorToken } {
  const [, own] = MARKS[mark]
  const token = own === "ok" || mark === "gone" ? "normal" : own
  if (mark === "unreadable") return { text: "can't be read", token }
  const how = facts?.session !== undefined ? "" : mark === "gone" ? "no activity" : mark === "stopped" ? mark : ""
  const last = [facts?.session?.title ?? facts?.kept?.prompt, facts?.last].filter(Boolean).join(" · ")
  return { text: [how, last].filter(Boolean).join(": "), token }
}

/** A `+` says that only a part of the recording was counted. */
function tokenWords(tokens: number, isWhole: boolean, columns: number): string {
  if (tokens === 0) return ""
  return shorten(count(tokens), tokens, columns - 1) + (isWhole ? "" : "+")
}

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

/** The heading of a day counted from 1970; `today` is counted likewise. */
export function dayWords(day: number, today: number): string {
  if (day === today) return "Today"
  if (day === today - 1) return "Yesterday"
  const [date, now] = [new Date(day * 86_400_000), new Date(today * 86_400_000)]
  const year = date.getUTCFullYear() === now.getUTCFullYear() ? "" : ` ${date.getUTCFullYear()}`
  return `${DAYS[date.getUTCDay()]} ${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}${year}`
}
