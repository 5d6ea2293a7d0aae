import { sessionTest } from "../../query/filters.ts"
import { groupIndex, sessionIndex } from "../../run/identity/find-by-id.ts"
import type { GroupId } from "../../run/model/id.ts"
import type { Prompt, Run } from "../../run/model/run.ts"
import type { Invocation } from "../../run/model/session.ts"
import { type RollUp, rollUp } from "../../run/select/figures.ts"
import { type Hue, type Line, type Span, span } from "../../ui/line.ts"
import { hostOf, retryIn } from "../../ui/link-words.ts"
import type { RenderContext } from "../../ui/render-context.ts"
import { count, pad, width } from "../../ui/text-width.ts"
import { wrap } from "../../ui/wrap.ts"
import { sameTarget, shownRows } from "../../view/select/live-rows.ts"
import { answerable, isLive, isOver, type State } from "../../view/state.ts"
import type { Target } from "../../view/view.ts"
import { type Columns, columnsFor, fill, numbers } from "./columns.ts"
import { progressOf, progressSpans, questionOf, questionSpans, stale } from "./remarks.ts"
import { sessionSpans } from "./session-row.ts"

/** The rows from `top` on: what the pane shows, and no more is made. */
export function liveLines(
  state: State,
  look: RenderContext,
  columns: number,
  rows: number,
  top: number,
): readonly Line[] {
  const { run, view } = state
  const places = columnsFor(columns)
  const shown = shownRows(state).slice(top, top + rows)
  const asking = answerable(state)
  return shown.map(target => {
    const selected = sameTarget(target, view.selected)
    const spans =
      target.type === "group"
        ? groupSpans(run, target, view.folded, asking, look, places)
        : sessionSpans(run, sessionIndex(run, target.session) ?? -1, asking, look, places)
    return selected ? { spans: [span(look.glyphs.bar, "accent"), ...spans.slice(1)], selected } : { spans }
  })
}

/** The names of the columns. */
export function liveHeading(columns: number): Line {
  const places = columnsFor(columns)
  const text =
    pad("   invocation", places.name) +
    pad("model", places.model) +
    pad("tok", places.tokens, "right") +
    pad("tok/s", places.rate, "right") +
    pad("ttft", places.ttft, "right")
  return { spans: [span(text, "dim")] }
}

/** What an empty pane waits for. */
export function liveEmpty(state: State, look: RenderContext, columns: number): readonly Line[] {
  return wrap(emptyWords(state, look), columns - 1).map(text => ({ spans: [span(` ${text}`, "dim")] }))
}

function emptyWords(state: State, look: RenderContext): string {
  const { run, link } = state
  if (run.sessions.length > 0) return "No session passes the filters: f changes them"
  if (link.state === "running") return `Waiting for ${link.command} to say something`
  if (!isLive(state) || isOver(run))
    return run.frames.lines === 0 && link.state === "replaying" ? "Reading the recording" : "No session was seen"
  if (link.state === "connecting") return `Waiting for the agent at ${hostOf(link.url)}`
  if (link.state === "lost") return `Waiting for the agent at ${hostOf(link.url)}, retry in ${retryIn(link, look)} s`
  return "Waiting for the first session"
}

function groupSpans(
  run: Run,
  target: Extract<Target, { type: "group" }>,
  folded: readonly GroupId[],
  asking: readonly Prompt[],
  look: RenderContext,
  places: Columns,
): readonly Span[] {
  const { glyphs } = look
  const index = groupIndex(run, target.invocation) ?? -1
  const invocation = run.invocations[index]
  if (invocation === undefined) return []
  const sum = rollUp(run, invocation)
  const fold = folded.includes(target.invocation) ? glyphs.folded : glyphs.unfolded
  const hue: Hue = `hue${index}`
  const name = [
    span(" "),
    span(`${fold} `, "normal"),
    span(invocation.title, hue, { bold: true }),
    ...stale(run, invocation.epoch),
    ...completion(run, sum, invocation, look, places, hue),
  ]
  const question = questionOf(run, invocation, asking)
  const extra = [...progressSpans(progressOf(run, invocation), look), ...questionSpans(question, look)]
  return [
    ...fill([...name, ...extra], places.name + places.model, glyphs.ellipsis),
    ...numbers(sum.tokens, sum.rate, sum.streaming > 0 ? "normal" : "dim", places),
    span(pad("", places.ttft)),
  ]
}

/** How much of a group is over: a bar where there is room, and always the count. */
function completion(
  run: Run,
  sum: RollUp,
  invocation: Invocation,
  look: RenderContext,
  places: Columns,
  hue: Hue,
): readonly Span[] {
  const { glyphs } = look
  const total = invocation.sessions.length
  const over = sum.done + sum.error
  const room = places.name + places.model - width(invocation.title) - 14
  // Its own progress says more, and needs the room.
  const busy = progressOf(run, invocation) !== undefined
  const cells = room >= 4 && !busy ? Math.min(8, room) : 0
  const full = Math.round((over / total) * cells)
  const bar =
    cells === 0 ? [] : [span(` ${glyphs.barFull.repeat(full)}`, hue), span(glyphs.barEmpty.repeat(cells - full), "dim")]
  const errors = sum.error > 0 ? [span(` ${glyphs.error}${sum.error}`, "error")] : []
  return [...bar, span(` ${over}/${total}`, "normal"), ...errors]
}

/** The pane's title: how many groups, how many at work, how many ask. */
export function liveTitle(state: State, sums: { waiting: number; streaming: number; error: number }): string {
  const running = isOver(state.run) ? 0 : sums.waiting + sums.streaming
  const asks = answerable(state).length
  const groups = state.run.invocations.length
  const parts = [
    `${count(groups)} ${groups === 1 ? "invocation" : "invocations"}`,
    ...(running > 0 ? [`${count(running)} running`] : []),
    ...(sums.error > 0 ? [`${count(sums.error)} failed`] : []),
    ...(asks > 0 ? [`${count(asks)} ${asks === 1 ? "asks" : "ask"}`] : []),
  ]
  const filtered = sessionTest(state.view.filters, state.zone) === null ? [] : ["filtered"]
  return `LIVE  ${[...parts, ...filtered].join(" · ")}`
}
