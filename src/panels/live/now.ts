// Says what a session is doing now, in the words of the first thing that applies.
import { callEssence } from "../../../packages/wire/src/call-arguments.ts"
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { at } from "../../run/model/chunked-list.ts"
import type { Prompt } from "../../run/model/prompts.ts"
import type { Progress, Run } from "../../run/model/run.ts"
import type { Invocation, PendingCall, Session, TurnBuffer } from "../../run/model/session.ts"
import { isAtWork, isInTools } from "../../run/select/figures.ts"
import { beginOf, withoutMarks } from "../../run/select/row-words.ts"
import { troubleWords } from "../../run/select/turn-facts.ts"
import { lineWidth, type RenderContext, type Span, shimmer, span, wrap } from "../../ui/line.ts"
import { duration } from "../../ui/text-width.ts"

/** A stream without a token for this long is called silent, ms; one that needs a person is amber. */
const QUIET_MS = 10_000
/** UTF-16 units of a text that are read, more than a row holds. */
const LOOKED_AT = 600
/** A line without two of these is a mark of a list, or a word that has only begun. */
const WORD = /[\p{L}\p{N}].*[\p{L}\p{N}]/u

/** The facts that a session's row is made from. */
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
}

/** The latest activity of the session, in about this many columns. */
export function nowSpans(doing: DoingFacts, columns: number): readonly Span[] {
  const before = [...prefix(doing), ...progressSpans(doing.progress, doing.context)]
  return [...before, ...activity(doing, columns - lineWidth(before))]
}

function activity(doing: DoingFacts, columns: number): readonly Span[] {
  const { run, index, session, stream, question, context } = doing
  const { glyphs } = context
  if (question !== undefined) return [span(`asks: ${beginOf(question.frame.question)}`, "warn")]
  const trouble = troubleWords(session).join("; ")
  if (stream.turn.status === "error") {
    const words = session.error === session.stopReason ? [] : [beginOf(session.error ?? "error")]
    return [span([...words, trouble].filter(one => one !== "").join("; ") || "failed", "error")]
  }
  if (isInTools(run, index)) {
    const [call] = session.pendingCalls
    return call === undefined ? [span("waiting for its next turn", "dim")] : callSpans(call, doing)
  }
  if (isAtWork(run, index)) return workSpans(doing, columns)
  if (trouble !== "") return [span(`${glyphs.warning} ${trouble}`, "warn")]
  if (stream.turn.status === "streaming") return [span(lastWords(stream, columns), "dim")]
  if (stream.turn.status === "waiting") return [span("stopped before its first token", "dim")]
  if (session.firstLine !== null) return [span(beginOf(session.firstLine), "dim")]
  return [span(beginOf(session.exitReason ?? session.stopReason ?? "done"), "dim")]
}

function workSpans(doing: DoingFacts, columns: number): readonly Span[] {
  const { session, stream, isSilent, context } = doing
  const token = isSilent ? "warn" : "normal"
  const heard = stream.lastTs ?? stream.turn.startTs
  const quiet = heard === null ? 0 : context.now - heard
  if (stream.turn.retry !== null) {
    const { attempt, max, why } = stream.turn.retry
    return [span(`retry ${attempt ?? "?"} of ${max ?? "?"}${why === null ? "" : ` ${why}`}`, "warn")]
  }
  if (stream.turn.status === "waiting") {
    if (isSilent) return [span(`silent for ${duration(quiet)}`, "warn")]
    return session.turns === 0 && stream.turn.startTs === null
      ? [span("not started", "dim")]
      : [span("waiting for first token ", "dim"), span(shimmer(context), "dim")]
  }
  if (isSilent || quiet >= QUIET_MS) return [span(`silent for ${duration(quiet)}`, token)]
  return [span(lastWords(stream, columns), stream.tailThinking ? "dim" : "bright")]
}

/** The tool that runs, for how long, and what it is about. */
function callSpans({ name, input, ts }: PendingCall, { context }: DoingFacts): readonly Span[] {
  const took = ts === null ? "" : ` ${duration(Math.max(0, context.now - ts))}`
  return [span(sanitizeLine(name), "accent"), span(took, "dim"), span(` ${callEssence(input)}`)]
}

/** The row of the text that is being written: it fills from its beginning, and then the next one begins. */
function lastWords({ tail, pieces }: TurnBuffer, columns: number): string {
  const text = tail.trim() === "" ? (at(pieces, pieces.length - 1)?.text ?? "") : tail
  // The start stays for many words, so that the row doesn't slide under the eye.
  const from = Math.floor(text.trimEnd().length / LOOKED_AT) * LOOKED_AT
  const said = withoutMarks(text.slice(Math.max(0, from - LOOKED_AT))).trim()
  const written = said.split("\n").findLast(one => WORD.test(one)) ?? ""
  return wrap(written.replace(/\s+/g, " ").trim(), Math.max(1, columns)).at(-1) ?? ""
}

/** Marks a re-run, or a session of an earlier run. */
function prefix({ run, session }: DoingFacts): readonly Span[] {
  const earlier = session.epoch < run.epochs.length - 1 ? [span("(earlier run) ", "dim")] : []
  return session.replaySource === null ? earlier : [...earlier, span(`${rerunWords(run, session)} `, "accent")]
}

/** Names a branch, and the turn that it re-runs. */
function rerunWords({ facts }: Run, { sessionId }: Session): string {
  const turn = facts.branches.find(one => one.sessionId === sessionId)?.branch.point?.turn ?? null
  return turn === null ? "re-run" : `re-run from turn ${turn + 1}`
}

/** The progress of an invocation, as reported by the agent. */
export function progressOf(run: Run, { invokeid, epoch }: Invocation): Progress | undefined {
  return epoch < run.epochs.length - 1 ? undefined : run.facts.progress.find(one => one.invokeid === invokeid)
}

/** The progress in words, with a blank behind. */
export function progressSpans(progress: Progress | undefined, context: RenderContext): readonly Span[] {
  if (progress === undefined) return []
  const label = progress.label === null ? "" : `${beginOf(progress.label)} `
  if (progress.fraction === null) return [span(`${shimmer(context)} ${label}`, "accent")]
  return [span(`${Math.round(progress.fraction * 100)}% ${label}`, "accent")]
}
