// Draws the live pane: its title, its rows, and why it is empty.
import { sessionTest } from "../../query/filters.ts"
import { groupIndex, sessionIndex } from "../../run/identity/find-by-id.ts"
import type { GroupId } from "../../run/model/id.ts"
import { type Activity, type RollUp, rollUp } from "../../run/select/figures.ts"
import type { Glyphs } from "../../ui/glyphs.ts"
import { type Hue, type Line, type RenderContext, type Span, span, wrap } from "../../ui/line.ts"
import { hostOf, retryIn } from "../../ui/link-words.ts"
import { count, pad, width } from "../../ui/text-width.ts"
import { sameTarget, shownRows } from "../../view/select/live-rows.ts"
import { silentSessions } from "../../view/select/silence.ts"
import { answerable, isLive, isOver, type State } from "../../view/state.ts"
import type { Target } from "../../view/view.ts"
import { columnsFor, fill, numbers } from "./columns.ts"
import { progressOf, progressSpans, questionOf, questionSpans, stale } from "./remarks.ts"
import { type RowContext, sessionSpans } from "./session-row.ts"

/** The rows from `top` on; makes only those that are shown. */
export function liveLines(
  state: State,
  context: RenderContext,
  width: number,
  rows: number,
  top: number,
): readonly Line[] {
  const { run, view } = state
  const silent = silentSessions(state, context.now)
  const row: RowContext = { run, asking: answerable(state), silent, context, columns: columnsFor(width) }
  const shown = shownRows(state).slice(top, top + rows)
  return shown.map(target => {
    const selected = sameTarget(target, view.selected)
    const spans =
      target.type === "group"
        ? groupSpans(target, view.folded, row)
        : sessionSpans(sessionIndex(run, target.session) ?? -1, row)
    return selected ? { spans: [span(context.glyphs.bar, "accent"), ...spans.slice(1)], selected } : { spans }
  })
}

/** The names of the columns that have room. */
export function liveHeading(width: number): Line {
  const columns = columnsFor(width)
  const text =
    pad("   invocation", columns.name) +
    pad("model", columns.model) +
    pad("tok", columns.tokens, "right") +
    pad("tok/s", columns.rate, "right") +
    pad("ttft", columns.ttft, "right")
  return { spans: [span(text, "dim")] }
}

/** What the pane says while it has no rows. */
export function liveEmpty(state: State, context: RenderContext, columns: number): readonly Line[] {
  return wrap(emptyWords(state, context), columns - 1).map(text => ({ spans: [span(` ${text}`, "dim")] }))
}

function emptyWords(state: State, context: RenderContext): string {
  const { run, link } = state
  if (run.sessions.length > 0) return "No session matches the filter. f edits it"
  if (link.state === "running") return `Waiting for output from ${link.command}`
  if (!isLive(state) || isOver(run))
    return run.frames.lines === 0 && link.state === "replaying" ? "Reading the recording…" : "No sessions"
  if (link.state === "connecting") return `Waiting for the agent at ${hostOf(link.url)}`
  if (link.state === "lost")
    return `No connection to ${hostOf(link.url)}: ${link.why}. Trying again in ${retryIn(link, context)}s`
  return "Waiting for the first session"
}

function groupSpans(
  target: Extract<Target, { type: "group" }>,
  folded: readonly GroupId[],
  row: RowContext,
): readonly Span[] {
  const { run, asking, silent, context, columns } = row
  const { glyphs } = context
  const index = groupIndex(run, target.invocation) ?? -1
  const invocation = run.invocations[index]
  if (invocation === undefined) return []
  const sum = rollUp(run, invocation)
  const silences = silent.size === 0 ? 0 : invocation.sessions.filter(one => silent.has(one)).length
  const hue: Hue = `hue${index}`
  const progress = progressOf(run, invocation)
  const name = [
    span(" "),
    span(`${folded.includes(target.invocation) ? glyphs.folded : glyphs.unfolded} `, "normal"),
    span(invocation.title, hue, { bold: true }),
    ...stale(run, invocation.epoch),
  ]
  const room = columns.name + columns.model - width(invocation.title) - 14
  // The agent's own progress says more, and needs the room.
  const cells = room >= 4 && progress === undefined ? Math.min(8, room) : 0
  const extra = [
    ...completion(sum, invocation.sessions.length, cells, hue, glyphs),
    ...(silences > 0 ? [span(`  ${glyphs.warning} ${silences} silent`, "warn")] : []),
    ...progressSpans(progress, context),
    ...questionSpans(questionOf(run, invocation, asking), context),
  ]
  return [
    ...fill([...name, ...extra], columns.name + columns.model, glyphs.ellipsis),
    ...numbers(sum.tokens, sum.rate, sum.streaming > 0 ? "normal" : "dim", columns),
    span(pad("", columns.ttft)),
  ]
}

/** How many sessions of a group are done: a bar of so many cells, and the count. */
function completion(sum: RollUp, total: number, cells: number, hue: Hue, glyphs: Glyphs): readonly Span[] {
  const over = sum.done + sum.error
  const full = Math.round((over / total) * cells)
  const bar =
    cells === 0 ? [] : [span(` ${glyphs.barFull.repeat(full)}`, hue), span(glyphs.barEmpty.repeat(cells - full), "dim")]
  const errors = sum.error > 0 ? [span(` ${glyphs.error}${sum.error}`, "error")] : []
  return [...bar, span(` ${over}/${total}`, "normal"), ...errors]
}

/** The pane's title: the number of groups, of sessions at work, of errors and of questions. */
export function liveTitle(state: State, sums: Activity, { glyphs }: RenderContext): string {
  const running = isOver(state.run) ? 0 : sums.waiting + sums.streaming
  const asks = answerable(state).length
  const groups = state.run.invocations.length
  const parts = [
    `${count(groups)} ${groups === 1 ? "invocation" : "invocations"}`,
    ...(running > 0 ? [`${count(running)} running`] : []),
    ...(sums.error > 0 ? [`${count(sums.error)} failed`] : []),
    ...(asks > 0 ? [`${glyphs.asks}${count(asks)}`] : []),
  ]
  const filtered = sessionTest(state.view.filters, state.zone) === null ? [] : ["filtered"]
  return `LIVE  ${[...parts, ...filtered].join(" · ")}`
}
