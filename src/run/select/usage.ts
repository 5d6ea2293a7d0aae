import type { JsonObject } from "../../../packages/wire/src/json.ts"
import { type Account, type Accounts, isEmptyAccount } from "../model/ledger.ts"
import type { Run } from "../model/run.ts"
import { accountOfTurn, ledgerOf } from "../open-replies.ts"

/** The known cost in dollars; null if none is known. */
export function dollarsOf({ nanos, priced }: Account): number | null {
  return priced === 0 ? null : nanos / 1e9
}

/** Digits after the point of a sum of money, and of those beside this total, so that they stand below each other. */
export function moneyDecimals(total: Account): number {
  const dollars = dollarsOf(total) ?? 0
  return dollars > 0 && dollars < 1 ? 4 : 2
}

/**
 * The cost as `$0.3053`, `<$0.0001` if the decimals would show zero, and with `+` where replies of unknown cost
 * come on top. Null if none is known.
 */
export function moneyWords(account: Account, digits = moneyDecimals(account)): string | null {
  const dollars = dollarsOf(account)
  if (dollars === null) return null
  const least = 10 ** -digits
  // A paid cost never reads as zero.
  const [sign, told] = dollars > 0 && dollars < least / 2 ? ["<", least] : ["", dollars]
  const shown = told.toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })
  return `${sign}$${shown}${account.unpriced > 0 ? "+" : ""}`
}

/** The mean time to the first token, ms; null if it is unknown. */
export function meanFirstToken({ firstTokens, firstTokenMs }: Account): number | null {
  return firstTokens === 0 ? null : firstTokenMs / firstTokens
}

/** An account as `fold` prints it (docs/reference.md); an exporter of telemetry can take its figures from here. */
export function usageReport(account: Account): JsonObject {
  return {
    requests: account.requests,
    retries: account.retries,
    inputTokens: account.input,
    cachedTokens: account.cached,
    cacheWriteTokens: account.written,
    outputTokens: account.output,
    reasoningTokens: account.reasoning,
    costUsd: dollarsOf(account),
    // A cost told for several models or turns at once leaves the part that it is charged to below zero.
    unpricedReplies: Math.max(0, account.unpriced),
    firstTokenMs: meanFirstToken(account),
    modelMs: account.modelMs,
    toolMs: account.toolMs,
    humanMs: account.humanMs,
    toolCalls: account.calls,
    failedToolCalls: account.failedCalls,
  }
}

/** The usage of a run, also by state, model and tool. */
export function runUsage(run: Run): JsonObject {
  const { total, states, models, tools } = ledgerOf(run)
  return {
    ...usageReport(total),
    states: named(states, "state"),
    models: named(models, "model"),
    tools: [...tools].map(([tool, { calls, failedCalls, toolMs }]) => {
      return { tool: tool === "" ? null : tool, toolCalls: calls, failedToolCalls: failedCalls, toolMs }
    }),
  }
}

function named(accounts: Accounts, key: string): readonly JsonObject[] {
  return [...accounts].flatMap(([name, account]) =>
    isEmptyAccount(account) ? [] : [{ [key]: name === "" ? null : name, ...usageReport(account) }],
  )
}

/** The usage of each turn of a session, from its first. Costs its turns. */
export function turnUsages(run: Run, index: number): readonly JsonObject[] {
  return Array.from({ length: run.sessions[index]?.turns ?? 0 }, (_, i) => {
    return { turn: i + 1, ...usageReport(accountOfTurn(run, index, i + 1)) }
  })
}
