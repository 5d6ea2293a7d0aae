// Looks for trouble in recorded runs: `check RUN…`. Prints a line for each finding.

import { InputError } from "../../../packages/wire/src/files/recording-path.ts"
import { Redactor } from "../../export/redact.ts"
import type { FoldOptions } from "../../run/model/run.ts"
import { runFindings } from "../../run/select/run-findings.ts"
import { complain, parseSubjects } from "../command-arguments.ts"
import { standardOutput } from "../command-output.ts"
import { readConfig } from "../config-file.ts"
import { foldFile, packedRun } from "../fold-command.ts"
import { type OpenedRecording, readEach } from "../open-recording.ts"
import { type OptionTable, valued } from "../option.ts"
import { settle, settledFlags } from "../option-settings.ts"
import { type Environment, PARSER_OPTION, PRICES_OPTION, REDACT_OPTION } from "../option-table.ts"
import { choice, readPrices } from "../option-value.ts"
import { SUBJECT_OPTIONS, subjectsOf } from "../subjects.ts"
import { type CheckedRun, checkedRun, reportAs } from "./check-report.ts"
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

type CheckFlags = ReturnType<typeof parseSubjects<typeof CHECK_OPTIONS>>["values"]

/** Runs `check`. Returns the exit code: 0 without a finding, 1 with one, 2 if a run can't be read. */
export async function checkCommand(args: readonly string[], env: Environment): Promise<number> {
  const { values, subjects: words } = parseSubjects(args, CHECK_OPTIONS, "the runs to check")
  const format = choice("format", values.as ?? "text", FORMATS)
  const options = { ...settledOptions(values, env), redactor: values["no-redact"] === true ? null : new Redactor() }
  const { reach = [] } = values
  const checked: CheckedRun[] = []
  const subjects = await subjectsOf(words, values, env)
  const isComplete = await readEach("check", subjects, values.parser, async (opened, { name }) => {
    checked.push(await checkRun(name, opened, options, reach))
  })
  await standardOutput().write(reportAs(format, checked))
  const redacted = options.redactor?.words() ?? null
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

/** What the flags say, else the config file, which must have no mistake. */
function settledOptions(typed: CheckFlags, env: Environment): Pick<FoldOptions, "limits" | "prices"> {
  const config = readConfig(env)
  if (config.mistakes[0] !== undefined) throw new InputError(config.mistakes[0])
  const flags = settledFlags(settle({ ...LIMIT_OPTIONS, ...PRICES_OPTION }, typed, env, config))
  return { limits: findingLimits(flags), prices: readPrices(flags.prices) }
}
