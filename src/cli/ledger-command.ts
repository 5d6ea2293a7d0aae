// Prints the usage and cost of runs by day, model, chart, directory, run or turn: `ledger DIR --by model`.
import { dirname, resolve } from "node:path"
import { sessionDirectoryOf } from "../../packages/wire/src/files/recording-path.ts"
import { sanitize, sanitizeLine, shellWord } from "../../packages/wire/src/sanitize.ts"
import { printMoment } from "../query/filter/value.ts"
import { type Account, noAccount, sumOfAccounts } from "../run/model/ledger.ts"
import type { Run } from "../run/model/run.ts"
import { type SpentTurn, spentTurns } from "../run/select/ledger-rows.ts"
import { moneyDecimals, usageReport } from "../run/select/usage.ts"
import { LEDGER_COLUMNS, type LedgerColumn, ledgerCell } from "../ui/ledger-columns.ts"
import { counted, timeOfDay } from "../ui/text-width.ts"
import { parseSubjects } from "./command-arguments.ts"
import { alignedRows, standardOutput } from "./command-output.ts"
import { foldFile, packedRun } from "./fold-command.ts"
import { readEach } from "./open-recording.ts"
import { type OptionTable, valued, whole } from "./option.ts"
import { type Environment, PARSER_OPTION, PRICES_OPTION } from "./option-table.ts"
import { choice, readPrices, since, zone } from "./option-value.ts"
import { SUBJECT_OPTIONS, type Subject, subjectsOf } from "./subjects.ts"

const WAYS = ["day", "model", "cli", "chart", "directory", "run", "turn"] as const
type Way = (typeof WAYS)[number]
const FORMATS = ["text", "json"] as const

export const LEDGER_OPTIONS = {
  ...SUBJECT_OPTIONS,
  since: { ...SUBJECT_OPTIONS.since, about: "only turns since then: 7d, 12h, 2026-03-14" },
  by: valued("what the sums are of; default day. turn lists the dearest turns", { values: WAYS }),
  top: whole("how many rows; default all, of turns 20", [1, 1_000_000], "all"),
  as: valued("the format; default text", { values: FORMATS }),
  ...PRICES_OPTION,
  ...PARSER_OPTION,
} satisfies OptionTable

const COLUMNS: readonly LedgerColumn[] = ["requests", "input", "cached", "output", "cost"]
const MOST_TURNS = 20
const WIDEST = 48

/** Runs `ledger`. Returns the exit code: 0, or 2 if nothing could be read, or not all of it. */
export async function ledgerCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values, subjects: named } = parseSubjects(args, LEDGER_OPTIONS, "runs", true)
  const by = choice("way", values.by ?? "day", WAYS)
  const format = choice("format", values.as ?? "text", FORMATS)
  const first = packedRun({ prices: readPrices(values.prices) })
  const from = since("--since", values.since) ?? Number.NEGATIVE_INFINITY
  const sums = new Sums(by)
  const subjects = await subjectsOf(named, values, env)
  const isComplete = await readEach("ledger", subjects, values.parser, async (opened, subject) => {
    const directory = subject.directory == null ? await directoryOf(opened.subject) : sanitizeLine(subject.directory)
    sums.add(subject, { run: await foldFile(opened.path, first), directory }, from)
  })
  const most = values.top === undefined ? (by === "turn" ? MOST_TURNS : Number.POSITIVE_INFINITY) : Number(values.top)
  const text = format === "json" ? `${JSON.stringify(sums.report(most), null, 2)}\n` : sums.text(most)
  await standardOutput().write(sanitize(text))
  return isComplete ? 0 : 2
}

interface RecordedRun {
  readonly run: Run
  readonly directory: string
}

/** The directory of a run: as a kept run says, else above `.escapement`, else that of the recording. */
async function directoryOf(path: string): Promise<string> {
  const place = resolve(sessionDirectoryOf(path) ?? dirname(path))
  const kept: unknown = await Bun.file(`${place}/run.json`)
    .json()
    .catch(() => null)
  if (typeof kept === "object" && kept !== null && "directory" in kept && typeof kept.directory === "string")
    return sanitizeLine(kept.directory)
  return sanitizeLine(/^(.+?)\/\.escapement(\/|$)/.exec(place)?.[1] ?? place)
}

interface Row {
  readonly name: string
  readonly account: Account
  readonly runs: number
  /** The command that opens a turn where it begins. */
  readonly open: string | null
}

class Sums {
  readonly #rows = new Map<string, { account: Account; readonly runs: Set<string>; readonly open: string | null }>()
  readonly #runs = new Set<string>()
  #total = noAccount
  readonly #zone = zone()
  readonly #told = new Map<string, string>()

  constructor(private readonly by: Way) {}

  /** Adds the turns of a run that began at `from` or later, epoch ms; those without a time are of any time. */
  add(subject: Subject, recorded: RecordedRun, from: number): void {
    const { name } = subject
    const turns = [...spentTurns(recorded.run)]
    // A fork of a session begins with a copy of its lines, up to the last turn that both have.
    let copied = Number.NEGATIVE_INFINITY
    for (const turn of turns) if (this.#isCopy(subject, turn)) copied = Math.max(copied, turn.ts ?? copied)
    for (const turn of turns) {
      if (turn.ts !== null && (turn.ts < from || turn.ts <= copied)) continue
      const key = this.#keyOf(subject, recorded, turn)
      const row = this.#rows.get(key) ?? {
        account: noAccount,
        runs: new Set(),
        open: this.#opening(subject, recorded, turn),
      }
      row.account = sumOfAccounts(row.account, turn.account)
      row.runs.add(name)
      this.#rows.set(key, row)
      this.#runs.add(name)
      this.#total = sumOfAccounts(this.#total, turn.account)
    }
  }

  report(most: number): object {
    const rows = this.#sorted(most).map(({ name, account, runs, open }) => {
      return { [this.by]: name === "" ? null : name, runs, ...usageReport(account), ...(open !== null && { open }) }
    })
    return { by: this.by, rows, total: { runs: this.#runs.size, ...usageReport(this.#total) } }
  }

  text(most: number): string {
    const all = this.#sorted(Number.POSITIVE_INFINITY)
    const rows = all.slice(0, most)
    const decimals = moneyDecimals(this.#total)
    const columns = COLUMNS.filter(id => ledgerCell(id, this.#total, decimals) !== null)
    const hasRuns = this.by !== "run" && this.by !== "turn"
    const total = { name: "sum", account: this.#total, runs: this.#runs.size }
    const heads = [this.by, ...columns.map(id => LEDGER_COLUMNS[id].title), ...(hasRuns ? ["runs"] : [])]
    const cells = [...rows, total].map(({ name, account, runs }) => [
      name === "" ? `(no ${this.by})` : name,
      ...columns.map(id => ledgerCell(id, account, decimals)?.trimEnd() ?? ""),
      ...(hasRuns ? [String(runs)] : []),
    ])
    const figures = heads.map((_, i) => i).slice(1)
    const lines = alignedRows([heads, ...cells], [WIDEST], figures)
    const left = all.length - rows.length
    const more = left > 0 ? [`and ${counted(left, `more ${this.by}`)}`] : []
    const open = rows[0]?.open ?? null
    const opening = open === null ? [] : [`the first is opened by: ${open}`]
    return `${[...lines.slice(0, -1), ...more, lines.at(-1), ...opening].join("\n")}\n`
  }

  /** True for a turn that another session of the same CLI has too: same moment, same usage. */
  #isCopy({ name, cli }: Subject, { ts, account }: SpentTurn): boolean {
    if (cli === undefined || ts === null || account.input === 0) return false
    const key = [cli, ts, account.input, account.output].join(" ")
    const first = this.#told.get(key) ?? name
    this.#told.set(key, first)
    return first !== name
  }

  #keyOf({ name, cli }: Subject, { run, directory }: RecordedRun, { ts, model, session, turn }: SpentTurn): string {
    switch (this.by) {
      case "day":
        return ts === null ? "" : new Date(ts + this.#zone).toISOString().slice(0, 10)
      case "model":
        return model ?? ""
      case "cli":
        return cli ?? ""
      case "chart":
        return sanitizeLine(run.chart.chartId ?? "").replace(/^:/, "")
      case "directory":
        return directory
      case "run":
        return name
      case "turn": {
        const when = ts === null ? "" : `  ${timeOfDay(ts, this.#zone).slice(0, 8)}`
        return `${name}  ${session}${turn === 0 ? "" : ` turn ${turn}`}${when}`
      }
    }
  }

  #opening({ path, run }: Subject, { run: { firstTs } }: RecordedRun, { ts }: SpentTurn): string | null {
    if (this.by !== "turn" || ts === null || firstTs === null) return null
    const at = printMoment({ from: "start", ms: Math.floor(ts) - Math.floor(firstTs), span: 1 })
    return `opentui-sidecar replay ${shellWord(run?.directory ?? path)} --at ${at}`
  }

  /** Days in their order, all else the dearest first. */
  #sorted(most: number): readonly Row[] {
    const rows = [...this.#rows].map(([name, { runs, ...row }]) => ({ name, ...row, runs: runs.size }))
    const byName = (a: Row, b: Row): number => (a.name < b.name ? -1 : 1)
    const dearest = (a: Row, b: Row): number =>
      b.account.nanos - a.account.nanos ||
      b.account.input + b.account.output - a.account.input - a.account.output ||
      byName(a, b)
    return rows.sort(this.by === "day" ? byName : dearest).slice(0, most)
  }
}
