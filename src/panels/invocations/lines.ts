// The list of every invocation of the run: a row for each session, with the same columns whatever the numbers.
import { isTruncatedReply } from "../../run/log.ts"
import type { Session, TurnBuffer } from "../../run/model/session.ts"
import { contextOf, isAtWork, reasonOf, sessionTime, usageOf } from "../../run/select/figures.ts"
import { type ColorToken, clipSpans, type Hue, type Line, line, type Span, span } from "../../ui/line.ts"
import type { RenderContext } from "../../ui/render-context.ts"
import { clip, count, duration, pad, shorten } from "../../ui/text-width.ts"
import { windowTop } from "../../view/cursor-step.ts"
import { rowOf, type SessionOrder, sessionAt } from "../../view/inspector.ts"
import type { State } from "../../view/state.ts"
import { sessionNameIn } from "../common/session-name.ts"
import { type Column, type Table, tableFor } from "./table.ts"

type Id = "turns" | "time" | "in" | "out" | "cached" | "context" | "model" | "stop"

const COLUMNS: readonly Column<Id>[] = [
  { id: "model", title: "model", width: 18, align: "left" },
  { id: "turns", title: "turns", width: 6, align: "right" },
  { id: "time", title: "time", width: 8, align: "right" },
  { id: "in", title: "in", width: 10, align: "right" },
  { id: "out", title: "out", width: 9, align: "right" },
  { id: "cached", title: "cached", width: 9, align: "right" },
  { id: "context", title: "context", width: 9, align: "right" },
  { id: "stop", title: "  stopped by", width: 14, align: "left" },
]
/** What is worth most on a narrow screen. */
const RANK: readonly Id[] = ["time", "out", "turns", "in", "context", "stop", "model", "cached"]
const LEAST = 16

/** What each order is called in the heading: a column, or the name. */
const SORTED_BY: { readonly [order in SessionOrder]: Id | "name" | "status" | "newest" } = {
  newest: "newest",
  name: "name",
  status: "status",
  time: "time",
  in: "in",
  out: "out",
}

/** The heading, the rows that fit around the cursor, and all that is known of the one under it. */
export function invocationLines(state: State, context: RenderContext, columns: number, rows: number): readonly Line[] {
  const { run, view } = state
  const { inspector } = view
  if (run.sessions.length === 0) return [line(span("No sessions", "dim"))]
  const table = tableFor(COLUMNS, RANK, LEAST, columns)
  const height = Math.max(1, rows - 2)
  const cursor = rowOf(run, inspector.sorted, inspector.row)
  const top = windowTop(Math.max(0, cursor - Math.floor(height / 2)), cursor, height, run.sessions.length)
  const lines: Line[] = [heading(table, inspector.order)]
  for (let row = top; row < Math.min(top + height, run.sessions.length); row++) {
    const session = sessionAt(run, inspector.sorted, row)
    if (session !== null) lines.push(sessionLine(state, session, context, table, row === cursor))
  }
  if (rows < 3) return lines
  while (lines.length < rows - 1) lines.push(line())
  const under = sessionAt(run, inspector.sorted, cursor)
  return under === null ? lines : [...lines, detailLine(state, under, context, columns)]
}

export function invocationsTitle({ run, view }: State): string {
  const { order } = view.inspector
  const sessions = `${count(run.sessions.length)} ${run.sessions.length === 1 ? "session" : "sessions"}`
  return `${sessions} · ${order === "newest" ? "newest first" : `by ${order === "in" || order === "out" ? `tokens ${order}` : order}`}`
}

function heading(table: Table<Id>, order: SessionOrder): Line {
  const mark = (name: string, id: string) => (SORTED_BY[order] === id ? `${name}↓` : name)
  const first = SORTED_BY[order] === "status" ? "status↓" : mark("invocation", "name")
  const cells = table.columns.map(({ id, title, width, align }) => pad(mark(title, id), width, align))
  return line(span(pad(`   ${first}`, table.name) + cells.join(""), "dim"))
}

function sessionLine(state: State, index: number, context: RenderContext, table: Table<Id>, here: boolean): Line {
  const { run } = state
  const [session, stream] = [run.sessions[index], run.turnBuffers[index]]
  if (session === undefined || stream === undefined) return line()
  const atWork = isAtWork(run, index)
  const name = sessionNameIn(run, session, table.name - 4, context.glyphs.ellipsis)
  const hue: Hue = `hue${session.invocation}`
  const spans = [
    span(here ? context.glyphs.bar : " ", "accent"),
    span(statusGlyph(stream, atWork, context), statusToken(stream, atWork, hue)),
    span(" "),
    span(pad(name, table.name - 3), hue, { bold: here }),
    ...table.columns.map(column => cell(column, session, stream, atWork, context)),
  ]
  return here ? { spans, selected: true } : { spans }
}

function statusGlyph(stream: TurnBuffer, atWork: boolean, { glyphs }: RenderContext): string {
  const isLeft = !atWork && (stream.status === "waiting" || stream.status === "streaming")
  return isLeft ? glyphs.dash : glyphs.status[stream.status]
}

function statusToken(stream: TurnBuffer, atWork: boolean, hue: Hue): ColorToken {
  if (stream.status === "error") return "error"
  if (stream.status === "done") return "ok"
  return atWork && stream.status === "streaming" ? hue : "dim"
}

function cell(
  { id, width, align }: Column<Id>,
  session: Session,
  stream: TurnBuffer,
  atWork: boolean,
  context: RenderContext,
): Span {
  const [words, token] = wordsFor(id, session, stream, atWork, context, width - 1)
  if (align === "right") return span(pad(words, width, "right", ""), token)
  const before = id === "stop" ? "  " : ""
  return span(pad(before + clip(words, width - before.length - 1, context.glyphs.ellipsis), width), token)
}

function wordsFor(
  id: Id,
  session: Session,
  stream: TurnBuffer,
  atWork: boolean,
  context: RenderContext,
  room: number,
): readonly [string, ColorToken] {
  const figure = (value: number | null): readonly [string, ColorToken] =>
    value === null ? [context.glyphs.dash, "dim"] : [shorten(count(value), value, room), "normal"]
  const spent = usageOf(session, stream)
  switch (id) {
    case "turns":
      return figure(session.turns)
    case "time": {
      const time = sessionTime(session, stream, atWork ? context.now : null)
      return time === null ? [context.glyphs.dash, "dim"] : [duration(time), "normal"]
    }
    case "in":
      return figure(spent.input)
    case "out":
      return figure(spent.output)
    case "cached":
      return figure(spent.cached)
    case "context":
      return contextWords(session, context, room)
    case "model":
      return [stream.model ?? context.glyphs.dash, "dim"]
    case "stop":
      return stopWords(session, stream, context)
  }
}

/** A fraction where the agent warned of one, else the tokens that the latest turn took in. */
function contextWords(session: Session, context: RenderContext, room: number): readonly [string, ColorToken] {
  const used = contextOf(session)
  if (used === null) return [context.glyphs.dash, "dim"]
  if ("fraction" in used) return [`${Math.round(used.fraction * 100)} %`, "warn"]
  return [shorten(count(used.tokens), used.tokens, room), "normal"]
}

function stopWords(session: Session, stream: TurnBuffer, context: RenderContext): readonly [string, ColorToken] {
  if (stream.status === "error") return [session.error ?? "error", "error"]
  const reason = reasonOf(session)
  return [reason ?? context.glyphs.dash, isTruncatedReply(session.stopReason) ? "warn" : "dim"]
}

/** All that is known of one session on one line: also what the columns have no room for. */
function detailLine(state: State, index: number, context: RenderContext, columns: number): Line {
  const { run } = state
  const [session, stream] = [run.sessions[index], run.turnBuffers[index]]
  if (session === undefined || stream === undefined) return line()
  const atWork = isAtWork(run, index)
  const value = (id: Id) => wordsFor(id, session, stream, atWork, context, 12)[0]
  const [reason, token] = stopWords(session, stream, context)
  const words = [
    `${value("in")} in, ${value("out")} out, ${value("cached")} cached`,
    `context ${value("context")}`,
    value("model"),
    session.title,
  ]
  const spans = [
    span(atWork ? `${stream.status}  ` : `${reason}  `, atWork ? "normal" : token),
    span(words.join(` ${context.glyphs.dot} `), "dim"),
  ]
  return { spans: clipSpans(spans, columns, context.glyphs.ellipsis) }
}
