// The row of one session in the live pane: what a delta does not change of it is made once.

import type { Progress, Prompt, Run } from "../../run/model/run.ts"
import type { Invocation, Session, TurnBuffer } from "../../run/model/session.ts"
import { isAtWork, rateOf, shortTitle, timeToFirstToken } from "../../run/select/figures.ts"
import { isOpen } from "../../run/session-index.ts"
import type { Glyphs } from "../../ui/glyphs.ts"
import { type ColorToken, type Hue, lineWidth, type Span, span } from "../../ui/line.ts"
import type { RenderContext } from "../../ui/render-context.ts"
import { clip, clipStart, duration, pad } from "../../ui/text-width.ts"
import { type Columns, fill, numbers } from "./columns.ts"
import { progressOf, progressSpans, questionOf, questionSpans, remarks, stale } from "./remarks.ts"

export function sessionSpans(
  run: Run,
  index: number,
  asking: readonly Prompt[],
  look: RenderContext,
  places: Columns,
): readonly Span[] {
  const session = run.sessions[index]
  const stream = run.turnBuffers[index]
  const invocation = session === undefined ? undefined : run.invocations[session.invocation]
  if (session === undefined || stream === undefined || invocation === undefined) return []
  return [
    ...headOf(run, session, stream, invocation, isAtWork(run, index), asking, look, places),
    ...numbers(stream.tokens, rateOf(stream), stream.status === "streaming" ? "bright" : "normal", places),
    span(places.ttft === 0 ? "" : pad(firstToken(stream, look), places.ttft, "right", ""), "dim"),
  ]
}

/** All that the columns before the numbers come of, beside the session's own record; and what they are. */
interface Head {
  readonly invocation: Invocation
  readonly status: TurnBuffer["status"]
  readonly atWork: boolean
  readonly epochs: number
  readonly progress: Progress | undefined
  readonly question: Prompt | undefined
  readonly glyphs: Glyphs
  readonly name: number
  readonly model: number
  readonly spans: readonly Span[]
}

/** A cache beside the state: the head of a row that is drawn sixty times a second changes a few times a minute. */
const heads = new WeakMap<Session, Head>()

function headOf(
  run: Run,
  session: Session,
  stream: TurnBuffer,
  invocation: Invocation,
  atWork: boolean,
  asking: readonly Prompt[],
  look: RenderContext,
  places: Columns,
): readonly Span[] {
  const { status } = stream
  const { glyphs } = look
  const { name, model } = places
  const epochs = run.epochs.length
  const alone = invocation.sessions.length === 1
  const progress = alone ? progressOf(run, invocation) : undefined
  const question = alone ? questionOf(run, invocation, asking) : undefined
  const known = heads.get(session)
  if (
    known?.invocation === invocation &&
    known.status === status &&
    known.atWork === atWork &&
    known.epochs === epochs &&
    known.progress === progress &&
    known.question === question &&
    known.glyphs === glyphs &&
    known.name === name &&
    known.model === model
  )
    return known.spans
  const spans = headSpans(run, session, stream, invocation, atWork, progress, question, look, places)
  // What waits shimmers: it is another one each time.
  const moves = (status === "waiting" && atWork) || progress?.fraction === null
  if (!moves) heads.set(session, { invocation, status, atWork, epochs, progress, question, glyphs, name, model, spans })
  return spans
}

function headSpans(
  run: Run,
  session: Session,
  stream: TurnBuffer,
  invocation: Invocation,
  atWork: boolean,
  progress: Progress | undefined,
  question: Prompt | undefined,
  look: RenderContext,
  places: Columns,
): readonly Span[] {
  const { glyphs } = look
  const alone = invocation.sessions.length === 1
  const hue: Hue = `hue${session.invocation}`
  const mark =
    question !== undefined
      ? span(glyphs.asks, "warn", { bold: true })
      : isOpen(stream) && !atWork
        ? span(glyphs.dash, "dim")
        : span(glyphs.status[stream.status], statusToken(stream, hue))
  const indent = alone ? "" : "  "
  const title = alone ? invocation.title : shortTitle(run, invocation, session)
  const room = Math.max(4, places.name - 4 - indent.length)
  const name = span(
    alone ? clip(title, room, glyphs.ellipsis) : clipStart(title, Math.min(room, 26), glyphs.ellipsis),
    hue,
  )
  const aside = [
    ...stale(run, session.epoch),
    ...(session.replaySource === null ? [] : [span(`  ${session.replaySource}`, "accent")]),
    ...remarks(session, stream, atWork, look),
    ...progressSpans(progress, look),
  ]
  const head = [span(" "), span(indent), mark, span(" "), name, ...aside]
  // A reason is worth more than the model's name where there is no room for both; a question can be read elsewhere.
  const over = aside.length > 0 && lineWidth(head) > places.name - 1
  const model = pad(clip(stream.model ?? "", places.model - 2, glyphs.ellipsis), places.model)
  return [
    ...fill(
      [...head, ...questionSpans(question, look)],
      over ? places.name + places.model : places.name,
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

/** Time to first token; while it is awaited, how long already, and a shimmer. */
function firstToken(stream: TurnBuffer, look: RenderContext): string {
  const known = timeToFirstToken(stream)
  if (known !== null) return duration(known)
  if (stream.status !== "waiting" || stream.startTs === null) return look.glyphs.dash
  return `${duration(Math.max(0, look.now - stream.startTs))}${look.glyphs.ellipsis}`
}
