// Computes figures that are shown of a run, its groups and its sessions.
import type { Usage } from "../../protocol/event-body.ts"
import { spentTokens, streamedPieces } from "../fold-delta.ts"
import { missingInEpoch } from "../identify.ts"
import { isTruncatedReply } from "../log.ts"
import { at } from "../model/chunked-list.ts"
import type { Prompt, Run } from "../model/run.ts"
import type { Invocation, Session, SessionStatus, TurnBuffer } from "../model/session.ts"
import { isOpen } from "../session-index.ts"

/** Tokens per second: the response's own figure, else from the first to the last delta. Null if unknown. */
export function rateOf(buffer: TurnBuffer): number | null {
  if (buffer.tps !== null) return buffer.tps
  // A guest's lines are not tokens, so no count means no rate.
  if (buffer.tokens === 0) return null
  if (buffer.firstTs === null || buffer.lastTs === null || buffer.lastTs <= buffer.firstTs) return null
  return (buffer.tokens * 1000) / (buffer.lastTs - buffer.firstTs)
}

/** Time to first token in ms; null if there is none yet. */
export function timeToFirstToken(buffer: TurnBuffer): number | null {
  if (buffer.startTs === null || buffer.firstTs === null) return null
  return Math.max(0, buffer.firstTs - buffer.startTs)
}

/** Why the session stopped: a refusal or truncation and the first error of its turn, else why reply or worker ended. */
export function reasonOf({ error, stopReason, exitReason }: Session): string | null {
  if (error !== null && error !== stopReason && isTruncatedReply(stopReason)) return `${stopReason}; ${error}`
  return error ?? stopReason ?? exitReason
}

/** The text of the latest turn, with thinking kept apart. */
export function turnTextOf(session: Session, buffer: TurnBuffer): { text: string; thinking: string } {
  const text: string[] = []
  const thinking: string[] = []
  let first = session.entries.length
  while (first > 0 && at(session.entries, first - 1)?.turn === session.turns) first--
  for (let i = first; i < session.entries.length; i++) {
    const entry = at(session.entries, i)
    if (entry?.type === "text") text.push(...entry.text)
    if (entry?.type === "thinking") thinking.push(...entry.text)
  }
  for (const piece of streamedPieces(buffer)) (piece.thinking ? thinking : text).push(piece.text)
  return { text: text.join(""), thinking: thinking.join("") }
}

/** How many sessions have each status, and their combined rate. */
export interface Activity extends Readonly<Record<SessionStatus, number>> {
  /** Sum of the known rates of sessions that stream; null if none is known. */
  readonly rate: number | null
}

export interface RollUp extends Activity {
  readonly status: SessionStatus
  readonly tokens: number
}

const ACTIVITY: readonly SessionStatus[] = ["streaming", "waiting", "error", "done"]

/** The figures of a group: tokens of all its sessions, and the rate of those that run now. */
export function rollUp(run: Run, invocation: Invocation): RollUp {
  const counts = { waiting: 0, streaming: 0, done: 0, error: 0 }
  let tokens = 0
  let rate: number | null = null
  for (const index of invocation.sessions) {
    const buffer = run.turnBuffers[index]
    if (buffer === undefined) continue
    counts[buffer.status]++
    tokens += spentTokens(buffer)
    const one = buffer.status === "streaming" && isAtWork(run, index) ? rateOf(buffer) : null
    if (one !== null) rate = (rate ?? 0) + one
  }
  const status = ACTIVITY.find(one => counts[one] > 0) ?? "waiting"
  return { status, ...counts, tokens, rate }
}

/** Caches figures outside the run: the header and the live pane ask for the same ones. */
const known = new WeakMap<Run, Activity>()

/** How many sessions are in each status, and the rate of those that stream. Computed once for each run. */
export function activity(run: Run): Activity {
  const found = known.get(run) ?? activityOf(run)
  known.set(run, found)
  return found
}

function activityOf(run: Run): Activity {
  const counts = { waiting: 0, streaming: 0, done: 0, error: 0 }
  let rate: number | null = null
  const epoch = run.epochs.length - 1
  for (let index = 0; index < run.turnBuffers.length; index++) {
    const buffer = run.turnBuffers[index]
    // Sessions of earlier epochs that were still open are no longer active.
    if (buffer === undefined || (isOpen(buffer) && run.sessions[index]?.epoch !== epoch)) continue
    counts[buffer.status]++
    const one = buffer.status === "streaming" ? rateOf(buffer) : null
    if (one !== null) rate = (rate ?? 0) + one
  }
  return { rate, ...counts }
}

/** True if a session can still be active: its run is not over and has not been followed by another. */
export function isAtWork(run: Run, index: number): boolean {
  const over = run.status === "finished" || run.status === "aborted" || run.status === "error"
  return !over && isOpen(run.turnBuffers[index]) && run.sessions[index]?.epoch === run.epochs.length - 1
}

/** The number of frames that were never received. */
export function missingFrames(run: Run): number {
  return run.epochs.reduce((sum, epoch) => sum + missingInEpoch(epoch), 0)
}

/** The questions that wait for an answer. */
export function openPrompts(run: Run): readonly Prompt[] {
  return run.prompts.filter(prompt => prompt.state === "open")
}

/** Ms between the run's first and last `ts`; null before the first. */
export function elapsed(run: Run): number | null {
  return run.firstTs === null || run.lastTs === null ? null : run.lastTs - run.firstTs
}

/** The name of a session within its run; null if there is no such session. May be shown. */
export function sessionName(run: Run, index: number): string | null {
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

/** How full the context is: the fraction that the agent warned of, else the input tokens of the latest turn. */
export function contextOf(session: Session): { readonly fraction: number } | { readonly tokens: number } | null {
  if (session.contextUsed !== null) return { fraction: session.contextUsed }
  return session.usage.input === null ? null : { tokens: session.usage.input }
}

type Debugged = Pick<Run, "debug" | "awaiting">

/** True while the agent waits before an event: its debug message says so, or a `debug/awaiting-*` event does. */
export function isPaused({ debug, awaiting }: Debugged): boolean {
  return awaiting !== null || debug?.paused === true
}

/** True while the agent waits before a model turn. */
export function isAtTurn({ debug }: Debugged): boolean {
  return debug?.mode === "paused-at-turn"
}

/** True while the agent waits for an op of ours. */
export function isHeld(run: Debugged): boolean {
  return isPaused(run) || isAtTurn(run)
}
