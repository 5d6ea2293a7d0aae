// Compares two runs, or more: `compare A B`, `compare A B C`.
import { tmpdir } from "node:os"
import { basename, resolve } from "node:path"
import { InputError, sessionDirectoryOf } from "../../packages/wire/src/files/recording-path.ts"
import { sanitize, sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { type Account, noAccount } from "../run/model/ledger.ts"
import { divergences, pairedSteps, type RunSummary, runSummary } from "../run/select/compare.ts"
import type { RunTexts } from "../run/select/run-texts.ts"
import { dollarsOf, moneyDecimals, moneyWords } from "../run/select/usage.ts"
import { WholeRun } from "../timeline/whole-run.ts"
import { LEDGER_COLUMNS, type LedgerColumn, ledgerCell } from "../ui/ledger-columns.ts"
import { clip, count, duration, pad, width } from "../ui/text-width.ts"
import { parseSubjects } from "./command-arguments.ts"
import { alignedRows, standardOutput } from "./command-output.ts"
import { readFrameBatches } from "./fold-command.ts"
import { readEach } from "./open-recording.ts"
import { type Environment, PRICES_OPTION } from "./option-table.ts"
import { readPrices } from "./option-value.ts"
import { SUBJECT_OPTIONS, subjectsOf } from "./subjects.ts"

export const COMPARE_OPTIONS = { ...SUBJECT_OPTIONS, ...PRICES_OPTION }

/** Columns of one run at most; longer texts are clipped. */
const WIDEST = 40
const LABEL = 14
/** Columns of a longer label, of a state or a model: beside its figures 80 columns hold no more. */
const MOST_LABEL = 18
const MOST_DIVERGENCES = 20

/** A recording that is compared, with a name that is safe to print. */
interface NamedRun extends RunTexts {
  readonly name: string
}

/** Runs `compare`. Returns the exit code: 0 if there is no difference, 1 if there is one, 2 if a run can't be read. */
export async function compareCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values, subjects: named } = parseSubjects(args, COMPARE_OPTIONS, "the recordings to compare")
  const given = { prices: readPrices(values.prices) }
  const found = await subjectsOf(named, values, env)
  const isTable = found.isList || found.subjects.length > 2
  const runs: NamedSummary[] = []
  const sides: NamedRun[] = []
  using held = new DisposableStack()
  const isComplete = await readEach("compare", found, undefined, async ({ path, subject: file }, subject) => {
    using passing = new DisposableStack()
    const name = sanitizeLine(basename(resolve(sessionDirectoryOf(file) ?? file)))
    // A row of the table needs the texts of its run only until the row is made.
    const whole = (isTable ? passing : held).use(new WholeRun(given, tmpdir()))
    for await (const frames of readFrameBatches(path)) whole.add(frames)
    if (isTable) runs.push({ name: found.isList ? subject.name : name, summary: runSummary(whole.run) })
    else sides.push({ name, run: whole.run, entries: (session, from, to) => whole.entries(session, from, to) })
  })
  // A run that is named twice is compared with itself.
  const [one, other = (named?.length ?? 0) > 1 ? one : undefined] = sides
  if (isTable && (isComplete || found.isList)) await standardOutput().write(sanitize(`${manyLines(runs).join("\n")}\n`))
  if (!isComplete) return 2
  if (isTable) return 0
  if (one === undefined || other === undefined) throw new InputError("expected a second run to compare with")
  const { lines, same } = compared(one, other)
  await standardOutput().write(sanitize(`${lines.join("\n")}\n`))
  return same ? 0 : 1
}

type ComparedRow = readonly [mark: string, label: string, a: string, b: string]

/** The columns of the ledger that stand beside each state and model: with both runs they fit into 80. */
const PART_COLUMNS = ["input", "output", "cost"] as const

/** What each state or model used in both runs; nothing if there are not two of them. */
function partRows(part: "state" | "model", a: RunSummary, b: RunSummary): readonly ComparedRow[] {
  const kind = `${part}s` as const
  const decimals = Math.max(moneyDecimals(a.account), moneyDecimals(b.account))
  const cells = (account: Account = noAccount): string =>
    PART_COLUMNS.map(id => pad(ledgerCell(id, account, decimals) ?? "–", LEDGER_COLUMNS[id].width, "right")).join("")
  const empty = cells()
  const found = [...new Set([...a[kind].keys(), ...b[kind].keys()])].flatMap((name): readonly ComparedRow[] => {
    const [left, right] = [cells(a[kind].get(name)), cells(b[kind].get(name))]
    if (left === empty && right === empty) return []
    return [[left === right ? "" : "!", sanitizeLine(name) || `(no ${part})`, left, right]]
  })
  const heads = PART_COLUMNS.map(id => pad(LEDGER_COLUMNS[id].title, LEDGER_COLUMNS[id].width, "right")).join("")
  return found.length < 2 ? [] : [["", `by ${part}`, heads, heads], ...found]
}

function compared(one: NamedRun, other: NamedRun): { readonly lines: readonly string[]; readonly same: boolean } {
  const [a, b] = [runSummary(one.run), runSummary(other.run)]
  const rows: ComparedRow[] = [["", "", one.name, other.name]]
  for (const [label, words] of FIGURES) rows.push([words(a) === words(b) ? "" : "!", label, words(a), words(b)])
  for (const id of USED) {
    const { title, words } = LEDGER_COLUMNS[id]
    const [left, right] = [words(a.account), words(b.account)]
    if (left !== null || right !== null) rows.push([left === right ? "" : "!", title, left ?? "–", right ?? "–"])
  }
  rows.push(...partRows("state", a, b), ...partRows("model", a, b))
  let hasDiverged = false
  for (const [i, pair] of pairedSteps(a, b).entries()) {
    const words = (step: typeof pair.a) => (step === null ? "–" : `${step.state}  ${duration(step.took)}`)
    const isFirst = pair.diverged && !hasDiverged
    hasDiverged ||= pair.diverged
    rows.push([isFirst ? "≠" : "", i === 0 ? "states" : "", words(pair.a), words(pair.b)])
  }
  const found = divergences(one, other)
  for (const [i, { who, turn, what, a, b }] of found.slice(0, MOST_DIVERGENCES).entries()) {
    const part = turn === null ? "" : what === "turn" ? `turn ${turn}: ` : `turn ${turn} ${what}: `
    const words = (text: string | null) => (text === null ? "–" : clip(`${part}${text}`, WIDEST))
    rows.push([i === 0 ? "≠" : "!", who, words(a), words(b)])
  }
  const label = Math.max(LABEL, ...rows.map(([, label]) => Math.min(MOST_LABEL, width(label) + 1)))
  const widest = Math.min(WIDEST, Math.max(...rows.map(([, , left]) => width(left))))
  const left = found.length - MOST_DIVERGENCES
  const more = left > 0 ? [`  and ${count(left)} more ${left === 1 ? "session differs" : "sessions differ"}`] : []
  const lines = rows.map(([mark, name, left, right]) => {
    const about = mark === "≠" ? "  first divergence" : ""
    return `${pad(mark, 2)}${pad(name, label - 1)} ${pad(left, widest)}  ${right}${about}`.trimEnd()
  })
  return { lines: [...lines, ...more], same: rows.every(([mark]) => mark === "") }
}

const FIGURES: readonly (readonly [label: string, words: (account: RunSummary) => string])[] = [
  ["outcome", ({ outcome }) => outcome],
  ["time", ({ time }) => (time === null ? "–" : duration(time))],
  ["output tokens", ({ tokens }) => count(tokens)],
  ["sessions", ({ sessions }) => count(sessions)],
  ["turns", ({ turns }) => count(turns)],
  ["retries", ({ retries }) => count(retries)],
  ["errors", ({ errors }) => count(errors)],
]

const USED: readonly LedgerColumn[] = [
  ...(["cost", "requests", "input", "cached", "reasoning", "first"] as const),
  ...(["calls", "failed", "models", "tools", "people"] as const),
]

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

interface NamedSummary {
  /** May be shown. */
  readonly name: string
  readonly summary: RunSummary
}

/** The lines of the table; a figure that no run has makes no column. */
function manyLines(runs: readonly NamedSummary[]): readonly string[] {
  const columns = COLUMNS.filter(({ value }) => runs.some(({ summary }) => (value(summary) ?? 0) !== 0))
  const cell = ({ title, value, words }: Column, { summary }: NamedSummary): string => {
    // A sum of which a part is unknown says so.
    if (title === "cost") return moneyWords(summary.account, 4) ?? "–"
    const known = value(summary)
    return known === null ? "–" : words(known)
  }
  const share = (part: number) => (column: Column) => {
    const known = runs.flatMap(({ summary }) => column.value(summary) ?? [])
    const at = percentile(known, part)
    return at === null ? "–" : column.words(at)
  }
  const table = [
    ["", ...columns.map(({ title }) => title), "outcome"],
    ...runs.map(run => [run.name, ...columns.map(column => cell(column, run)), sanitizeLine(run.summary.outcome)]),
    ["median", ...columns.map(share(0.5)), ""],
    ["p95", ...columns.map(share(0.95)), ""],
  ]
  const figures = columns.map((_, i) => i + 1)
  return alignedRows(table, [WIDEST], figures)
}

/** The percentile by nearest rank, `part` from 0 to 1; null of no values. */
function percentile(values: readonly number[], part: number): number | null {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] ?? null
}
