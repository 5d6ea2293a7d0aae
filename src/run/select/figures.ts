// Computes figures that are shown of a run, its groups and its sessions.

import type { Usage } from "../../../packages/wire/src/event-body.ts"
import { streamedPieces } from "../fold-delta.ts"
import { missingInEpoch } from "../identify.ts"
import { isAmong } from "../identity/histories.ts"
import { isTruncatedReply } from "../log.ts"
import { at } from "../model/chunked-list.ts"
import { emptyTurnBuffer } from "../model/empty-session.ts"
import { contextLimitOf } from "../model/prices.ts"
import type { MissingPrompt, Prompt } from "../model/prompts.ts"
import { SECONDS_KEPT, secondsWith } from "../model/pulse.ts"
import type { Run } from "../model/run.ts"
import type { Invocation, Session, SessionStatus, TurnBuffer } from "../model/session.ts"
import { spentTokens } from "../model/session.ts"
import { activityOf, type Tally } from "../model/tally.ts"
import { isOpen } from "../session-index.ts"

const RATE_SECONDS = 5

/** Tokens per second: the response's own figure, else from the first to the last delta. Null if unknown. */
export function rateOf(buffer: TurnBuffer): number | null {
  if (buffer.turn.tps !== null) return buffer.turn.tps
  // A guest's lines are not tokens, so no count means no rate.
  if (buffer.tokens === 0) return null
  if (buffer.turn.firstTs === null || buffer.lastTs === null || buffer.lastTs <= buffer.turn.firstTs) return null
  return (buffer.tokens * 1000) / (buffer.lastTs - buffer.turn.firstTs)
}

/** The output tokens of all turns of a group's sessions. Costs one look at each of them. */
export function groupTokens({ turnBuffers }: Run, { sessions }: Pick<Invocation, "sessions">): number {
  let sum = 0
  for (const index of sessions) sum += spentTokens(turnBuffers[index] ?? emptyTurnBuffer)
  return sum
}

/** Time to first token in ms; null if there is none yet. */
export function timeToFirstToken(buffer: TurnBuffer): number | null {
  if (buffer.turn.startTs === null || buffer.turn.firstTs === null) return null
  return Math.max(0, buffer.turn.firstTs - buffer.turn.startTs)
}

/** Why the session stopped: a refusal or truncation and the first error of its turn, else why reply or worker ended. */
export function reasonOf({ error, stopReason, exitReason }: Session): string | null {
  if (error !== null && error !== stopReason && isTruncatedReply(stopReason)) return `${stopReason}; ${error}`
  return error ?? stopReason ?? exitReason
}

/** The text of the latest turn, with thinking kept apart, and how many UTF-16 units of both are not kept. */
export function turnTextOf(
  session: Session,
  buffer: TurnBuffer,
): { readonly text: string; readonly thinking: string; readonly missing: number } {
  let { missing } = buffer
  const text: string[] = []
  const thinking: string[] = []
  let first = session.entries.length
  while (at(session.entries, first - 1)?.turn === session.turns) first--
  for (let i = first; i < session.entries.length; i++) {
    const entry = at(session.entries, i)
    if (entry?.type === "text") text.push(...entry.text)
    if (entry?.type === "thinking") thinking.push(...entry.text)
    missing += entry?.missing ?? 0
  }
  for (const piece of streamedPieces(buffer)) (piece.thinking ? thinking : text).push(piece.text)
  return { text: text.join(""), thinking: thinking.join(""), missing }
}

const ACTIVITY: readonly SessionStatus[] = ["streaming", "waiting", "error", "done"]

/** The status of a group: that of its most active sessions. */
export function statusOf({ counts }: Tally): SessionStatus {
  return ACTIVITY.find(one => counts[one] > 0) ?? (counts.tool > 0 ? "done" : "waiting")
}

/** The combined rate of the sessions that stream, of those at these indexes; null if none is known. */
export function sumOfRates(
  { turnBuffers }: Run,
  indexes: readonly number[],
  rate: (buffer: TurnBuffer) => number | null,
): number | null {
  let sum: number | null = null
  for (const index of indexes) {
    const buffer = turnBuffers[index]
    const one = buffer?.turn.status === "streaming" ? rate(buffer) : null
    if (one !== null) sum = (sum ?? 0) + one
  }
  return sum
}

/** Tokens of each of the last eight seconds up to `now` (epoch ms), the latest last. */
export function recentTokens({ second, secondTokens, earlier }: TurnBuffer, now: number): readonly number[] {
  // The clock of an agent may be ahead of ours.
  const silent = Math.max(0, Math.floor(now / 1000) - second)
  const known = secondsWith(earlier, secondTokens, silent)
  return [...Array<number>(SECONDS_KEPT - known.length).fill(0), ...known]
}

/** Tokens per second in the last 5 s up to `now` (epoch ms), or since the first token; null where none was counted. */
export function recentRate(buffer: TurnBuffer, now: number): number | null {
  if (buffer.turn.firstTs === null || buffer.tokens === 0) return null
  // The clock of an agent may be ahead of ours.
  const at = Math.max(now, buffer.lastTs ?? now)
  const tokens = recentTokens(buffer, at)
    .slice(-RATE_SECONDS)
    .reduce((sum, one) => sum + one, 0)
  const from = Math.max(buffer.turn.firstTs, (Math.floor(at / 1000) + 1 - RATE_SECONDS) * 1000)
  return (tokens * 1000) / Math.max(1000, at - from)
}

/** True if a session can still be active: its run is not over and has not been followed by another. */
export function isAtWork(run: Run, index: number): boolean {
  const over = run.status === "finished" || run.status === "aborted" || run.status === "error"
  return !over && isOpen(run.turnBuffers[index]) && run.sessions[index]?.epoch === run.epochs.length - 1
}

/** Whether a session runs tools, or is about to begin the turn that gets their results. */
export function isInTools(run: Run, index: number): boolean {
  const [session, buffer] = [run.sessions[index], run.turnBuffers[index]]
  if (session === undefined || buffer === undefined || run.status !== "running") return false
  return session.epoch === run.epochs.length - 1 && activityOf(session, buffer) === "tool"
}

/** Whether a model writes for a session, or its tools run. */
export function isActive(run: Run, index: number): boolean {
  return isAtWork(run, index) || isInTools(run, index)
}

/** The number of frames that were never received. */
export function missingFrames(run: Run): number {
  return run.epochs.reduce((sum, epoch) => sum + missingInEpoch(epoch), 0)
}

/** The questions that wait for an answer. */
export function openPrompts(run: Run): readonly Prompt[] {
  return run.prompts.filter(prompt => prompt.state === "open")
}

/** The words on an open question that may be answered already. */
export const MAYBE_ANSWERED = "may be answered already"

/** True for a question that is open or unconfirmed, if an event that may mean several may have been its end. */
export function mayBeAnswered({ questions }: Run, { key, confirmed, isRefused }: Prompt): boolean {
  return !confirmed && !isRefused && isAmong(questions.histories, key)
}

/** The open questions that can't be answered here, since their prompts never arrived. */
export function unheardPrompts({ questions }: Run): readonly MissingPrompt[] {
  return questions.missing.filter(({ kind }) => kind !== "custom")
}

/** Ms between the run's first and last `ts`; null if there are no two times. */
export function elapsed({ firstTs, lastTs }: Pick<Run, "firstTs" | "lastTs">): number | null {
  return firstTs === null || lastTs === null || firstTs === lastTs ? null : lastTs - firstTs
}

/** The name of a session within its run; null if there is no such session. May be shown. */
export function sessionName(run: Pick<Run, "sessions" | "invocations">, index: number): string | null {
  const session = run.sessions[index]
  const group = session === undefined ? undefined : run.invocations[session.invocation]
  if (session === undefined || group === undefined) return null
  return group.sessions.length === 1 ? group.title : `${group.title} ${session.label}`
}

/** Ms from the session's first event to its last, or to `now` if it is open. Null if no event had a time. */
export function sessionTime(session: Session, buffer: TurnBuffer, now: number | null): number | null {
  if (session.beganTs === null) return null
  const last = Math.max(session.lastTs ?? session.beganTs, buffer.lastTs ?? 0, now ?? 0)
  return last - session.beganTs
}

/** Tokens spent in all turns so far, including the output of a turn that still streams. */
export function usageOf({ totalUsage }: Session, buffer: TurnBuffer): Usage {
  const spent = spentTokens(buffer)
  return { ...totalUsage, output: totalUsage.output === null && spent === 0 ? null : spent }
}

/** How full a session's context is; `isHigh` says that it passed the run's limit. */
export type Fullness = { readonly fraction: number; readonly isHigh: boolean } | { readonly tokens: number }

/**
 * How full the context of a session is: by the agent's warning since the latest request, else that request's share of
 * its model's limit, else an older warning, else its input tokens. Null if nothing is known.
 */
export function fullnessOf(run: Run, index: number): Fullness | null {
  const session = run.sessions[index]
  if (session === undefined) return null
  const { latest: input, warned } = session.inputs
  const limit = contextLimitOf(run, run.turnBuffers[index]?.turn.model ?? null)
  const told = input === null || limit === null ? session.contextUsed : input / limit.tokens
  const fraction = warned ?? told
  if (fraction !== null) return { fraction, isHigh: fraction >= run.options.limits.context }
  return input === null ? null : { tokens: input }
}
