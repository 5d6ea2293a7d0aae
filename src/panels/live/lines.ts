// Draws the live pane: its title, its rows and its lower edge, and why it is empty.
import { keyOf } from "../../keys/key-text.ts"
import { groupIndex, sessionIndex } from "../../run/identity/find-by-id.ts"
import { derived } from "../../run/model/derived.ts"
import type { Run } from "../../run/model/run.ts"
import { noTally, type Tally } from "../../run/model/tally.ts"
import { isActive, recentRate, sumOfRates } from "../../run/select/figures.ts"
import { type Click, type Hue, type Line, type RenderContext, rowClick, type Span, span, wrap } from "../../ui/line.ts"
import { hostOf, lastSeenWords, retryIn } from "../../ui/link-words.ts"
import { count, edgeWords, nameWith, width } from "../../ui/text-width.ts"
import { LIVE_ORDERS, type Target } from "../../view/live-list.ts"
import { answerable, isLive, isOver, type State } from "../../view/state.ts"
import { searchRun } from "../common/keys.ts"
import { groupLane, laneScale } from "../common/lanes.ts"
import { askersOf, type LiveRows, liveFilter, rowOfTarget } from "../common/session-rows.ts"
import { silentSessions } from "../common/silence.ts"
import { columnsFor, RATE_FROM, rowOf } from "./columns.ts"
import { freeLines } from "./free-rows.ts"
import { progressOf, progressSpans } from "./now.ts"
import { asLastSeen, type NameStyle, type RowContext, sessionSpans } from "./session-row.ts"

/** The part of the list that is drawn: the pinned rows, and of the others a window. */
export interface ShownList extends LiveRows {
  /** The first row of the window, counted from the first that is not pinned. */
  readonly top: number
}

/** The rows, and what the free ones below them hold; makes only what is shown. */
export function liveLines(
  state: State,
  context: RenderContext,
  width: number,
  height: number,
  list: ShownList,
): readonly Line[] {
  const { run, view } = state
  const { rows, pinned, top } = list
  if (rows.length === 0)
    return wrap(emptyWords(state, context), width - 1).map(text => ({ spans: [span(` ${text}`, "dim")] }))
  const columns = columnsFor(width, height > 1)
  const scale = columns.lane === 0 ? null : laneScale(run, context, columns.lane)
  const silent = silentSessions(state, context.now)
  const row: RowContext = { run, asking: askersOf(state), silent, context, columns, scale }
  const cursor = rowOfTarget(run, list, view.list.selected)
  const [bar, pin] = [span(context.glyphs.bar, "accent"), span(context.glyphs.pin, "accent")]
  const isFlat = view.list.order !== "came"
  const count = Math.min(height, rows.length - top)
  const lines = Array.from({ length: count }, (_, i) => {
    const at = i < pinned ? i : i + top
    const standing: NameStyle = i < pinned ? "pinned" : isFlat ? "alone" : "below"
    const spans = targetSpans(state, at, row, { rows, standing })
    const selected = at === cursor
    const click = selected ? opening(run, rows, at) : rowClick(at, false, "live")
    return selected
      ? { spans: [standing === "pinned" ? pin : bar, ...spans.slice(1)], selected, click }
      : { spans, click }
  })
  // What is looked for stands alone.
  const free = liveFilter(view) === "" ? height - lines.length : 0
  return [...lines, ...freeLines(state, context, columns, free)]
}

interface InList {
  readonly rows: readonly Target[]
  readonly standing: NameStyle
}

function targetSpans({ run }: State, at: number, row: RowContext, { rows, standing }: InList): readonly Span[] {
  const target = rows[at]
  if (target === undefined) return []
  if (target.type === "session") return sessionSpans(sessionIndex(run, target.session) ?? -1, row, standing)
  const group = groupIndex(run, target.invocation) ?? -1
  if (target.type === "finished") return finishedSpans(hiddenIn(run, rows, group, at), row)
  return groupSpans(group, isFolded(run, rows, group, at), row)
}

/** What a click on the selected row does: a group is folded. */
function opening(run: State["run"], rows: readonly Target[], at: number): Click {
  const target = rows[at]
  if (target?.type !== "group") return rowClick(at, true, "live")
  const group = groupIndex(run, target.invocation) ?? -1
  return { type: "cursor/fold", to: isFolded(run, rows, group, at) ? "unfold" : "fold" }
}

function isFolded(run: State["run"], rows: readonly Target[], group: number, at: number): boolean {
  return !isIn(run, rows[at + 1] ?? null, group)
}

/** How many sessions of a group have no row, of those whose rows would follow the one at `at`. */
function hiddenIn(run: State["run"], rows: readonly Target[], group: number, at: number) {
  const failed = new Set(run.tallies[group]?.failed)
  let next = at + 1
  for (; isIn(run, rows[next] ?? null, group); next++) {
    const row = rows[next]
    if (row?.type === "session") failed.delete(sessionIndex(run, row.session) ?? -1)
  }
  const all = (run.invocations[group]?.sessions.length ?? 0) - (next - at - 1)
  return { done: all - failed.size, failed: failed.size }
}

function isIn(run: State["run"], target: Target | null, group: number): boolean {
  if (target === null || target.type === "group") return false
  if (target.type !== "session") return groupIndex(run, target.invocation) === group
  return run.sessions[sessionIndex(run, target.session) ?? -1]?.invocation === group
}

function emptyWords(state: State, context: RenderContext): string {
  const { run, link } = state
  if (run.sessions.length > 0) {
    const { view } = state
    return `No session matches ${liveFilter(view)}. Esc shows all, then ${keyOf(view, searchRun)} searches all texts`
  }
  if (link.state === "running") return `Waiting for output from ${link.command}`
  if (!isLive(state) || isOver(run))
    return run.frames.lines === 0 && link.state === "replaying" ? "Reading the recording…" : "No sessions"
  if (link.state === "connecting") return `Waiting for the agent at ${hostOf(link.url)}`
  if (link.state === "lost")
    return `No connection to ${hostOf(link.url)}: ${link.why}. Trying again in ${retryIn(link, context)}s`
  return "Waiting for the first session"
}

/** The pane's title: how many sessions there are, run, ask and failed. */
export function liveTitle(state: State, context: RenderContext, columns: number): string {
  const { glyphs } = context
  const { run } = state
  const { counts } = run.tally
  const running = isOver(run) ? 0 : counts.waiting + counts.streaming + counts.tool
  const asks = answerable(state).length
  const parts = [
    ...(run.sessions.length > 0 ? [count(run.sessions.length)] : []),
    ...(running > 0 ? [lastSeenWords(context, columns) ?? `${count(running)} running`] : []),
    ...(asks > 0 ? [`${glyphs.asks}${count(asks)}`] : []),
    ...(counts.error > 0 ? [`${glyphs.error}${count(counts.error)}`] : []),
  ]
  return ["SESSIONS", ...(parts.length > 0 ? [parts.join(` ${glyphs.dot} `)] : [])].join("  ")
}

/** The lower edge: the selected row, the order where it has room, and what is looked for. */
export function liveFoot(state: State, shown: ShownList, columns: number): string {
  const { run, view } = state
  const filter = liveFilter(view)
  const { top, rows } = shown
  const cursor = rowOfTarget(run, shown, view.list.selected)
  const place = edgeWords({ top, rows: rows.length, length: rows.length, cursor }) ?? []
  const found = filter === "" ? "/ filter" : `/ ${filter}`
  const parts = [place, columns < RATE_FROM ? [] : `S sort: ${LIVE_ORDERS[view.list.order]}`, found]
  return parts.flat().join("   ")
}

/** The part of a row that the name of a group takes at most. */
const WIDEST = 0.5

/** A group: how many of its sessions are done, what the others do, and the sums of them all. */
function groupSpans(group: number, isFolded: boolean, row: RowContext): readonly Span[] {
  const { run, context, columns, scale } = row
  const { glyphs, now } = context
  const invocation = run.invocations[group]
  if (invocation === undefined) return []
  const tally = run.tallies[group] ?? noTally
  const { counts } = tally
  const over = ` ${counts.done + counts.error}/${invocation.sessions.length}`
  // A group's activity is short, so its name may be longer than a session's.
  const name = Math.max(columns.name, Math.min(width(invocation.title + over) + 3, Math.floor(columns.row * WIDEST)))
  const title = nameWith(invocation.title, over, name - 3, glyphs.ellipsis)
  const hue: Hue = `hue${group}`
  const atWork = tally.open.filter(index => isActive(run, index))
  const named = [
    span(" "),
    span(`${isFolded ? glyphs.folded : glyphs.unfolded} `),
    span(title.slice(0, -over.length), hue, { bold: true, faint: atWork.length === 0 }),
    span(over),
  ]
  const streaming = (context.goneMs == null ? atWork : []).filter(
    index => run.turnBuffers[index]?.turn.status === "streaming",
  )
  const isEarlier = invocation.epoch < run.epochs.length - 1
  const states = [...(isEarlier ? [span("(earlier run) ", "dim")] : []), ...stateSpans(tally, row, group)]
  const progress = progressSpans(progressOf(run, invocation), context)
  const figures = {
    rate: streaming.length === 0 ? null : sumOfRates(run, streaming, one => recentRate(one, now)),
    ms: groupTime(run, group, atWork.length > 0, now),
    fullness: null,
    lane: scale === null ? [] : groupLane(run, group, scale, context),
  }
  const doing = (room: number) => {
    const words = atWork.length === 0 ? null : lastSeenWords(context, room)
    if (words !== null) return [span(words)]
    return progress.length === 0 ? states : [...states, span("  "), ...progress]
  }
  return asLastSeen(rowOf({ ...columns, name }, named, doing, figures, context), context)
}

/** Sessions of a group that have no rows of their own. */
type HiddenCount = Readonly<ReturnType<typeof hiddenIn>>

const NO_CELLS = { rate: null, ms: null, fullness: null, lane: [] }

/** The row for the sessions of a group that are over, where they have no rows of their own. */
function finishedSpans({ done, failed }: HiddenCount, { context, columns }: RowContext): readonly Span[] {
  const { glyphs } = context
  const name = [
    span(" "),
    span(`  ${glyphs.folded}`),
    done > 0 ? span(` ${count(done)} done`, "dim") : span(` ${count(failed)} failed`, "error"),
  ]
  const trouble = done > 0 && failed > 0 ? `${glyphs.error}${count(failed)}  ` : ""
  const words = [span(trouble, "error"), span("Enter shows them", "dim")]
  return rowOf(columns, name, () => words, NO_CELLS, context)
}

function stateSpans(
  { counts, open }: Tally,
  { run, asking, silent, context }: RowContext,
  group: number,
): readonly Span[] {
  const { glyphs } = context
  const running = open.filter(index => isActive(run, index)).length
  const asks = [...asking.keys()].filter(index => run.sessions[index]?.invocation === group).length
  const silences = silent.size === 0 ? 0 : open.filter(index => silent.has(index)).length
  const parts = [
    ...(asks > 0 ? [span(`${glyphs.asks}${asks}`, "warn", { bold: true })] : []),
    ...(counts.error > 0 ? [span(`${glyphs.error}${counts.error}`, "error")] : []),
    ...(running > 0 ? [span(`${count(running)} running`)] : []),
    ...(silences > 0 ? [span(`${count(silences)} silent`, "warn")] : []),
  ]
  return parts.flatMap((part, i) => (i === 0 ? [part] : [span(` ${glyphs.dot} `, "dim"), part]))
}

/** When the last session of a group ended changes only with its tally. */
const ends = derived<number>()

/** Ms since the first session of a group began, or until the last one ended. */
function groupTime(run: Run, group: number, isOn: boolean, now: number): number | null {
  const members = run.invocations[group]?.sessions ?? []
  const tally = run.tallies[group]
  const began = run.sessions[members[0] ?? -1]?.beganTs ?? null
  if (began === null || tally === undefined) return null
  if (isOn) return Math.max(now, run.lastTs ?? now) - began
  const times = () =>
    members.map(index => Math.max(run.sessions[index]?.lastTs ?? 0, run.turnBuffers[index]?.lastTs ?? 0))
  return ends([tally], () => times().reduce((last, ts) => Math.max(last, ts), began)) - began
}
