// Answers a filter for a session: its current state, in its latest turn.
import { isTruncatedReply } from "../../run/log.ts"
import { at } from "../../run/model/chunked-list.ts"
import type { Run } from "../../run/model/run.ts"
import type { Session, TurnBuffer } from "../../run/model/session.ts"
import { rateOf, reasonOf, turnTextOf } from "../../run/select/figures.ts"
import { type FactTable, has, type Passes } from "./facts.ts"
import type { NumberKey, TextKey, Word } from "./filter.ts"

/**
 * - `invokeid`, `session`: raw. `model`: the latest. `state`: the active states.
 * - `text`: text and thinking of the latest turn so far. `tool`: the tools it called. `reason`: its first error, else
 *   why the reply or the worker ended.
 * - `turn`: number of the latest turn, from 1. `tokens`, `rate`: of that turn. `ts`, `seq`: of its latest delta, or its
 *   start.
 * - `error`: the turn failed. `warning`: that, or it retries, was truncated, or its context is nearly full. `prompt`: a
 *   question of its invokeid is open.
 * - `kind`, `event`, `visit`: a session has none.
 */
export const sessionFacts: FactTable<SessionFacts> = {
  knows: () => true,
  some: someOfSession,
  number: numberOfSession,
  is: isSession,
}

/** A session and its turn buffer. */
export interface SessionFacts {
  readonly session: Session
  readonly buffer: TurnBuffer
}

function someOfSession(run: Run, { session, buffer }: SessionFacts, key: TextKey, passes: Passes): boolean {
  switch (key) {
    case "invokeid":
      return has(invokeidOf(run, session), passes)
    case "session":
      return has(session.sessionId, passes)
    case "model":
      return has(buffer.model, passes)
    case "state":
      return run.chart.config.some(state => has(state, passes))
    case "text": {
      const spoken = turnTextOf(session, buffer)
      return has(spoken.text, passes) || has(spoken.thinking, passes)
    }
    case "tool":
      return someTool(session, passes)
    case "reason":
      return has(reasonOf(session), passes)
    case "kind":
    case "event":
      return false
  }
}

function numberOfSession(_: Run, { session, buffer }: SessionFacts, key: NumberKey | "ts"): number | null {
  switch (key) {
    case "turn":
      return session.turns
    case "tokens":
      return buffer.tokens
    case "rate":
      return rateOf(buffer)
    case "ts":
      return buffer.lastTs ?? buffer.startTs
    case "seq": {
      const seq = Math.max(buffer.lastSeq, buffer.startSeq)
      return seq < 0 ? null : seq
    }
    case "visit":
      return null
  }
}

function isSession(run: Run, { session, buffer }: SessionFacts, word: Word): boolean {
  const failed = session.error !== null || buffer.status === "error"
  switch (word) {
    case "error":
      return failed
    case "warning":
      return failed || session.retry !== null || session.contextUsed !== null || isTruncatedReply(session.stopReason)
    case "prompt": {
      const invokeid = invokeidOf(run, session)
      return run.prompts.some(prompt => prompt.state === "open" && prompt.frame.invokeid === invokeid)
    }
  }
}

function invokeidOf(run: Run, session: Session): string | null {
  return run.invocations[session.invocation]?.invokeid ?? null
}

function someTool(session: Session, passes: Passes): boolean {
  for (let i = session.entries.length - 1; i >= 0; i--) {
    const entry = at(session.entries, i)
    if (entry === undefined || entry.turn !== session.turns) return false
    if (entry.type === "tool-call" && has(entry.name, passes)) return true
  }
  return false
}
