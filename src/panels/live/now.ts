// Says what a session is doing now, in the words of the first thing that applies.
import { callEssence } from "../../protocol/call-arguments.ts"
import { sanitizeLine } from "../../protocol/sanitize.ts"
import { at } from "../../run/model/chunked-list.ts"
import type { Prompt } from "../../run/model/prompts.ts"
import type { Progress, Run } from "../../run/model/run.ts"
import type { Invocation, PendingCall, Session, TurnBuffer } from "../../run/model/session.ts"
import { activityOf } from "../../run/model/tally.ts"
import { isAtWork } from "../../run/select/figures.ts"
import { troubleWords } from "../../run/select/turn-facts.ts"
import { withoutMarks } from "../../run/select/without-marks.ts"
import { type RenderContext, type Span, shimmer, span } from "../../ui/line.ts"
import { clipStart, duration } from "../../ui/text-width.ts"

/** A stream without a token for this long is told of, ms; when it needs a person, it turns amber. */
const QUIET_MS = 10_000
/** UTF-16 units of a text that are looked at, which is more than a row holds. */
const LOOKED_AT = 600

/** All that decides what the row of a session says. */
export interface DoingFacts {
  readonly run: Run
  readonly index: number
  readonly session: Session
  readonly stream: TurnBuffer
  /** The question that it waits for. */
  readonly question: Prompt | undefined
  readonly progress: Progress | undefined
  readonly isSilent: boolean
  readonly context: RenderContext
  readonly columns: number
}

/** What the session does or did last. */
export function nowSpans(doing: DoingFacts): readonly Span[] {
  return [...prefix(doing), ...progressSpans(doing.progress, doing.context), ...activity(doing)]
}

function activity(doing: DoingFacts): readonly Span[] {
  const { run, index, session, stream, question, context } = doing
  const { glyphs } = context
  if (question !== undefined) return [span(`asks: ${oneLine(question.frame.question)}`, "warn")]
  const trouble = troubleWords(session).join("; ")
  if (stream.status === "error") {
    const words = session.error === session.stopReason ? [] : [oneLine(session.error ?? "error")]
    return [span([...words, trouble].filter(one => one !== "").join("; ") || "failed", "error")]
  }
  if (isInTools(run, index)) {
    const [call] = session.pendingCalls
    return call === undefined ? [span("waiting for its next turn", "dim")] : callSpans(call, doing)
  }
  if (isAtWork(run, index)) return workSpans(doing)
  if (trouble !== "") return [span(`${glyphs.warning} ${trouble}`, "warn")]
  if (stream.status === "streaming") return [span(lastWords(stream, doing), "dim")]
  if (stream.status === "waiting") return [span("stopped before its first token", "dim")]
  if (session.firstLine !== null) return [span(oneLine(session.firstLine), "dim")]
  return [span(oneLine(session.exitReason ?? session.stopReason ?? "done"), "dim")]
}

/** Whether the session runs tools, or is about to begin the turn that gets their results. */
export function isInTools(run: Run, index: number): boolean {
  const [session, buffer] = [run.sessions[index], run.turnBuffers[index]]
  if (session === undefined || buffer === undefined || run.status !== "running") return false
  return session.epoch === run.epochs.length - 1 && activityOf(session, buffer) === "tool"
}

function workSpans(doing: DoingFacts): readonly Span[] {
  const { session, stream, isSilent, context } = doing
  const token = isSilent ? "warn" : "normal"
  const heard = stream.lastTs ?? stream.startTs
  const quiet = heard === null ? 0 : context.now - heard
  if (session.retry !== null) {
    const { attempt, max, why } = session.retry
    return [span(`retry ${attempt ?? "?"} of ${max ?? "?"}${why === null ? "" : ` ${why}`}`, "warn")]
  }
  if (stream.status === "waiting") {
    if (isSilent) return [span(`silent for ${duration(quiet)}`, "warn")]
    return session.turns === 0 && stream.startTs === null
      ? [span("not started", "dim")]
      : [span("waits for first token ", "dim"), span(shimmer(context), "dim")]
  }
  if (isSilent || quiet >= QUIET_MS) return [span(`silent for ${duration(quiet)}`, token)]
  return [span(lastWords(stream, doing), stream.tailThinking ? "dim" : "normal")]
}

/** The tool that runs, for how long, and what it is about. */
function callSpans({ name, input, ts }: PendingCall, { context }: DoingFacts): readonly Span[] {
  const took = ts === null ? "" : ` ${duration(Math.max(0, context.now - ts))}`
  return [span(sanitizeLine(name), "accent"), span(took, "dim"), span(` ${callEssence(input)}`)]
}

/** The end of what is streamed, as much as fits. */
function lastWords({ tail, pieces }: TurnBuffer, { context, columns }: DoingFacts): string {
  const last = tail.trim() === "" ? (at(pieces, pieces.length - 1)?.text ?? "") : ""
  const words = withoutMarks(last.slice(-LOOKED_AT) + tail.slice(-LOOKED_AT))
    .replace(/\s+/g, " ")
    .trim()
  return clipStart(words, columns, context.glyphs.ellipsis)
}

/** That it is a re-run, or of an earlier run. */
function prefix({ run, session }: DoingFacts): readonly Span[] {
  const earlier = session.epoch < run.epochs.length - 1 ? [span("(earlier run) ", "dim")] : []
  return session.replaySource === null ? earlier : [...earlier, span(`${rerunWords(run, session)} `, "accent")]
}

/** That a session is a branch, and the turn that it re-runs. */
function rerunWords({ branches }: Run, { sessionId }: Session): string {
  const turn = branches.find(one => one.sessionId === sessionId)?.branch.point?.turn ?? null
  return turn === null ? "re-run" : `re-run from turn ${turn + 1}`
}

/** How far an invocation is, as the agent says. */
export function progressOf(run: Run, { invokeid, epoch }: Invocation): Progress | undefined {
  return epoch < run.epochs.length - 1 ? undefined : run.progress.find(one => one.invokeid === invokeid)
}

/** The same in words, with a blank behind. */
export function progressSpans(progress: Progress | undefined, context: RenderContext): readonly Span[] {
  if (progress === undefined) return []
  const label = progress.label === null ? "" : `${oneLine(progress.label)} `
  if (progress.fraction === null) return [span(`${shimmer(context)} ${label}`, "accent")]
  return [span(`${Math.round(progress.fraction * 100)}% ${label}`, "accent")]
}

/** A text on one line without the marks of Markdown, so much of it as a row may hold. */
function oneLine(text: string): string {
  return withoutMarks(text.slice(0, LOOKED_AT)).replace(/\s+/g, " ").trim()
}
