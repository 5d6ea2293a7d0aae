import { behindWords } from "../panels/time/lines.ts"
import { sanitizeLine } from "../protocol/sanitize.ts"
import { chartPosition } from "../run/chart.ts"
import type { Run } from "../run/model/run.ts"
import { type Activity, activity, elapsed, missingFrames, openPrompts } from "../run/select/figures.ts"
import { ends, lineWidth, type Span, span } from "../ui/line.ts"
import { retryIn } from "../ui/link-words.ts"
import type { RenderContext } from "../ui/render-context.ts"
import { clipStart, clock, count, duration, rate } from "../ui/text-width.ts"
import type { Title } from "../ui/title.ts"
import { answerable, isOver, isRecording, type State } from "../view/state.ts"
import { isPast } from "../view/time.ts"

/** The one row at the top: which run, where in its chart, and how it is doing. */
export function headerLine(state: State, title: Title, look: RenderContext, columns: number): readonly Span[] {
  const sums = activity(state.run)
  if (columns < 60) return tinyHeader(state, sums, look, columns)
  const right = [
    ...trouble(state, look),
    ...recordSpans(state, look),
    ...lineState(state, look),
    ...figures(state, sums),
    span(" "),
  ]
  const room = columns - lineWidth(right) - 1
  return ends(left(state, title, look, room), right, columns, look.glyphs.ellipsis)
}

/** Chart, session and path; what does not fit goes, siblings first, then the session. */
function left(state: State, title: Title, look: RenderContext, room: number): readonly Span[] {
  const { run } = state
  const name = [span(` ${chartName(state, title)}`, "bright", { bold: true })]
  const session = title.session === null ? [] : [span(`  ${sanitizeLine(title.session)}`, "dim")]
  const failure = failureWords(run)
  if (failure !== null) return [...name, span(`  ${look.glyphs.error} ${failure}`, "error")]
  const { breadcrumb, siblings } = chartPosition(run.chart)
  const path = breadcrumb.flatMap((state, i) => [
    span(i === 0 ? "   " : ` ${look.glyphs.path} `, "dim"),
    span(state, i === breadcrumb.length - 1 ? "bright" : "normal", { bold: i === breadcrumb.length - 1 }),
  ])
  const active = breadcrumb.at(-1)
  const others =
    siblings.length < 2 ? [] : [span("   "), ...siblings.flatMap(one => sibling(one, one === active, look))]
  const candidates = [
    [...name, ...session, ...path, ...others],
    [...name, ...session, ...path],
    [...name, ...path],
    [span(" "), ...path.slice(1)],
  ]
  return candidates.find(spans => lineWidth(spans) <= room) ?? candidates[2] ?? []
}

/** Why the run is over before its end; null where it is not. */
function failureWords(run: Run): string | null {
  if (run.reason === null || (run.status !== "aborted" && run.status !== "error")) return null
  return `${run.status}: ${run.reason.replaceAll("\n", " ")}`
}

function sibling(name: string, active: boolean, look: RenderContext): readonly Span[] {
  return active ? [span(`${look.glyphs.folded}${name}  `, "accent")] : [span(`${name}  `, "dim")]
}

function trouble(state: State, look: RenderContext): readonly Span[] {
  const { run } = state
  const gap = missingFrames(run)
  const asks = openPrompts(state.run).length
  return [
    ...(asks > 0 ? [span(` ${look.glyphs.asks} ${asks} ${asks === 1 ? "asks" : "ask"} `, "warn", { bold: true })] : []),
    ...(gap > 0 ? [span(` ${look.glyphs.warning} ${count(gap)} missing `, "warn")] : []),
    ...(run.frames.unread > 0 ? [span(` ${look.glyphs.warning} ${count(run.frames.unread)} unread `, "warn")] : []),
  ]
}

function recordSpans({ view }: State, look: RenderContext): readonly Span[] {
  return view.recording ? [span(` ${look.glyphs.live} rec `, "error")] : []
}

function lineState(state: State, look: RenderContext): readonly Span[] {
  const { run, link } = state
  const over = overSpans(state, look)
  const held = heldWords(run)
  if (isPast(state)) {
    return !isRecording(state)
      ? [span(` ${behindWords(state)} `, "warn", { bold: true })]
      : [
          span(` ${look.glyphs.folded} replay`, "accent"),
          ...(over.length > 0 ? over : [span(` ${look.glyphs.dot} ${run.status}`, "dim")]),
        ]
  }
  const beside = (words: string) => span(over.length > 0 ? ` ${look.glyphs.dot} ${words}` : ` ${words}`, "dim")
  switch (link.state) {
    case "connecting":
      return [span(` ${look.glyphs.status.waiting} connecting`, "warn")]
    case "lost": {
      const words = link.everOpen ? `lost for ${duration(look.now - link.since)}` : "no agent yet"
      if (isOver(run)) return [...over, beside("line closed")]
      const retry = `${words}, retry in ${retryIn(link, look)} s`
      // The API takes answers and ops in the line's place, but tells nothing of the run.
      if (link.api === true)
        return [...(held === null ? [] : [held]), span(` ${look.glyphs.warning} by API, ${retry}`, "warn")]
      return [span(` ${look.glyphs.error} ${retry}`, "error")]
    }
    case "open":
      if (isOver(run)) return [...over, beside("live")]
      return held === null
        ? [span(` ${look.glyphs.live} live`, "ok"), span(` ${look.glyphs.dot} ${run.status}`, "dim")]
        : [held, span(` ${look.glyphs.live} live`, "ok")]
    case "running":
      return [span(` ${look.glyphs.live} running`, "ok")]
    case "exited":
      return [...over, beside(`exit code ${link.code}`)]
    case "replaying":
      return [span(` ${look.glyphs.folded} replay`, "accent"), ...(over.length > 0 ? over : [beside(run.status)])]
    case "ended":
      if (link.why !== undefined) return [...over, span(` ${look.glyphs.error} ${link.why}`, "error")]
      return [
        ...over,
        link.incompleteLength > 0 ? span(` ${look.glyphs.warning} last line torn`, "warn") : beside("end of recording"),
      ]
    case "closed":
      return over
  }
}

/** What holds a run that is not over; null where nothing does. */
function heldWords(run: Run): Span | null {
  if (run.debug === null || isOver(run)) return null
  if (run.debug.mode === "paused-at-turn") return span(" TURN GATE", "warn", { bold: true })
  return run.debug.paused ? span(" PAUSED", "warn", { bold: true }) : null
}

function overSpans(state: State, look: RenderContext): readonly Span[] {
  switch (state.run.status) {
    case "finished":
      return [span(` ${look.glyphs.ok} finished`, "ok")]
    case "aborted":
    case "error":
      // The reason, where there is one, names the status already.
      return failureWords(state.run) === null ? [span(` ${look.glyphs.error} ${state.run.status}`, "error")] : []
    default:
      return []
  }
}

function figures(state: State, sums: Activity): readonly Span[] {
  const time = elapsed(state.run)
  const speed = sums.rate === null || isOver(state.run) ? "" : `  ${rate(sums.rate)}/s`
  return [
    span(`  ${time === null ? "--:--" : clock(time)}`, "bright"),
    span(`  ${count(state.run.tokens)} tok`, "normal"),
    span(speed, "bright"),
  ]
}

/** For a screen of 40 columns: state, time, and the numbers of what needs a person. */
function tinyHeader(state: State, sums: Activity, look: RenderContext, columns: number): readonly Span[] {
  const { run } = state
  const time = elapsed(run)
  const asks = answerable(state).length
  const right = [
    span(time === null ? "" : ` ${clock(time)}`, "normal"),
    ...(asks > 0 ? [span(` ${look.glyphs.asks}${asks}`, "warn", { bold: true })] : []),
    ...(sums.error > 0 ? [span(` ${look.glyphs.error}${sums.error}`, "error")] : []),
    ...(state.view.recording ? [span(` ${look.glyphs.live}rec`, "error")] : []),
    span(" "),
  ]
  return ends(tinyState(state, look, columns - lineWidth(right)), right, columns, look.glyphs.ellipsis)
}

/** What a person must know first: why it failed, what holds it, how the line is, else where it stands. */
function tinyState(state: State, look: RenderContext, columns: number): readonly Span[] {
  const { run, link } = state
  const failure = failureWords(run)
  if (failure !== null) return [span(` ${look.glyphs.error} ${failure}`, "error")]
  const line = lineState(state, look)
  const calm = !isPast(state) && (link.state === "open" || link.state === "replaying" || link.state === "ended")
  const place = chartPosition(run.chart).breadcrumb.at(-1)
  if (!calm || place === undefined) return line
  const held = heldWords(run)
  const [words] = line
  const mark = [...(words?.text ?? "").trim()][0] ?? ""
  const first = held ?? span(` ${/^[a-z]?$/.test(mark) ? look.glyphs.dot : mark}`, words?.token ?? "dim")
  return [first, span(` ${clipStart(place, columns - lineWidth([first]) - 2, look.glyphs.ellipsis)}`, "bright")]
}

/** What the chart calls itself, without the colon of its keyword. */
function chartName(state: State, title: Title): string {
  if (title.chart !== null) return sanitizeLine(title.chart)
  return state.run.chart.chartId?.replace(/^:/, "") ?? "agent"
}
