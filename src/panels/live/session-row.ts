// Draws the row of one session in the live pane.
import type { Prompt } from "../../run/model/prompts.ts"
import type { Run } from "../../run/model/run.ts"
import type { TurnBuffer } from "../../run/model/session.ts"
import {
  type Fullness,
  fullnessOf,
  isAtWork,
  recentRate,
  recentTokens,
  timeToFirstToken,
  usageOf,
} from "../../run/select/figures.ts"
import { isOpen } from "../../run/session-index.ts"
import type { Glyphs } from "../../ui/glyphs.ts"
import { type ColorToken, type Hue, type RenderContext, type Span, span } from "../../ui/line.ts"
import { lastSeenWords } from "../../ui/link-words.ts"
import { clip, count, duration, nameWith, shorten } from "../../ui/text-width.ts"
import { chartOf, figure, rateSpan, timeSpan } from "./cells.ts"
import { type Cells, type Columns, rowOf } from "./columns.ts"
import { isInTools, nowSpans, progressOf } from "./now.ts"

export interface RowContext {
  readonly run: Run
  /** The open question of a session, by its index. */
  readonly asking: ReadonlyMap<number, Prompt>
  /** By index; see `silentSessions`. */
  readonly silent: ReadonlyMap<number, number>
  readonly context: RenderContext
  readonly columns: Columns
}

/** Where a session stands: below its group, or by itself with its whole name. */
export type NameStyle = "below" | "alone" | "pinned"

/** The row of the session at this index. */
export function sessionSpans(index: number, row: RowContext, standing: NameStyle): readonly Span[] {
  const { run, asking, silent, context, columns } = row
  const { glyphs, now } = context
  const session = run.sessions[index]
  const stream = run.turnBuffers[index]
  const invocation = session === undefined ? undefined : run.invocations[session.invocation]
  if (session === undefined || stream === undefined || invocation === undefined) return []
  const alone = invocation.sessions.length === 1
  const question = asking.get(index)
  const hue: Hue = `hue${session.invocation}`
  const isSilent = silent.has(index)
  const indent = standing === "below" && !alone ? "  " : ""
  const room = columns.name - 3 - indent.length
  const label = standing === "below" || alone ? "" : ` ${session.label}`
  const title = standing === "below" && !alone ? clip(session.label, room, glyphs.ellipsis) : invocation.title
  const name = [
    span(standing === "pinned" ? glyphs.pin : " ", "accent"),
    span(indent),
    markOf(run, index, { isAsking: question !== undefined, isSilent, glyphs }),
    span(` ${nameWith(title, label, room, glyphs.ellipsis)}`, hue),
  ]
  const progress = alone ? progressOf(run, invocation) : undefined
  const doing = nowSpans({
    run,
    index,
    session,
    stream,
    question,
    progress,
    isSilent,
    context,
    columns: columns.now - 1,
  })
  const gone = isAtWork(run, index) || isInTools(run, index) ? lastSeenWords(context, columns.now - 1) : null
  const streams = stream.status === "streaming" && isAtWork(run, index) && gone === null
  const fullness = fullnessOf(run, index)
  const [used, usedToken] = contextWords(fullness)
  const cells: Cells = {
    model: span(stream.model ?? "", "dim"),
    tokens: figure(usageOf(session, stream).output ?? 0, columns.tokens, count, streams ? "bright" : "normal"),
    chart: span(streams ? chartOf(recentTokens(stream, now), glyphs) : "", hue),
    rate: streams ? rateSpan(recentRate(stream, now), columns) : span(""),
    ttft: span(firstToken(stream, isAtWork(run, index), context), "dim"),
    time: timeSpan(turnTime(run, index, now)),
    bar: span(contextBar(fullness, glyphs), usedToken),
    percent: span(used, usedToken),
  }
  const said = gone === null ? doing : [span(gone)]
  return asLastSeen(rowOf(columns, name, said, cells, glyphs.ellipsis), context)
}

/** The row of an agent that is gone is dim. */
export function asLastSeen(spans: readonly Span[], { goneMs }: RenderContext): readonly Span[] {
  return goneMs == null ? spans : spans.map(one => ({ ...one, token: "dim", bold: false }))
}

interface MarkFacts {
  readonly isAsking: boolean
  readonly isSilent: boolean
  readonly glyphs: Glyphs
}

function markOf(run: Run, index: number, { isAsking, isSilent, glyphs }: MarkFacts): Span {
  const { status } = run.turnBuffers[index] ?? { status: "done" }
  if (isAsking) return span(glyphs.asks, "warn", { bold: true })
  if (status === "error") return span(glyphs.status.error, "error")
  if (status === "done" && isInTools(run, index)) return span(glyphs.status.streaming, "accent")
  if (status === "done") return span(glyphs.status.done, "ok")
  if (!isAtWork(run, index)) return span(glyphs.dash, "dim")
  const hue: Hue = `hue${run.sessions[index]?.invocation ?? 0}`
  return span(glyphs.status[status], isSilent ? "warn" : status === "streaming" ? hue : "normal")
}

/** Ms of the current turn so far, or that the last one took; null before the first. */
function turnTime(run: Run, index: number, now: number): number | null {
  const [session, buffer] = [run.sessions[index], run.turnBuffers[index]]
  if (session === undefined || buffer?.startTs == null) return null
  const last = Math.max(buffer.startTs, session.lastTs ?? 0, buffer.lastTs ?? 0)
  return (isAtWork(run, index) || isInTools(run, index) ? Math.max(last, now) : last) - buffer.startTs
}

/** Time to first token; while there is none, the time so far with an ellipsis. */
function firstToken(stream: TurnBuffer, isOn: boolean, { glyphs, now }: RenderContext): string {
  const known = timeToFirstToken(stream)
  if (known !== null) return duration(known)
  if (!isOn || !isOpen(stream) || stream.startTs === null) return glyphs.dash
  return `${duration(Math.max(0, now - stream.startTs))}${glyphs.ellipsis}`
}

/** How full the context is, as far as it is known: a share of it, or the tokens that the last request took in. */
function contextWords(used: Fullness | null): readonly [string, ColorToken] {
  if (used === null) return ["", "dim"]
  if ("tokens" in used) return [shorten(count(used.tokens), used.tokens, 4), "dim"]
  return [`${Math.round(used.fraction * 100)}%`, used.isHigh ? "warn" : "dim"]
}

const BAR_CELLS = 5

function contextBar(used: Fullness | null, glyphs: Glyphs): string {
  if (used === null || "tokens" in used) return ""
  const full = Math.round(Math.min(1, Math.max(0, used.fraction)) * BAR_CELLS)
  return glyphs.barFull.repeat(full) + glyphs.barEmpty.repeat(BAR_CELLS - full)
}
