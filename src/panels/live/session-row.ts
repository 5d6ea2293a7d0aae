// Draws the row of one session in the live pane. A delta makes only its numbers again.
import type { Progress, Prompt, Run } from "../../run/model/run.ts"
import type { Invocation, Session, TurnBuffer } from "../../run/model/session.ts"
import { isAtWork, rateOf, timeToFirstToken, usageOf } from "../../run/select/figures.ts"
import { isOpen } from "../../run/session-index.ts"
import type { Glyphs } from "../../ui/glyphs.ts"
import { type ColorToken, type Hue, lineWidth, type RenderContext, type Span, span } from "../../ui/line.ts"
import { clip, clipStart, duration, pad } from "../../ui/text-width.ts"
import { type Columns, fill, numbers } from "./columns.ts"
import { progressOf, progressSpans, questionOf, questionSpans, remarks, rerunWords, stale } from "./remarks.ts"

export interface RowContext {
  readonly run: Run
  readonly asking: readonly Prompt[]
  /** By index; see `silentSessions`. */
  readonly silent: ReadonlyMap<number, number>
  readonly context: RenderContext
  readonly columns: Columns
}

/** The row of the session at this index. */
export function sessionSpans(index: number, row: RowContext): readonly Span[] {
  const { run, asking, silent, context, columns } = row
  const session = run.sessions[index]
  const stream = run.turnBuffers[index]
  const invocation = session === undefined ? undefined : run.invocations[session.invocation]
  if (session === undefined || stream === undefined || invocation === undefined) return []
  const alone = invocation.sessions.length === 1
  const head: Head = {
    invocation,
    alone,
    status: stream.status,
    atWork: isAtWork(run, index),
    silent: silent.has(index),
    epochs: run.epochs.length,
    progress: alone ? progressOf(run, invocation) : undefined,
    question: alone ? questionOf(run, invocation, asking) : undefined,
    rerun: session.replaySource === null ? "" : rerunWords(run, session),
    glyphs: context.glyphs,
    name: columns.name,
    model: columns.model,
  }
  return [
    ...keptHead(head, session, stream, row),
    ...numbers(
      usageOf(session, stream).output ?? 0,
      rateOf(stream),
      stream.status === "streaming" ? "bright" : "normal",
      columns,
    ),
    span(columns.ttft === 0 ? "" : pad(firstToken(stream, context), columns.ttft, "right", ""), "dim"),
  ]
}

/** All that the columns before the numbers depend on, beside the session's own record. */
interface Head {
  readonly invocation: Invocation
  /** It is the only session of its group, and stands for it. */
  readonly alone: boolean
  readonly status: TurnBuffer["status"]
  readonly atWork: boolean
  readonly silent: boolean
  readonly epochs: number
  readonly progress: Progress | undefined
  readonly question: Prompt | undefined
  readonly rerun: string
  readonly glyphs: Glyphs
  readonly name: number
  readonly model: number
}

/** A cache beside the state: a row is drawn up to sixty times a second, and its head changes a few times a minute. */
const heads = new WeakMap<Session, { readonly head: Head; readonly spans: readonly Span[] }>()

function keptHead(head: Head, session: Session, stream: TurnBuffer, row: RowContext): readonly Span[] {
  const known = heads.get(session)
  if (known !== undefined && isSameHead(known.head, head)) return known.spans
  const spans = headSpans(head, session, stream, row)
  const isAnimated = (head.status === "waiting" && head.atWork && !head.silent) || head.progress?.fraction === null
  if (!isAnimated) heads.set(session, { head, spans })
  return spans
}

function isSameHead(one: Head, other: Head): boolean {
  return (Object.keys(one) as (keyof Head)[]).every(key => one[key] === other[key])
}

function headSpans(head: Head, session: Session, stream: TurnBuffer, row: RowContext): readonly Span[] {
  const { invocation, alone, atWork, progress, question } = head
  const { run, context, columns } = row
  const { glyphs } = context
  const hue: Hue = `hue${session.invocation}`
  const mark =
    question !== undefined
      ? span(glyphs.asks, "warn", { bold: true })
      : isOpen(stream) && !atWork
        ? span(glyphs.dash, "dim")
        : span(glyphs.status[stream.status], head.silent ? "warn" : statusToken(stream, hue))
  const indent = alone ? "" : "  "
  const title = alone ? invocation.title : session.label
  const room = Math.max(4, columns.name - 4 - indent.length)
  const name = span(
    alone ? clip(title, room, glyphs.ellipsis) : clipStart(title, Math.min(room, 26), glyphs.ellipsis),
    hue,
  )
  const aside = [
    ...stale(run, session.epoch),
    ...(head.rerun === "" ? [] : [span(` ${head.rerun}`, "accent")]),
    ...(head.silent ? [span(`  ${glyphs.warning} silent`, "warn")] : []),
    ...remarks(session, stream, atWork && !head.silent, context),
    ...progressSpans(progress, context),
  ]
  const named = [span(" "), span(indent), mark, span(" "), name, ...aside]
  // Without room for both, remarks replace the model's name; a question doesn't, since it is shown elsewhere too.
  const over = aside.length > 0 && lineWidth(named) > columns.name - 1
  const model = pad(clip(stream.model ?? "", columns.model - 2, glyphs.ellipsis), columns.model)
  return [
    ...fill(
      [...named, ...questionSpans(question, context)],
      over ? columns.name + columns.model : columns.name,
      glyphs.ellipsis,
    ),
    span(over ? "" : model, "dim"),
  ]
}

function statusToken(stream: TurnBuffer, hue: Hue): ColorToken {
  if (stream.status === "error") return "error"
  if (stream.status === "done") return "ok"
  return stream.status === "streaming" ? hue : "normal"
}

/** Time to first token; while there is none, the time so far with an ellipsis. */
function firstToken(stream: TurnBuffer, { glyphs, now }: RenderContext): string {
  const known = timeToFirstToken(stream)
  if (known !== null) return duration(known)
  if (stream.status !== "waiting" || stream.startTs === null) return glyphs.dash
  return `${duration(Math.max(0, now - stream.startTs))}${glyphs.ellipsis}`
}
