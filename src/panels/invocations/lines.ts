// Draws the list of every invocation of the run: a row for each session, with the same columns for all numbers.
import { isTruncatedReply } from "../../run/log.ts"
import type { Session, TurnBuffer } from "../../run/model/session.ts"
import { type Fullness, fullnessOf, isAtWork, reasonOf, sessionTime, usageOf } from "../../run/select/figures.ts"
import {
  blank,
  type ColorToken,
  clipSpans,
  type Line,
  line,
  type RenderContext,
  rowClick,
  type Span,
  span,
} from "../../ui/line.ts"
import { clip, count, counted, duration, pad, shorten } from "../../ui/text-width.ts"
import { type SeenRows, seenAround } from "../../view/cursor-step.ts"
import { rowOf, type SessionOrder, sessionAt } from "../../view/inspector.ts"
import type { State } from "../../view/state.ts"
import type { Place } from "../common/panel.ts"
import { sessionNameIn } from "../common/session-name.ts"

type ColumnId = "turns" | "time" | "in" | "out" | "cached" | "context" | "model" | "stop"

interface Column {
  readonly id: ColumnId
  readonly title: string
  readonly width: number
  readonly align: "left" | "right"
}

const COLUMNS: readonly Column[] = [
  { id: "model", title: "model", width: 18, align: "left" },
  { id: "turns", title: "turns", width: 6, align: "right" },
  { id: "time", title: "time", width: 8, align: "right" },
  { id: "in", title: "in", width: 10, align: "right" },
  { id: "out", title: "out", width: 9, align: "right" },
  { id: "cached", title: "cached", width: 9, align: "right" },
  { id: "context", title: "context", width: 9, align: "right" },
  { id: "stop", title: "  stop reason", width: 14, align: "left" },
]
/** Where not all columns fit beside a name of `LEAST` columns, the last of these go first. */
const RANK: readonly ColumnId[] = ["time", "out", "turns", "in", "context", "stop", "model", "cached"]
const LEAST = 16
/** Columns that a name takes; what is left beyond them goes to the reason why a session stopped. */
const MOST = 28

/** A row of the list: its columns, and the width of the name before them. */
interface Table {
  readonly name: number
  readonly columns: readonly Column[]
}

interface Row {
  readonly index: number
  readonly session: Session
  readonly turn: TurnBuffer
  readonly used: Fullness | null
  readonly isActive: boolean
}

type Cell = readonly [text: string, token: ColorToken]

/** The heading, the rows that fit around the cursor, and the details of the one under it. */
export function invocationLines(state: State, place: Place): readonly Line[] {
  const { render, columns, rows } = place
  const { run, view } = state
  const { inspector } = view
  if (run.sessions.length === 0) return [line(span("No sessions", "dim"))]
  const table = tableFor(columns)
  const cursor = rowOf(run, inspector.sorted, inspector.row)
  const { top, ...seen } = invocationsSeen(state, place)
  const lines: Line[] = [heading(table, inspector.order)]
  for (let index = top; index < Math.min(top + seen.rows, seen.length); index++) {
    const row = rowAt(state, index)
    const here = index === cursor
    if (row !== null) lines.push({ ...rowLine(state, row, render, table, here), click: rowClick(index, here) })
  }
  if (rows < 3) return lines
  while (lines.length < rows - 1) lines.push(blank)
  const selected = rowAt(state, cursor)
  return selected === null ? lines : [...lines, detailLine(selected, render, columns)]
}

/** The sessions that have a row. */
export function invocationsSeen({ run, view: { inspector } }: State, { rows, top }: Place): SeenRows {
  const cursor = rowOf(run, inspector.sorted, inspector.row)
  return seenAround(cursor, Math.max(1, rows - 2), run.sessions.length, top)
}

/** The title of the pane, with the order of its rows. */
export function invocationsTitle({ run, view }: State): string {
  const { order } = view.inspector
  const sorted = order === "in" || order === "out" ? `by tokens ${order}` : `by ${order}`
  return `${counted(run.sessions.length, "session")} · ${order === "newest" ? "newest first" : sorted}`
}

/** The columns that have room beside the name, in the order of `COLUMNS`. */
function tableFor(width: number): Table {
  const fitting = new Set<ColumnId>()
  let room = width - LEAST
  for (const id of RANK) {
    room -= COLUMNS.find(column => column.id === id)?.width ?? 0
    if (room < 0) break
    fitting.add(id)
  }
  const columns = COLUMNS.filter(({ id }) => fitting.has(id))
  const left = Math.max(1, width - columns.reduce((sum, one) => sum + one.width, 0))
  const name = fitting.has("stop") ? Math.min(MOST, left) : left
  const spare = left - name
  return { name, columns: columns.map(one => (one.id === "stop" ? { ...one, width: one.width + spare } : one)) }
}

/** Marks the column that the list is sorted by. The status has none: it takes the place of the name. */
function heading(table: Table, order: SessionOrder): Line {
  const mark = (name: string, id: string) => (order === id ? `${name}↓` : name)
  const first = order === "status" ? "status↓" : mark("invocation", "name")
  const cells = table.columns.map(({ id, title, width, align }) => pad(mark(title, id), width, align))
  return line(span(pad(`   ${first}`, table.name) + cells.join(""), "dim"))
}

function rowAt({ run, view }: State, index: number): Row | null {
  const at = sessionAt(run, view.inspector.sorted, index) ?? -1
  const [session, turn] = [run.sessions[at], run.turnBuffers[at]]
  if (session === undefined || turn === undefined) return null
  return { index: at, session, turn, used: fullnessOf(run, at), isActive: isAtWork(run, at) }
}

function rowLine({ run }: State, row: Row, render: RenderContext, table: Table, here: boolean): Line {
  const { glyphs } = render
  const hue = `hue${row.session.invocation}` as const
  const name = sessionNameIn(run, row.index, table.name - 4, glyphs.ellipsis)
  const spans = [
    span(here ? glyphs.bar : " ", "accent"),
    statusSpan(row, render),
    span(" "),
    span(pad(name, table.name - 3), hue, { bold: here }),
    ...table.columns.map(column => cellSpan(column, row, render)),
  ]
  return { spans, selected: here }
}

function statusSpan({ session, turn: { status }, isActive }: Row, { glyphs }: RenderContext): Span {
  if (status === "error" || status === "done") return span(glyphs.status[status], status === "done" ? "ok" : "error")
  if (!isActive) return span(glyphs.dash, "dim")
  return span(glyphs.status[status], status === "streaming" ? `hue${session.invocation}` : "dim")
}

function cellSpan({ id, width, align }: Column, row: Row, render: RenderContext): Span {
  const [text, token] = cellOf(id, row, render, width - 1)
  if (align === "right") return span(pad(text, width, "right", ""), token)
  const before = id === "stop" ? "  " : ""
  return span(pad(before + clip(text, width - before.length - 1, render.glyphs.ellipsis), width), token)
}

function cellOf(id: ColumnId, { session, turn, used, isActive }: Row, render: RenderContext, room: number): Cell {
  const none = [render.glyphs.dash, "dim"] as const
  const figure = (value: number | null): Cell =>
    value === null ? none : [shorten(count(value), value, room), "normal"]
  const usage = usageOf(session, turn)
  switch (id) {
    case "turns":
      return figure(session.turns)
    case "time": {
      const time = sessionTime(session, turn, isActive ? render.now : null)
      return time === null ? none : [duration(time), "normal"]
    }
    case "in":
      return figure(usage.input)
    case "out":
      return figure(usage.output)
    case "cached":
      return figure(usage.cached)
    case "context": {
      if (used === null || "tokens" in used) return figure(used?.tokens ?? null)
      return [`${Math.round(used.fraction * 100)}%`, used.isHigh ? "warn" : "normal"]
    }
    case "model":
      return [turn.model ?? render.glyphs.dash, "dim"]
    case "stop":
      if (turn.status === "error") return [reasonOf(session) ?? "error", "error"]
      return [reasonOf(session) ?? render.glyphs.dash, isTruncatedReply(session.stopReason) ? "warn" : "dim"]
  }
}

/** All that is known of one session on one line: also what the columns have no room for. */
function detailLine(row: Row, render: RenderContext, columns: number): Line {
  const { session, turn, isActive } = row
  const { dot, ellipsis } = render.glyphs
  const text = (id: ColumnId) => cellOf(id, row, render, 12)[0]
  const usage = `${text("in")} in, ${text("out")} out, ${text("cached")} cached`
  const [reason, token] = isActive ? ([turn.status, "normal"] as const) : cellOf("stop", row, render, 12)
  const details = [usage, `context ${text("context")}`, text("model"), session.title].join(` ${dot} `)
  return { spans: clipSpans([span(`${reason}  `, token), span(details, "dim")], columns, ellipsis) }
}
