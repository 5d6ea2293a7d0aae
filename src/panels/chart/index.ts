import type { Visits } from "../../run/model/visits.ts"
import { type ChartRow, chartRows } from "../../run/select/chart-rows.ts"
import {
  blank,
  type ColorToken,
  clipSpans,
  type Line,
  line,
  type RenderContext,
  type Span,
  span,
} from "../../ui/line.ts"
import { clip, count, duration, offset, pad } from "../../ui/text-width.ts"
import { both, nothing, only, type Plan, toggleOverlay } from "../../view/plan-result.ts"
import { isLive, isOver, type State } from "../../view/state.ts"
import { pageOverlay } from "../common/pager/page.ts"
import { linesText } from "../common/pager/pager-text.ts"
import type { Panel } from "../common/panel.ts"

export const chartPanel = {
  overlays: {
    chart: pageOverlay((state, _, { render, columns }) => ({
      title: `CHART  ${chartTitle(state)}`,
      text: linesText(chartLines(state, render, columns)),
    })),
  },
  commands: {
    chart: {
      title: "show the states of the chart",
      words: "states visits transitions",
      run: state => both(readChart(state), toggleOverlay(state, { type: "chart", top: 0 })),
    },
  },
} satisfies Panel

function readChart(state: State): Plan {
  return isLive(state) && state.definition === null ? only({ type: "chart/read" }) : nothing
}

const VISITS = 8
const TIME = 9

function chartLines(state: State, context: RenderContext, columns: number): readonly Line[] {
  const { run } = state
  const { rows } = chartRows(run, state.definition)
  if (rows.length === 0) return [line(span("No states yet", "dim"))]
  const name = Math.max(12, columns - VISITS - TIME)
  return [
    ...transitionLines(run.chart.visits, run.firstTs, context, columns),
    line(span(pad("   state", name) + pad("visits", VISITS, "right") + pad("time", TIME, "right"), "dim")),
    ...rows.map(row => stateLine(row, state, name, context)),
  ]
}

function chartTitle(state: State): string {
  const { rows, from } = chartRows(state.run, state.definition)
  const seen = rows.filter(row => row.seen !== null).length
  const named = from === "phases" ? " · the chart may have more" : ""
  const of = from === "definition" ? ` of ${count(rows.length)}` : ""
  return `${count(seen)}${of} ${rows.length === 1 ? "state" : "states"} visited${named}`
}

function transitionLines(
  { transition }: Visits,
  firstTs: number | null,
  { glyphs }: RenderContext,
  columns: number,
): readonly Line[] {
  if (transition === null) return []
  const { event, exited, entered, ts } = transition
  const time = ts === null || firstTs === null ? "" : `${offset(ts - firstTs)}  `
  const why = event === null ? "" : `  (${event})`
  const spans = [
    span(`${time}`, "dim"),
    span(exited.join(", ") || glyphs.dash, "normal"),
    span(` ${glyphs.arrow} `, "accent"),
    span(entered.join(", ") || glyphs.dash, "bright", { bold: true }),
    span(why, "dim"),
  ]
  return [{ spans: clipSpans(spans, columns, glyphs.ellipsis) }, blank]
}

/** The state in which a run ended is marked as done: nothing goes on in it. */
function stateLine(row: ChartRow, { run }: State, name: number, context: RenderContext): Line {
  const { glyphs } = context
  const over = isOver(run)
  const now = over ? run.lastTs : context.now
  const { id, depth, type, active, seen } = row
  const token: ColorToken = active ? "bright" : seen === null ? "dim" : "normal"
  const kind = type === null || type === "state" ? "" : `  ${type}`
  const indent = "  ".repeat(Math.min(depth, Math.floor(name / 6)))
  const head: readonly Span[] = [
    span(
      active && !over ? ` ${glyphs.live} ` : seen === null ? "   " : ` ${glyphs.ok} `,
      active && !over ? "accent" : "ok",
    ),
    span(indent),
    span(clip(id, Math.max(4, name - indent.length - kind.length - 4), glyphs.ellipsis), token, { bold: active }),
    span(kind, "dim"),
  ]
  const used = head.reduce((sum, one) => sum + Bun.stringWidth(one.text), 0)
  if (seen === null) return line(...head, span(pad("never", Math.max(6, name + VISITS - used), "right"), "dim"))
  const dwell = seen.dwell + (active && seen.since !== null && now !== null ? Math.max(0, now - seen.since) : 0)
  // Of a state that only phase frames name, entries are not counted.
  const visits = seen.visits === 0 ? glyphs.dash : count(seen.visits)
  const time = seen.since === null && seen.dwell === 0 ? glyphs.dash : duration(dwell)
  return line(
    ...head,
    span(pad(visits, Math.max(VISITS, name + VISITS - used), "right"), token),
    span(pad(time, TIME, "right"), token),
  )
}
