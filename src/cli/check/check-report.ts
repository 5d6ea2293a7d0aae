// Prints the findings of checked runs: as lines to read, as JSON, or as JUnit's XML for a build server.
import { stringifySafe } from "../../protocol/json.ts"
import { type SafeText, sanitize, sanitizeLine } from "../../protocol/sanitize.ts"
import { FINDING_KINDS, type Finding } from "../../run/model/finding.ts"
import type { Run } from "../../run/model/run.ts"
import { sessionName } from "../../run/select/figures.ts"
import { counted, offset } from "../../ui/text-width.ts"
import { alignedRows } from "../aligned-rows.ts"

/** A run that was read to its end. */
export interface CheckedRun {
  /** As the user named it. May be shown. */
  readonly name: string
  /** The file that the findings' lines are counted in; null for one that was converted. */
  readonly file: string | null
  readonly run: Run
  readonly findings: readonly Finding[]
}

/** The widest that the first columns are aligned: place, time, who, turn, kind. */
const WIDEST = [56, 14, 32, 8, 12] as const

/** All findings in a format. */
export function reportAs(format: "text" | "json" | "junit", checked: readonly CheckedRun[]): SafeText {
  switch (format) {
    case "text":
      return textReport(checked)
    case "json":
      return sanitize(`${stringifySafe(checked.map(jsonReport), 2)}\n`)
    case "junit":
      return sanitize(junitReport(checked))
  }
}

/** A line for each finding, and how many there are. */
function textReport(checked: readonly CheckedRun[]): SafeText {
  const rows = checked.flatMap(one => one.findings.map(finding => cells(one, finding)))
  const more = checked.filter(({ run }) => run.findings.more > 0)
  const rest = more.map(({ name, run }) => `${name}: and ${counted(run.findings.more, "finding")} more\n`)
  const found = checked.reduce((sum, { findings, run }) => sum + findings.length + run.findings.more, 0)
  const summary = `${counted(checked.length, "run")} checked: ${found === 0 ? "no findings" : counted(found, "finding")}`
  return sanitize([alignedRows(rows, WIDEST), ...rest, `${summary}\n`].join(""))
}

function cells(one: CheckedRun, finding: Finding): readonly string[] {
  const { kind, turn, why, place } = finding
  const at = one.file === null ? `${one.name} #${place.frame}` : `${sanitizeLine(one.file)}:${place.line + 1}`
  const time = place.ts === null || one.run.firstTs === null ? "" : offset(place.ts - one.run.firstTs)
  return [at, time, whoOf(one.run, finding), turn === null ? "" : `turn ${turn}`, kind, sanitizeLine(why)]
}

function whoOf(run: Run, { session }: Finding): string {
  return sessionName(run, session ?? -1) ?? "run"
}

function jsonReport({ name, run, findings }: CheckedRun) {
  return { run: name, findings: findings.map(one => jsonFinding(run, one)), more: run.findings.more }
}

function jsonFinding(run: Run, finding: Finding) {
  const { kind, session, turn, why, since, place } = finding
  const found = run.sessions[session ?? -1]
  return {
    kind,
    who: whoOf(run, finding),
    invokeid: run.invocations[found?.invocation ?? -1]?.invokeid ?? null,
    sessionId: found?.sessionId ?? null,
    turn,
    why,
    since,
    at: { frame: place.frame, epoch: place.epoch + 1, seq: place.seq, line: place.line + 1, ts: place.ts },
  }
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
