import type { Account, LedgerSort } from "../run/model/ledger.ts"
import { meanFirstToken, moneyWords } from "../run/select/usage.ts"
import { count, duration, shorten } from "./text-width.ts"

interface Column {
  readonly title: string
  /** Columns on the screen, with the space before it. */
  readonly width: number
  /** Null where there is nothing to say. */
  readonly words: (account: Account) => string | null
}

function figure(value: number, columns: number): string | null {
  return value === 0 ? null : shorten(count(value), value, columns)
}

function time(ms: number): string | null {
  return ms === 0 ? null : duration(ms)
}

/** The columns of the ledger, in the order in which they stand. */
export const LEDGER_COLUMNS = {
  requests: { title: "requests", width: 10, words: ({ requests }) => figure(requests, 9) },
  retries: { title: "retries", width: 9, words: ({ retries }) => figure(retries, 8) },
  input: { title: "in", width: 10, words: ({ input }) => figure(input, 9) },
  cached: {
    title: "cached",
    width: 8,
    words: ({ cached, input }) => (cached === 0 ? null : `${Math.round((100 * cached) / Math.max(cached, input))}%`),
  },
  written: { title: "written to cache", width: 18, words: ({ written }) => figure(written, 17) },
  output: { title: "out", width: 9, words: ({ output }) => figure(output, 8) },
  reasoning: { title: "thought", width: 9, words: ({ reasoning }) => figure(reasoning, 8) },
  first: { title: "first tok", width: 10, words: account => time(meanFirstToken(account) ?? 0) },
  calls: { title: "calls", width: 7, words: ({ calls }) => figure(calls, 6) },
  failed: { title: "failed", width: 8, words: ({ failedCalls }) => figure(failedCalls, 7) },
  models: { title: "models", width: 8, words: ({ modelMs }) => time(modelMs) },
  tools: { title: "tools", width: 8, words: ({ toolMs }) => time(toolMs) },
  people: { title: "people", width: 8, words: ({ humanMs }) => time(humanMs) },
  cost: { title: "cost", width: 10, words: moneyWords },
} as const satisfies { readonly [id in LedgerSort]: Column }
export type LedgerColumn = LedgerSort
export const LEDGER_COLUMN_IDS = Object.keys(LEDGER_COLUMNS) as readonly LedgerColumn[]

/** The columns of the accounts of tools, which nothing else is charged to. */
export const TOOL_COLUMNS: readonly LedgerColumn[] = ["calls", "failed", "tools"]

/** The words of a column for an account; null if there are none. */
export function ledgerCell(id: LedgerColumn, account: Account, decimals: number): string | null {
  if (id !== "cost") return LEDGER_COLUMNS[id].words(account)
  const words = moneyWords(account, decimals)
  // A complete sum leaves room for the mark of an incomplete one.
  return words === null || words.endsWith("+") ? words : `${words} `
}
