// Compares more than two runs: a row for each, then their median and 95th percentile.
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import type { RunSummary } from "../../run/select/compare.ts"
import { dollarsOf, moneyWords } from "../../run/select/usage.ts"
import { count, duration } from "../../ui/text-width.ts"
import { alignedRows } from "../aligned-rows.ts"

interface Column {
  readonly title: string
  /** Null where nobody told. */
  readonly value: (summary: RunSummary) => number | null
  readonly words: (value: number) => string
}

const COLUMNS: readonly Column[] = [
  { title: "time", value: ({ time }) => time, words: duration },
  { title: "turns", value: ({ turns }) => turns, words: count },
  { title: "requests", value: ({ account }) => account.requests, words: count },
  { title: "in", value: ({ account }) => account.input, words: count },
  { title: "out", value: ({ tokens }) => tokens, words: count },
  { title: "cost", value: ({ account }) => dollarsOf(account), words: dollars => `$${dollars.toFixed(4)}` },
  { title: "retries", value: ({ retries }) => retries, words: count },
  { title: "errors", value: ({ errors }) => errors, words: count },
]
const WIDEST = 40

export interface NamedSummary {
  /** May be shown. */
  readonly name: string
  readonly summary: RunSummary
}

/** The lines of the table; a figure that no run has makes no column. */
export function manyLines(runs: readonly NamedSummary[]): readonly string[] {
  const columns = COLUMNS.filter(({ value }) => runs.some(({ summary }) => (value(summary) ?? 0) !== 0))
  const cell = ({ title, value, words }: Column, { summary }: NamedSummary): string => {
    // A sum of which a part is unknown says so.
    if (title === "cost") return moneyWords(summary.account, 4) ?? "–"
    const known = value(summary)
    return known === null ? "–" : words(known)
  }
  const share = (part: number) => (column: Column) => {
    const values = runs.flatMap(({ summary }) => column.value(summary) ?? [])
    const at = percentile(values, part)
    return at === null ? "–" : column.words(at)
  }
  const table = [
    ["", ...columns.map(({ title }) => title), "outcome"],
    ...runs.map(run => [run.name, ...columns.map(column => cell(column, run)), sanitizeLine(run.summary.outcome)]),
    ["median", ...columns.map(share(0.5)), ""],
    ["p95", ...columns.map(share(0.95)), ""],
  ]
  const figures = [...columns.keys()].map(i => i + 1)
  return alignedRows(table, [WIDEST], figures)
}

/** The value below which such a part of the values lies, itself one of them; null of none. */
export function percentile(values: readonly number[], part: number): number | null {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? null
}
