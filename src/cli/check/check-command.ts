// Looks for trouble in recorded runs: `check RUN…`. Prints a line for each finding.
import { stringifySafe } from "../../../packages/wire/src/json.ts"
import { type SafeText, sanitize, sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import { Redactor } from "../../export/redact.ts"
import { FINDING_KINDS, type Finding, type FindingPlace, findingWords } from "../../run/model/finding.ts"
import type { FoldOptions, Run } from "../../run/model/run.ts"
import { sessionName } from "../../run/select/figures.ts"
import { runFindings } from "../../run/select/run-findings.ts"
import { counted, offset } from "../../ui/text-width.ts"
import { complain, parseSubjects } from "../command-arguments.ts"
import { alignedRows, standardOutput } from "../command-output.ts"
import { foldFile, packedRun } from "../fold-command.ts"
import { type OpenedRecording, readEach } from "../open-recording.ts"
import { type OptionTable, valued } from "../option.ts"
import { type Environment, PARSER_OPTION, PRICES_OPTION, REDACT_OPTION } from "../option-table.ts"
import { choice, readPrices } from "../option-value.ts"
import { SUBJECT_OPTIONS, subjectsOf } from "../subjects.ts"
import { findingLimits, LIMIT_OPTIONS } from "./finding-limits.ts"

const FORMATS = ["text", "json", "junit"] as const

export const CHECK_OPTIONS = {
  ...LIMIT_OPTIONS,
  ...PRICES_OPTION,
  reach: valued("a state that a run must have entered", { multiple: true, takes: "STATE" }),
  ...SUBJECT_OPTIONS,
  as: valued("the format; default text", { values: FORMATS }),
  ...REDACT_OPTION,
  ...PARSER_OPTION,
} satisfies OptionTable

/** Runs `check`. Returns the exit code: 0 without a finding, 1 with one, 2 if a run can't be read. */
export async function checkCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values, subjects: words } = parseSubjects(args, CHECK_OPTIONS, "the runs to check")
  const format = choice("format", values.as ?? "text", FORMATS)
  const redactor = values["no-redact"] === true ? null : new Redactor()
  const options = { limits: findingLimits(values), prices: readPrices(values.prices), redactor }
  const checked: CheckedRun[] = []
  const subjects = await subjectsOf(words, values, env)
  const isComplete = await readEach("check", subjects, values.parser, async (opened, { name }) => {
    checked.push(await checkRun(name, opened, options, values.reach ?? []))
  })
  await standardOutput().write(REPORTS[format](checked))
  const redacted = redactor?.words() ?? null
  if (redacted !== null) complain("check", redacted)
  if (!isComplete) return 2
  return checked.some(({ findings }) => findings.length > 0) ? 1 : 0
}

async function checkRun(
  name: string,
  { path, subject }: OpenedRecording,
  { redactor, ...options }: Pick<FoldOptions, "limits" | "prices"> & { readonly redactor: Redactor | null },
  reach: readonly string[],
): Promise<CheckedRun> {
  const run = await foldFile(path, packedRun(options))
  return checkedRun({ name, file: path === subject ? path : null }, run, runFindings(run, { reach }), redactor)
}

/** The report of one run. The run itself is not kept, so that memory holds one at a time. */
type CheckedRun = Readonly<ReturnType<typeof checkedRun>>
/** A finding to report; with a redactor its texts have no likely secret. */
type CheckedFinding = CheckedRun["findings"][number]

/**
 * The report of a run with these findings; without a redactor, secrets stay. `name` is as the user named it, and may be
 * shown. `file` is where the findings' lines are counted; null for a log that was converted.
 */
function checkedRun(
  { name, file }: { readonly name: string; readonly file: string | null },
  run: Run,
  findings: readonly Finding[],
  redactor: Redactor | null,
) {
  const clean = (text: string): string => redactor?.text(sanitize(text)) ?? text
  const found = findings.map(finding => {
    const session = run.sessions[finding.session ?? -1]
    return {
      ...finding,
      turn: finding.turn === 0 ? null : finding.turn,
      words: clean(findingWords(finding)),
      who: clean(sessionName(run, finding.session ?? -1) ?? "run"),
      invokeid: run.invocations[session?.invocation ?? -1]?.invokeid ?? null,
      sessionId: session?.sessionId ?? null,
    }
  })
  return { name, file, firstTs: run.firstTs, findings: found, more: run.facts.findings.more }
}

/** The widest that the first columns are aligned: place, time, who, turn, kind. */
const WIDEST = [56, 14, 32, 8, 12] as const

const REPORTS: { readonly [format in (typeof FORMATS)[number]]: (checked: readonly CheckedRun[]) => SafeText } = {
  text: textReport,
  json: checked => sanitize(`${stringifySafe(checked.map(jsonReport), 2)}\n`),
  junit: checked => sanitize(junitReport(checked)),
}

/** A line for each finding, and how many there are. */
function textReport(checked: readonly CheckedRun[]): SafeText {
  const rows = checked.flatMap(one => one.findings.map(finding => cells(one, finding)))
  const more = checked.filter(one => one.more > 0)
  const rest = more.map(one => `${one.name}: and ${counted(one.more, "finding")} more`)
  const found = checked.reduce((sum, one) => sum + one.findings.length + one.more, 0)
  const summary = `${counted(checked.length, "run")} checked: ${found === 0 ? "no findings" : counted(found, "finding")}`
  return sanitize([...alignedRows(rows, WIDEST), ...rest, summary, ""].join("\n"))
}

function cells(one: CheckedRun, { kind, turn, who, words, place, since }: CheckedFinding): readonly string[] {
  const at = one.file === null ? `${one.name} #${place.frame}` : `${sanitizeLine(one.file)}:${place.line + 1}`
  const ts = place.ts ?? since
  const time = ts === null || one.firstTs === null ? "" : offset(ts - one.firstTs)
  return [at, time, who, turn === null ? "" : `turn ${turn}`, kind, sanitizeLine(words)]
}

function jsonReport({ name, findings, more }: CheckedRun) {
  return { run: name, findings: findings.map(jsonFinding), more }
}

function jsonFinding({ kind, who, invokeid, sessionId, turn, words, since, place, worst }: CheckedFinding) {
  const mostly = worst === null ? null : { turn: worst.turn, at: jsonPlace(worst.place) }
  const at = jsonPlace(place)
  return { kind, who, invokeid, sessionId, turn, why: words, since, at, worst: mostly }
}

function jsonPlace({ frame, epoch, seq, line, ts }: FindingPlace) {
  return { frame, epoch: epoch + 1, seq, line: line + 1, ts }
}

/** A suite for each run, with a case for each kind of finding: it fails with the lines of its findings. */
function junitReport(checked: readonly CheckedRun[]): string {
  const suites = checked.map(one => {
    const cases = FINDING_KINDS.map(kind => {
      const lines = one.findings.filter(finding => finding.kind === kind).map(finding => cells(one, finding).join("  "))
      const head = `    <testcase classname="${xml(one.name)}" name="${kind}"`
      if (lines.length === 0) return `${head}/>\n`
      const message = counted(lines.length, "finding")
      return `${head}>\n      <failure message="${message}">${xml(lines.join("\n"))}</failure>\n    </testcase>\n`
    })
    const failures = cases.filter(text => text.includes("<failure")).length
    const counts = `tests="${cases.length}" failures="${failures}"`
    return `  <testsuite name="${xml(one.name)}" ${counts}>\n${cases.join("")}  </testsuite>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join("")}</testsuites>\n`
}

const XML: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" }

function xml(text: string): string {
  return sanitize(text).replace(/[&<>"']/g, found => XML[found] ?? found)
}
