import { streamedPieces } from "../fold-delta.ts"
import { missingInEpoch } from "../identify.ts"
import { at } from "../model/chunked-list.ts"
import type { Prompt, Run } from "../model/run.ts"
import type { Invocation, Session, SessionStatus, TurnBuffer } from "../model/session.ts"
import { isOpen } from "../session-index.ts"

/** Tokens per second: the response's own figure, else what came between the first delta and the last. */
export function rateOf(stream: TurnBuffer): number | null {
  if (stream.tps !== null) return stream.tps
  // Where nothing is counted nothing is known: a guest's lines are no tokens.
  if (stream.tokens === 0) return null
  if (stream.firstTs === null || stream.lastTs === null || stream.lastTs <= stream.firstTs) return null
  return (stream.tokens * 1000) / (stream.lastTs - stream.firstTs)
}

/** Time to first token in ms; null until there is one. */
export function timeToFirstToken(stream: TurnBuffer): number | null {
  if (stream.startTs === null || stream.firstTs === null) return null
  return Math.max(0, stream.firstTs - stream.startTs)
}

/** Why the session is where it is: the first error of its turn, else why the reply or the worker ended. */
export function reasonOf(session: Session): string | null {
  return session.error ?? session.stopReason ?? session.exitReason
}

/** What the latest turn has said, thinking apart from text. */
export function turnTextOf(session: Session, stream: TurnBuffer): { text: string; thinking: string } {
  const text: string[] = []
  const thinking: string[] = []
  let first = session.entries.length
  while (first > 0 && at(session.entries, first - 1)?.turn === session.turns) first--
  for (let i = first; i < session.entries.length; i++) {
    const entry = at(session.entries, i)
    if (entry?.type === "text") text.push(...entry.text)
    if (entry?.type === "thinking") thinking.push(...entry.text)
  }
  for (const piece of streamedPieces(stream)) (piece.thinking ? thinking : text).push(piece.text)
  return { text: text.join(""), thinking: thinking.join("") }
}

/** What a group's row says: counts, sums, and the status of its most active session. */
export interface RollUp {
  readonly status: SessionStatus
  readonly waiting: number
  readonly streaming: number
  readonly done: number
  readonly error: number
  readonly tokens: number
  /** Sum of the known rates; null where none is known. */
  readonly rate: number | null
}

const ACTIVITY: readonly SessionStatus[] = ["streaming", "waiting", "error", "done"]

export function rollUp(run: Run, invocation: Invocation): RollUp {
  const counts = { waiting: 0, streaming: 0, done: 0, error: 0 }
  let tokens = 0
  let rate: number | null = null
  for (const index of invocation.sessions) {
    const stream = run.turnBuffers[index]
    if (stream === undefined) continue
    counts[stream.status]++
    tokens += stream.tokens
    const one = rateOf(stream)
    if (one !== null) rate = (rate ?? 0) + one
  }
  const status = ACTIVITY.find(one => counts[one] > 0) ?? "waiting"
  return { status, ...counts, tokens, rate }
}

/** How many sessions stand in each status, and what those that stream make together. */
export interface Activity {
  /** Sum of the known rates of the sessions that stream now; null where none is known. */
  readonly rate: number | null
  readonly waiting: number
  readonly streaming: number
  readonly done: number
  readonly error: number
}

/** A cache beside the run: the header and the live pane ask for the same. */
const known = new WeakMap<Run, Activity>()

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
    const stream = run.turnBuffers[index]
    // What an earlier run left at work is at work no more.
    if (stream === undefined || (isOpen(stream) && run.sessions[index]?.epoch !== epoch)) continue
    counts[stream.status]++
    const one = stream.status === "streaming" ? rateOf(stream) : null
    if (one !== null) rate = (rate ?? 0) + one
  }
  return { rate, ...counts }
}

/** Whether a session can still be at work: not in a run that is over, or that another has followed. */
export function isAtWork(run: Run, index: number): boolean {
  const over = run.status === "finished" || run.status === "aborted" || run.status === "error"
  return !over && isOpen(run.turnBuffers[index]) && run.sessions[index]?.epoch === run.epochs.length - 1
}

export function missingFrames(run: Run): number {
  return run.epochs.reduce((sum, epoch) => sum + missingInEpoch(epoch), 0)
}

export function openPrompts(run: Run): readonly Prompt[] {
  return run.prompts.filter(prompt => prompt.state === "open")
}

/** Ms between the first and the last `ts` of the run; null before the first. */
export function elapsed(run: Run): number | null {
  return run.firstTs === null || run.lastTs === null ? null : run.lastTs - run.firstTs
}

/** What the session at this index is called among all of the run, which may be shown; null where there is none. */
export function sessionName(run: Run, index: number): string | null {
  const session = run.sessions[index]
  const group = session === undefined ? undefined : run.invocations[session.invocation]
  if (session === undefined || group === undefined) return null
  return group.sessions.length === 1 ? group.title : `${group.title} ${shortTitle(run, group, session)}`
}

/** A sibling's id without what all siblings begin with: ids differ at their end. */
export function shortTitle(run: Run, invocation: Invocation, session: Session): string {
  const first = run.sessions[invocation.sessions[0] ?? -1]?.title ?? ""
  const last = run.sessions[invocation.sessions.at(-1) ?? -1]?.title ?? ""
  let shared = 0
  while (shared < first.length && first[shared] === last[shared]) shared++
  const border = session.title.slice(0, shared).search(/[^A-Za-z0-9][A-Za-z0-9]*$/)
  return border < 0 ? session.title : session.title.slice(border + 1)
}
