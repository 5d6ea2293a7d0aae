// Remarks beside the name of a session or a group: errors, retries, progress, questions.
import type { Progress, Prompt, Run } from "../../run/model/run.ts"
import type { Invocation, Session, TurnBuffer } from "../../run/model/session.ts"
import { troubleWords } from "../../run/select/turn-facts.ts"
import { type RenderContext, type Span, shimmer, span } from "../../ui/line.ts"

/** Why a session failed, that it retries, waits, that its reply was truncated, or that tools failed. */
export function remarks(
  session: Session,
  stream: TurnBuffer,
  atWork: boolean,
  context: RenderContext,
): readonly Span[] {
  const trouble = troubleWords(session)
  if (stream.status === "error") {
    const words = session.error === session.stopReason ? trouble : [...trouble, session.error ?? "error"]
    return [span(`  ${words.join("; ")}`, "error")]
  }
  if (session.retry !== null) {
    const { attempt, max, why } = session.retry
    return [span(`  retry ${attempt ?? "?"} of ${max ?? "?"} ${why ?? ""}`, "warn")]
  }
  if (stream.status === "waiting") return atWork ? [span(`  ${shimmer(context)}`, "dim")] : []
  if (trouble.length > 0) return [span(`  ${context.glyphs.warning} ${trouble.join("; ")}`, "warn")]
  if (session.contextUsed !== null)
    return [span(`  ${context.glyphs.warning} context ${Math.round(session.contextUsed * 100)}%`, "warn")]
  return []
}

/** That a session is a branch, and the turn that it re-runs. */
export function rerunWords({ branches }: Run, { sessionId }: Session): string {
  const turn = branches.find(one => one.sessionId === sessionId)?.branch.point?.turn ?? null
  return turn === null ? "re-run" : `re-run from turn ${turn + 1}`
}

/** How far an invocation is, as the agent says. */
export function progressOf(run: Run, { invokeid }: Invocation): Progress | undefined {
  return run.progress.find(one => one.invokeid === invokeid)
}

/** How far a group's work is, as a bar; empty where nothing was reported. */
export function progressSpans(progress: Progress | undefined, context: RenderContext): readonly Span[] {
  if (progress === undefined) return []
  const { glyphs } = context
  const label = progress.label === null ? "" : ` ${progress.label}`
  if (progress.fraction === null) return [span(`  ${shimmer(context)}${label}`, "accent")]
  const full = Math.round(progress.fraction * 6)
  return [
    span(`  ${glyphs.barFull.repeat(full)}`, "accent"),
    span(glyphs.barEmpty.repeat(6 - full), "dim"),
    span(` ${Math.round(progress.fraction * 100)}%${label}`, "accent"),
  ]
}

/** The open question of an invocation. */
export function questionOf(run: Run, { epoch, invokeid }: Invocation, asking: readonly Prompt[]): Prompt | undefined {
  return isPast(run, epoch) ? undefined : asking.find(one => one.frame.invokeid === invokeid)
}

/** The question that waits for an answer; empty if there is none. */
export function questionSpans(prompt: Prompt | undefined, { glyphs }: RenderContext): readonly Span[] {
  if (prompt === undefined) return []
  return [span(`  ${glyphs.asks} asks: ${prompt.frame.question.replaceAll("\n", " ")}`, "warn")]
}

/** Sessions of an earlier epoch stay, with this mark. */
export function stale(run: Run, epoch: number): readonly Span[] {
  return isPast(run, epoch) ? [span(" (earlier run)", "dim")] : []
}

function isPast(run: Run, epoch: number): boolean {
  return epoch < run.epochs.length - 1
}
