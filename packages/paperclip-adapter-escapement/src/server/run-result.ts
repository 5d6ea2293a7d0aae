// Builds Paperclip's result of a run: success, or a failure with a code, a message and a hint.
import type { AdapterExecutionResult } from "@paperclipai/adapter-utils"
import { isFailure } from "../entries.ts"
import type { RunAccount } from "../run-totals.ts"
import { sessionCodec } from "../session-codec.ts"
import type { Attempt } from "./attempt.ts"
import type { RunError, Settings } from "./settings.ts"

/** The status of a chart that has come to its end. The agent can't resume it (docs/decisions.md 8.4). */
export const ENDED = "done"

/** The result of a run that failed before its agent had an exit code. */
export function failed(code: string, message: string, hint: string): AdapterExecutionResult {
  return { exitCode: null, signal: null, timedOut: false, ...errorFields({ code, message, hint }) }
}

/** The result of a run that was cancelled before its agent started. */
export function cancelledBeforeStart(): AdapterExecutionResult {
  const result = failed("cancelled", "The run was cancelled.", "It had not started.")
  return { ...result, resultJson: cancellation(false) }
}

/** Acknowledges a cancel. Without this, the host reports an error for the cancel. */
function cancellation(forced: boolean): Record<string, unknown> {
  return { executionCancellation: { state: "acknowledged", acknowledgedAt: new Date().toISOString(), forced } }
}

/** The full result of an attempt. `config` is the stored one, which names the requested model. */
export function runResultOf(
  attempt: Attempt,
  settings: Settings,
  config: Record<string, unknown>,
): AdapterExecutionResult {
  const { outcome, output, sessionId, resumed, stdout, stderr, transcript } = attempt
  const { exitCode, signal, timedOut } = outcome
  const { inputTokens, outputTokens } = output.usage
  const failure = failureOf(attempt, settings)
  const { cwd, workDir, chart } = settings
  // A session without rows, or at its end, cannot be resumed.
  const isOpen = (output.rows > 0 || resumed) && output.ending !== ENDED
  const stored = isOpen ? sessionCodec.serialize({ sessionId, cwd, workDir, chart }) : null
  const raw = failure === null ? {} : { stdout, stderr }
  return {
    exitCode,
    signal,
    timedOut,
    ...(failure === null ? {} : errorFields(failure)),
    ...(failure === null || HALTED.has(failure.code) ? {} : retryFields(output)),
    ...(inputTokens + outputTokens > 0 ? { usage: output.usage, usageBasis: "per_run" as const } : {}),
    sessionId: stored === null ? null : sessionId,
    sessionParams: stored,
    sessionDisplayId: stored === null ? null : sessionId,
    provider: output.provider,
    model: output.model ?? (typeof config.model === "string" && config.model !== "" ? config.model : null),
    costUsd: output.costUsd,
    summary: output.summary,
    resultJson: {
      ending: output.ending,
      rows: output.rows,
      errors: output.errors,
      transcript,
      ...raw,
      ...(outcome.cancelled ? cancellation(outcome.forced) : {}),
    },
    ...(output.asked === null ? {} : { question: { prompt: output.asked.prompt, choices: [...output.asked.choices] } }),
  }
}

/** Tells the host to try again later, which it does only if the run is known to have done nothing yet. */
function retryFields({ fault, hasActed }: RunAccount): Partial<AdapterExecutionResult> {
  if (fault === null) return {}
  const isSafe = { executionRecovery: { kind: "bootstrap", providerWorkStarted: false } } as const
  return { errorFamily: fault, ...(hasActed ? {} : isSafe) }
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function errorFields({ code, message, hint }: RunError) {
  const sentence = /[.!?…]$/.test(message) ? message : `${message}.`
  return { errorCode: code, errorMessage: `${sentence} ${hint}`, errorMeta: { hint } }
}

/** Failures that the provider has no part in. */
const HALTED: ReadonlySet<string> = new Set(["cancelled", "timeout", "escapement_asks_person"])

/** Why the run failed; null for success. The first match is the root cause. */
function failureOf({ outcome, output, stderr, transcript }: Attempt, settings: Settings): RunError | null {
  const { exitCode, signal, timedOut, cancelled } = outcome
  const { chart, command, timeoutSec } = settings
  const why = output.errors.at(-1)
  const said = errorLineIn(stderr)
  // What was written before a failure is not always its cause.
  const words = said === "" ? "" : `. Its words: ${said}`
  const because = why === undefined ? words : `: ${why}`
  if (cancelled) return { code: "cancelled", message: "The run was cancelled.", hint: "All its processes have ended." }
  if (output.asked !== null && (timedOut || exitCode !== 0)) {
    const message = `The run asked a question that nobody can answer here: ${output.asked.prompt}`
    const hint = "Give the chart its answer in params, or run it with a screen."
    return { code: "escapement_asks_person", message, hint }
  }
  if (timedOut) {
    const message = `The run took longer than ${timeoutSec} s${because}`
    return { code: "timeout", message, hint: "Raise timeoutSec." }
  }
  if (signal !== null) {
    const message = `The agent was killed by ${signal}${because}`
    return { code: "escapement_killed", message, hint: "Check what killed the process." }
  }
  if (exitCode === 2) {
    const hint = "Check the agent's fields, extraArgs included, against `escapement --help`."
    const what = said === "" ? "" : `: ${said}`
    return { code: "escapement_usage_error", message: `${command} rejected its arguments${what}`, hint }
  }
  const chartError = (message: string): RunError => {
    const hint = `Read ${transcript}, which resultJson.transcript names.`
    return { code: "escapement_chart_error", message, hint: output.rows === 0 ? "Its output is in resultJson." : hint }
  }
  if (exitCode === 1) return chartError(`The chart ${chart} failed${because}`)
  if (exitCode !== 0) {
    const message = `${command} exited with code ${exitCode}${because}`
    return { code: "escapement_failed", message, hint: "Read its stderr." }
  }
  if (output.rows === 0) {
    const hint = "Its output is in resultJson. Check workDir and the version of the agent."
    return { code: "escapement_output_unreadable", message: "The run left no readable transcript.", hint }
  }
  // A chart may end of itself although its provider has refused.
  if (!isFailure(output.ending) && output.fault === null) return null
  return chartError(`The chart ${chart} ended as ${output.ending}${because}`)
}

/** The line that names an error, which Babashka's stack or the agent's advice may follow; else the last one. */
function errorLineIn(text: string): string {
  const lines = text.trim().split("\n")
  const line = lines.findLast(one => /^(?:Error|Message):|chart run failed/.test(one)) ?? lines.at(-1) ?? ""
  return line
    .replace(/^Message:/, "")
    .trim()
    .slice(0, 400)
}
