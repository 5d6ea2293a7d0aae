// Looks for trouble in recorded runs: `check RUN…`. Prints a line for each finding.
import { sanitizeLine } from "../protocol/sanitize.ts"
import { fold } from "../run/fold.ts"
import { TEXT_BUDGET } from "../run/memory/pack-entries.ts"
import { ROW_WINDOW } from "../run/memory/pack-rows.ts"
import { type FindingLimits, usualLimits } from "../run/model/finding.ts"
import { emptyRun, initialRun, type Run } from "../run/model/run.ts"
import { type RunLimits, runFindings } from "../run/select/run-findings.ts"
import { describeFileError, InputError } from "../transport/recording-path.ts"
import { type CheckedRun, reportAs } from "./check-report.ts"
import { complain, parseSubjects } from "./command-arguments.ts"
import { standardOutput } from "./command-output.ts"
import { readFrameBatches } from "./fold-command.ts"
import { openRecordingOrLog } from "./open-recording.ts"
import { type OptionTable, PARSER_OPTION } from "./option-table.ts"
import { choice, number } from "./option-value.ts"

const FORMATS = ["text", "json", "junit"] as const

export const CHECK_OPTIONS = {
  silence: { type: "string", takes: "SECONDS", about: "how long a model may say nothing; default 60" },
  repeats: { type: "string", takes: "N", about: "from how many identical calls in a row on; default 3" },
  retries: { type: "string", takes: "N", about: "from which retry of a turn on; default 3" },
  context: { type: "string", takes: "PERCENT", about: "from which share of the context window on; default 80" },
  growth: { type: "string", takes: "FACTOR", about: "how many times the input of the turn before; default 3" },
  duration: { type: "string", takes: "SECONDS", about: "the longest that a run may take; default any" },
  reach: { type: "string", multiple: true, takes: "STATE", about: "a state that a run must have entered" },
  as: { type: "string", values: FORMATS, about: "the format; default text" },
  ...PARSER_OPTION,
} as const satisfies OptionTable

type CheckFlags = ReturnType<typeof parseSubjects<typeof CHECK_OPTIONS>>["values"]

/** Runs `check`. Returns the exit code: 0 without a finding, 1 with one, 2 if a run can't be read. */
export async function checkCommand(args: readonly string[]): Promise<number> {
  const { values, subjects } = parseSubjects(args, CHECK_OPTIONS, "the runs to check")
  const format = choice("format", values.as ?? "text", FORMATS)
  const limits = findingLimits(values)
  const atEnd = runLimits(values)
  const checked: CheckedRun[] = []
  let isComplete = true
  for (const subject of subjects) {
    try {
      checked.push(await checkRun(subject, values.parser, limits, atEnd))
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      isComplete = false
      complain("check", error.message)
    }
  }
  await standardOutput().write(reportAs(format, checked))
  if (!isComplete) return 2
  return checked.some(({ findings }) => findings.length > 0) ? 1 : 0
}

async function checkRun(
  subject: string,
  parser: string | undefined,
  limits: FindingLimits,
  atEnd: RunLimits,
): Promise<CheckedRun> {
  const recorded = await openRecordingOrLog(subject, parser)
  let run: Run = initialRun({ ...emptyRun, rowWindow: ROW_WINDOW, textBudget: TEXT_BUDGET, limits })
  try {
    for await (const frames of readFrameBatches(recorded.path)) run = fold(run, frames)
  } catch (error) {
    throw new InputError(`${sanitizeLine(subject)}: ${describeFileError(error)}`)
  } finally {
    await recorded.close()
  }
  const file = recorded.path === recorded.subject ? recorded.path : null
  return { name: sanitizeLine(subject), file, run, findings: runFindings(run, atEnd) }
}

function findingLimits(flags: CheckFlags): FindingLimits {
  const { silence, repeats, retries, context, growth } = flags
  return {
    silence: silence === undefined ? usualLimits.silence : number("--silence", silence, 1, 86_400) * 1000,
    repeats: wholeNumber("--repeats", repeats, 2) ?? usualLimits.repeats,
    retries: wholeNumber("--retries", retries, 1) ?? usualLimits.retries,
    context: context === undefined ? usualLimits.context : number("--context", context.replace(/%$/, ""), 1, 100) / 100,
    growth: growth === undefined ? usualLimits.growth : number("--growth", growth, 1, 1000),
  }
}

function wholeNumber(name: string, value: string | undefined, least: number): number | null {
  return value === undefined ? null : number(name, value, least, 1_000_000, "a whole number")
}

function runLimits({ duration, reach = [] }: CheckFlags): RunLimits {
  return { duration: duration === undefined ? null : number("--duration", duration, 0, 1e9) * 1000, reach }
}
