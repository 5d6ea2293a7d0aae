// What a run came to, as Paperclip keeps it: success, or which failure it was, in words and with a hint.
import type { AdapterExecutionResult } from "@paperclipai/adapter-utils"
import { isFailure } from "../entries.ts"
import { sessionCodec } from "../session-codec.ts"
import type { Attempt } from "./attempt.ts"
import type { Settings } from "./settings.ts"

interface Failure {
  readonly code: string
  readonly message: string
  readonly hint: string
}

/** A run that never began. */
export function failed(code: string, message: string, hint: string): AdapterExecutionResult {
  return { exitCode: null, signal: null, timedOut: false, ...saying({ code, message, hint }) }
}

/** A run that was cancelled before it began. */
export function neverStarted(): AdapterExecutionResult {
  const result = failed("cancelled", "The run was cancelled.", "Nothing was started.")
  return { ...result, resultJson: stopped(false) }
}

/** The host takes a cancel for done only where its result says so, and answers whoever asked with an error else. */
function stopped(forced: boolean): Record<string, unknown> {
  return { executionCancellation: { state: "acknowledged", acknowledgedAt: new Date().toISOString(), forced } }
}

/** The full result of an attempt. `config`: as it is stored, for the model that was asked for. */
export function runResultOf(
  attempt: Attempt,
  settings: Settings,
  config: Record<string, unknown>,
): AdapterExecutionResult {
  const { outcome, output, sessionId, resumed, stdout, stderr, transcript } = attempt
  const { exitCode, signal, timedOut } = outcome
  const failure = failureOf(attempt, settings)
  // A session that never wrote a row is none that could be resumed.
  const { cwd, workDir, chart } = settings
  const kept = output.rows > 0 || resumed ? sessionCodec.serialize({ sessionId, cwd, workDir, chart }) : null
  const raw = failure === null ? {} : { stdout, stderr }
  return {
    ...{ exitCode, signal, timedOut },
    ...(failure === null ? {} : saying(failure)),
    ...(output.rows > 0 ? { usage: output.usage, usageBasis: "per_run" as const } : {}),
    sessionId: kept === null ? null : sessionId,
    sessionParams: kept,
    sessionDisplayId: kept === null ? null : sessionId,
    provider: output.provider,
    model: output.model ?? (typeof config.model === "string" && config.model !== "" ? config.model : null),
    costUsd: output.costUsd,
    summary: output.summary,
    resultJson: {
      ...{ ending: output.ending, rows: output.rows, errors: output.errors, transcript, ...raw },
      ...(outcome.cancelled ? stopped(outcome.forced) : {}),
    },
    ...(output.asked === null ? {} : { question: { prompt: output.asked.prompt, choices: [...output.asked.choices] } }),
  }
}

function saying({
  code,
  message,
  hint,
}: Failure): Pick<AdapterExecutionResult, "errorCode" | "errorMessage" | "errorMeta"> {
  return { errorCode: code, errorMessage: `${message} ${hint}`, errorMeta: { hint } }
}

/** Why the run is no success; null where it is one. The first that fits is the cause of the others. */
function failureOf({ outcome, output, stderr }: Attempt, settings: Settings): Failure | null {
  const { exitCode, signal, timedOut, cancelled } = outcome
  const { chart, command, timeoutSec } = settings
  const why = output.errors.at(-1) ?? lastLine(stderr)
  const said = why === "" ? "" : `: ${why}`
  if (cancelled)
    return { code: "cancelled", message: "The run was cancelled.", hint: "What it started has been ended." }
  if (output.asked !== null && (timedOut || exitCode !== 0)) {
    const message = `The run asked a person and nobody can answer here: ${output.asked.prompt}`
    return {
      code: "escapement_asks_person",
      message,
      hint: "Give the chart its answer by params, or run it with a screen.",
    }
  }
  if (timedOut) {
    return { code: "timeout", message: `The run took longer than ${timeoutSec} s${said}.`, hint: "Raise timeoutSec." }
  }
  if (signal !== null) {
    return {
      code: "escapement_killed",
      message: `The agent was ended by ${signal}${said}.`,
      hint: "See who ends processes.",
    }
  }
  if (exitCode === 2) {
    const hint = "Check the fields of the agent, extraArgs among them, against escapement's own help."
    return { code: "escapement_usage_error", message: `${command} did not take its arguments${said}.`, hint }
  }
  if (exitCode === 1) {
    return {
      code: "escapement_chart_error",
      message: `The chart ${chart} failed${said}.`,
      hint: "Read the transcript.",
    }
  }
  if (exitCode !== 0) {
    return { code: "escapement_failed", message: `${command} ended with ${exitCode}${said}.`, hint: "Read its stderr." }
  }
  if (output.rows === 0) {
    const hint = "Its output stands in resultJson; check workDir and the version of the agent."
    return { code: "escapement_output_unreadable", message: "The run left no transcript that can be read.", hint }
  }
  if (!isFailure(output.ending)) return null
  return {
    code: "escapement_chart_error",
    message: `The chart ${chart} ended as ${output.ending}${said}.`,
    hint: "Read the transcript.",
  }
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1)?.trim().slice(0, 400) ?? ""
}
