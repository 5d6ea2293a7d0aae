// Builds the JSON that `opentui-sidecar fold` prints (docs/decisions.md section 2). Keys may be added but never
// renamed.
import type { Json, JsonObject } from "../../../packages/wire/src/json.ts"
import { chartPosition } from "../fold-chart.ts"
import { emptyTurnBuffer } from "../model/empty-session.ts"
import { isPaused } from "../model/held.ts"
import type { Run } from "../model/run.ts"
import { type Invocation, spentTokens } from "../model/session.ts"
import { noTally } from "../model/tally.ts"
import { accountOfInvocation, accountOfSession } from "../open-replies.ts"
import type { CapturedRun, Captures } from "./captures.ts"
import { contextReport } from "./context.ts"
import { groupTokens, missingFrames, rateOf, reasonOf, statusOf, timeToFirstToken, turnTextOf } from "./figures.ts"
import { runUsage, turnUsages, usageReport } from "./usage.ts"

/** The figures of a run as `fold` prints them; contexts by the captures that were read. */
export function report(run: Run, captures: Captures = new Map()): JsonObject {
  const { lines: _, malformed, duplicate, ...frames } = run.frames
  const { status, reason, firstTs, lastTs, facts } = run
  const { config, finalConfig } = run.chart
  const position = chartPosition(run.chart)
  return {
    frames: { ...frames, unread: malformed, duplicate, missing: missingFrames(run) },
    run: {
      status,
      reason,
      config,
      ...position,
      firstTs,
      lastTs,
      finalConfig,
      tokens: facts.tokens,
      epochs: run.epochs.length,
      usage: runUsage(run),
    },
    invocations: run.invocations.map((invocation, group) => invocationReport({ run, captures }, invocation, group)),
    prompts: run.prompts.map(({ frame, state, answer }) => ({
      promptId: frame.promptId,
      invokeid: frame.invokeid,
      type: frame.type,
      state,
      value: answer?.value ?? null,
    })),
    log: { entries: run.log.rows.length, errors: run.log.errors, warnings: run.log.warnings },
    debug: debugReport(run),
    unread: run.log.malformed.map(({ line, raw, why, length }) => ({ line, raw, why, length })),
  }
}

function debugReport(run: Run): Json {
  if (run.debug === null) return null
  const { stepBudget, mode, turnIndex, breakpointArmed, branch: own, branchError, config } = run.debug
  const branch = own && { sessionId: own.sessionId, parent: own.parent, branchPoint: own.point }
  const turn = { mode, turnIndex, breakpointArmed }
  return { paused: isPaused(run) || run.debug.paused, stepBudget, ...turn, branch, branchError, config }
}

function invocationReport(known: CapturedRun, invocation: Invocation, group: number): Json {
  const { run } = known
  const rates = invocation.sessions.flatMap(index => rateOf(run.turnBuffers[index] ?? emptyTurnBuffer) ?? [])
  return {
    invokeid: invocation.invokeid,
    status: statusOf(run.tallies[group] ?? noTally),
    tokens: groupTokens(run, invocation),
    rate: rates.length === 0 ? null : rates.reduce((total, rate) => total + rate, 0),
    epoch: invocation.epoch,
    usage: usageReport(accountOfInvocation(run, invocation)),
    sessions: invocation.sessions.flatMap(index => sessionReport(known, index)),
  }
}

/** The report of the session at this index; empty if there is none. */
export function sessionReport(known: CapturedRun, index: number): readonly Json[] {
  const { run } = known
  const session = run.sessions[index]
  const buffer = run.turnBuffers[index]
  if (session === undefined || buffer === undefined) return []
  const { text, thinking, missing } = turnTextOf(session, buffer)
  const kept = text.length + thinking.length
  return [
    {
      sessionId: session.sessionId,
      status: buffer.turn.status,
      model: buffer.turn.model,
      tokens: buffer.tokens,
      totalTokens: spentTokens(buffer),
      deltas: buffer.deltas,
      rate: rateOf(buffer),
      ttftMs: timeToFirstToken(buffer),
      turns: session.turns,
      text,
      thinking,
      cut: missing === 0 ? null : { kept, length: kept + missing },
      reason: reasonOf(session),
      usage: usageReport(accountOfSession(run, index)),
      turnUsage: turnUsages(run, index),
      context: session.turns === 0 ? null : contextReport(known, { session: index, turn: session.turns }),
    },
  ]
}
