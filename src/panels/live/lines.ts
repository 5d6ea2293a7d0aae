// Draws the live pane: its title, its rows and its lower edge, and why it is empty.
import { keyOf } from "../../keys/key-text.ts"
import { groupIndex, sessionIndex } from "../../run/identity/find-by-id.ts"
import { type Click, type Line, type RenderContext, rowClick, type Span, span, wrap } from "../../ui/line.ts"
import { hostOf, lastSeenWords, retryIn } from "../../ui/link-words.ts"
import { count, edgeWords } from "../../ui/text-width.ts"
import { LIVE_ORDERS, type Target } from "../../view/live-list.ts"
import { answerable, isLive, isOver, type State } from "../../view/state.ts"
import { searchRun } from "../common/keys.ts"
import { laneScale } from "../common/lanes.ts"
import { askersOf, type LiveRows, liveFilter, rowOfTarget } from "../common/session-rows.ts"
import { silentSessions } from "../common/silence.ts"
import { columnsFor, RATE_FROM } from "./columns.ts"
import { freeLines } from "./free-rows.ts"
import { finishedSpans, groupSpans, type HiddenCount } from "./group-row.ts"
import { type NameStyle, type RowContext, sessionSpans } from "./session-row.ts"

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
  if (rows.length === 0) return liveEmpty(state, context, width)
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
  const below = rows[at + 1]
  return below === undefined || below.type === "group" || !isIn(run, below, group)
}

/** How many sessions of a group have no row, of those whose rows would follow the one at `at`. */
function hiddenIn(run: State["run"], rows: readonly Target[], group: number, at: number): HiddenCount {
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

function liveEmpty(state: State, context: RenderContext, columns: number): readonly Line[] {
  return wrap(emptyWords(state, context), columns - 1).map(text => ({ spans: [span(` ${text}`, "dim")] }))
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
