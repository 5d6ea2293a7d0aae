// Answers a filter for a session: its current state, in its latest turn.
import { sessionIndex } from "../../run/identity/find-by-id.ts"
import { isTruncatedReply } from "../../run/log.ts"
import { at } from "../../run/model/chunked-list.ts"
import type { Run } from "../../run/model/run.ts"
import type { Session, TurnBuffer } from "../../run/model/session.ts"
import { rateOf, reasonOf, turnTextOf } from "../../run/select/figures.ts"
import { type TurnFacts, turnFacts } from "../../run/select/turn-facts.ts"
import { dollarsOf } from "../../run/select/usage.ts"
import type { FactTable, NumberKey, TextKey, Texts, Word } from "./filter.ts"

/**
 * - `invokeid`, `session`: raw. `model`: the latest. `state`: the active states.
 * - `text`: text and thinking of the latest turn so far. `tool`: the tools it called. `reason`: its first error, else
 *   why the reply or the worker ended.
 * - `turn`: number of the latest turn, from 1. `tokens`, `rate`, `input`, `cached`, `cost`, `duration`, and `failed`
 *   calls: of that turn. `ts`, `seq`: of its latest delta, or its start.
 * - `error`: the turn failed. `warning`: that, or it retries, was truncated, or its context is nearly full. `prompt`: a
 *   question of its invokeid is open.
 * - `kind`, `event`, `visit`: a session has none.
 */
export const sessionFacts: FactTable<SessionFacts> = {
  knows: () => true,
  texts: textsOfSession,
  number: numberOfSession,
  is: isSession,
}

export interface SessionFacts {
  readonly session: Session
  readonly buffer: TurnBuffer
}

function textsOfSession(run: Run, { session, buffer }: SessionFacts, key: TextKey): Texts {
  if (key === "invokeid") return [invokeidOf(run, session)]
  if (key === "session") return [session.sessionId]
  if (key === "model") return [buffer.turn.model]
  if (key === "state") return run.chart.config
  if (key === "tool") return toolsOf(session)
  if (key === "reason") return [reasonOf(session)]
  if (key !== "text") return []
  const { text, thinking } = turnTextOf(session, buffer)
  return [text, thinking]
}

function numberOfSession(run: Run, { session, buffer }: SessionFacts, key: NumberKey | "ts"): number | null {
  switch (key) {
    case "turn":
      return session.turns
    case "tokens":
      return buffer.tokens
    case "rate":
      return rateOf(buffer)
    case "input":
    case "cached":
      return latestTurn(run, session)?.usage[key] ?? null
    case "cost":
      return dollarsOf(buffer.turn.account)
    case "duration": {
      const ms = latestTurn(run, session)?.ms ?? null
      return ms === null ? null : ms / 1000
    }
    case "failed":
      return buffer.turn.account.failedCalls
    case "ts":
      return buffer.lastTs ?? buffer.turn.startTs
    case "seq": {
      const seq = Math.max(buffer.lastSeq, buffer.turn.startSeq)
      return seq < 0 ? null : seq
    }
    case "visit":
      return null
  }
}

function latestTurn(run: Run, { id, turns }: Session): TurnFacts | null {
  return turnFacts(run, sessionIndex(run, id) ?? -1, turns, run.lastTs ?? 0)
}

function isSession(run: Run, { session, buffer }: SessionFacts, word: Word): boolean {
  const failed = session.error !== null || buffer.turn.status === "error"
  switch (word) {
    case "error":
      return failed
    case "warning":
      return (
        failed || buffer.turn.retry !== null || session.contextUsed !== null || isTruncatedReply(session.stopReason)
      )
    case "prompt": {
      const invokeid = invokeidOf(run, session)
      return run.prompts.some(prompt => prompt.state === "open" && prompt.frame.invokeid === invokeid)
    }
  }
}

function invokeidOf(run: Run, session: Session): string | null {
  return run.invocations[session.invocation]?.invokeid ?? null
}

function* toolsOf({ entries, turns }: Session): Texts {
  for (let i = entries.length - 1; i >= 0; i--) {
    const entry = at(entries, i)
    if (entry?.turn !== turns) return
    if (entry.type === "tool-call") yield entry.name
  }
}
