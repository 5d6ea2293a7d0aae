// Draws the row of one session in the live pane.
import type { Prompt } from "../../run/model/prompts.ts"
import type { Run } from "../../run/model/run.ts"
import { fullnessOf, isActive, isAtWork, isInTools, recentRate } from "../../run/select/figures.ts"
import type { Glyphs } from "../../ui/glyphs.ts"
import { type Hue, type RenderContext, type Span, span } from "../../ui/line.ts"
import { lastSeenWords } from "../../ui/link-words.ts"
import { clip, nameWith } from "../../ui/text-width.ts"
import { type LaneScale, sessionLane } from "../common/lanes.ts"
import { type Columns, rowOf } from "./columns.ts"
import { nowSpans, progressOf } from "./now.ts"

export interface RowContext {
  readonly run: Run
  /** The open question of a session, by its index. */
  readonly asking: ReadonlyMap<number, Prompt>
  /** By index; see `silentSessions`. */
  readonly silent: ReadonlyMap<number, number>
  readonly context: RenderContext
  readonly columns: Columns
  /** Of the lanes; null where rows have none. */
  readonly scale: LaneScale | null
}

/** Where a session stands: below its group, or by itself with its whole name. */
export type NameStyle = "below" | "alone" | "pinned"

/** The row of the session at this index. */
export function sessionSpans(index: number, row: RowContext, standing: NameStyle): readonly Span[] {
  const { run, asking, silent, context, columns, scale } = row
  const { glyphs, now } = context
  const session = run.sessions[index]
  const stream = run.turnBuffers[index]
  const invocation = session === undefined ? undefined : run.invocations[session.invocation]
  if (session === undefined || stream === undefined || invocation === undefined) return []
  const alone = invocation.sessions.length === 1
  const question = asking.get(index)
  const hue: Hue = `hue${session.invocation}`
  const isSilent = silent.has(index)
  const isOn = isActive(run, index)
  const streams = stream.turn.status === "streaming" && isAtWork(run, index) && context.goneMs == null
  const indent = standing === "below" && !alone ? "  " : ""
  const room = columns.name - 3 - indent.length
  const label = standing === "below" || alone ? "" : ` ${session.label}`
  const title = standing === "below" && !alone ? clip(session.label, room, glyphs.ellipsis) : invocation.title
  const name = [
    span(standing === "pinned" ? glyphs.pin : " ", "accent"),
    span(indent),
    markOf(run, index, { isAsking: question !== undefined, isSilent, glyphs }),
    span(` ${nameWith(title, label, room, glyphs.ellipsis)}`, hue, { bold: streams, faint: !isOn }),
  ]
  const progress = alone ? progressOf(run, invocation) : undefined
  const doing = { run, index, session, stream, question, progress, isSilent, context }
  const figures = {
    rate: streams && !isSilent ? recentRate(stream, now) : null,
    ms: turnTime(run, index, now),
    fullness: fullnessOf(run, index),
    lane: scale === null ? [] : sessionLane(run, index, scale, context),
  }
  const said = (room: number) => {
    const gone = isOn ? lastSeenWords(context, room) : null
    return gone === null ? nowSpans(doing, room) : [span(gone)]
  }
  return asLastSeen(rowOf(columns, name, said, figures, context), context)
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
  const status = run.turnBuffers[index]?.turn.status ?? "done"
  if (isAsking) return span(glyphs.asks, "warn", { bold: true })
  if (status === "error") return span(glyphs.status.error, "error")
  if (isInTools(run, index)) return span(glyphs.status.streaming, "accent")
  if (status === "done") return span(glyphs.status.done, "ok", { faint: true })
  if (!isAtWork(run, index)) return span(glyphs.dash, "dim")
  const hue: Hue = `hue${run.sessions[index]?.invocation ?? 0}`
  return span(glyphs.status[status], isSilent ? "warn" : status === "streaming" ? hue : "normal")
}

/** Ms of the current turn so far, or that the last one took; null before the first, and without a time of its end. */
function turnTime(run: Run, index: number, now: number): number | null {
  const [session, buffer] = [run.sessions[index], run.turnBuffers[index]]
  if (session === undefined || buffer?.turn.startTs == null) return null
  const last = Math.max(buffer.turn.startTs, session.lastTs ?? 0, buffer.lastTs ?? 0)
  if (isActive(run, index)) return Math.max(last, now) - buffer.turn.startTs
  return last - buffer.turn.startTs || null
}
