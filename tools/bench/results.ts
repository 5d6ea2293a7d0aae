// Defines the rows of the benchmark table, and reads and writes the file that keeps them.
import { join } from "node:path"

/** One line of the table: several measurements of one thing. */
export interface Found {
  readonly what: string
  /** Of each round. */
  readonly values: readonly number[]
  readonly unit: "×" | "µs" | "ms" | "s" | "MB" | "%" | "bytes" | "frames" | "frames/s"
  /** The goal, and what others were measured to need; empty where there is none. */
  readonly goal?: string
  readonly peer?: string
}

/** A line as the file keeps it. */
export interface Result {
  readonly bench: string
  readonly what: string
  readonly unit: Found["unit"]
  readonly median: number
  readonly least: number
  readonly most: number
  readonly rounds: number
  readonly goal: string
  readonly peer: string
  /** The median of the previous run; null if there was none. */
  readonly before: number | null
}

/** The content of the file: the latest two runs of each benchmark. */
export interface Results {
  /** The machine, and its load when the latest run began. */
  readonly machine: string
  readonly results: readonly Result[]
}

export const RESULTS = join(import.meta.dir, "results.json")

/** Prints what a benchmark found: as a table, or with `--json` as lines for the one that runs them all. */
export function report(bench: string, found: readonly Found[]): void {
  const results = found.map(one => summary(bench, one))
  process.stdout.write(process.argv.includes("--json") ? `${JSON.stringify(results)}\n` : `${table(results)}\n`)
}

function summary(bench: string, { what, values, unit, goal = "", peer = "" }: Found): Result {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (place: number) => rounded(sorted[place] ?? Number.NaN)
  const median = at(sorted.length >> 1)
  return {
    bench,
    what,
    unit,
    median,
    least: at(0),
    most: at(sorted.length - 1),
    rounds: sorted.length,
    goal,
    peer,
    before: null,
  }
}

/** The table as Markdown. */
export function table(results: readonly Result[]): string {
  const spread = ({ least, most, rounds }: Result) => (rounds < 2 ? "" : `${least} – ${most}`)
  return [
    "| benchmark | what | median | spread | the run before | goal | peer |",
    "|---|---|---|---|---|---|---|",
    ...results.map(
      one => `| ${[one.bench, one.what, median(one), spread(one), before(one), one.goal, one.peer].join(" | ")} |`,
    ),
  ].join("\n")
}

/** The rows that have a goal: the median, with the goal and the peer's figure. docs/streaming.md has the parser's. */
export function shortList(results: readonly Result[]): string {
  const row = (one: Result) => `- ${one.what}: ${median(one)} (${one.goal}${one.peer && `; peer ${one.peer}`})`
  const withGoal = results.filter(({ bench, goal }) => goal !== "" && bench !== "streaming")
  return withGoal
    .flatMap((one, i) => (one.bench === withGoal[i - 1]?.bench ? row(one) : ["", `**${one.bench}**`, "", row(one)]))
    .join("\n")
}

function median(one: Result): string {
  return measure(one.median, one.unit)
}

function before(one: Result): string {
  return one.before === null ? "" : measure(one.before, one.unit)
}

function measure(value: number, unit: Found["unit"]): string {
  return unit === "×" ? `×${value}` : `${value.toLocaleString("en")} ${unit}`
}

/** Three digits are more than runs reproduce. */
export function rounded(value: number): number {
  return Number(value.toPrecision(3))
}

/** The number below which this part of the values lies: 0.99 for p99. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

/** Ms of the processor that this thread has had, in steps of 4: what others do on the machine does not count. */
function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

/** Ms of the processor that `work` takes, what earlier work left behind cleared away first. */
export function time(work: () => unknown): number {
  Bun.gc(true)
  const start = processorMs()
  work()
  return processorMs() - start
}
