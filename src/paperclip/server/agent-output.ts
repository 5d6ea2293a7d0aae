// Summarizes the agent's output: usage, cost, final text, errors, and whether it reports a missing session.
import type { UsageSummary } from "@paperclipai/adapter-utils"
import { parseJson } from "@paperclipai/adapter-utils/server-utils"
import { isObject, type JsonObject } from "../../protocol/json.ts"
import { RunTotals } from "../run-totals.ts"
import { isSessionId } from "../session-codec.ts"

type Account = Pick<
  RunTotals,
  "model" | "provider" | "summary" | "errors" | "fault" | "ending" | "asked" | "rows" | "hasWorked" | "hasActed"
>

/** A run's own account. It is untrusted: nothing in it is executed or followed. */
export interface AgentOutput extends Readonly<Account> {
  /** The session's id if valid as one of ours, else null: the agent's own ids contain colons and slashes. */
  readonly sessionId: string | null
  readonly usage: UsageSummary
  readonly costUsd: number | null
}

/** Reads the transcript rows (docs/contract.md section 5) in a text that may contain other lines. Never throws. */
export function parseEscapementOutput(text: string): AgentOutput {
  const run = new RunTotals()
  for (const line of text.split("\n")) {
    const row = readRow(line)
    if (row !== null) run.annotate(row)
  }
  return outputOf(run)
}

/** The JSON object that a line of output is; null if it is none. */
export function readRow(line: string): JsonObject | null {
  const row: unknown = line.trimStart().startsWith("{") ? parseJson(line) : null
  return isObject(row) ? row : null
}

/** What a run's rows add up to, as the host gets it. */
export function outputOf(run: RunTotals): AgentOutput {
  const { totals, model, provider, summary, errors, fault, ending, asked, rows, hasWorked, hasActed, sessionId } = run
  return {
    sessionId: isSessionId(sessionId) ? sessionId : null,
    usage: { inputTokens: totals.input, outputTokens: totals.output, cachedInputTokens: totals.cached },
    costUsd: totals.costUsd,
    ...{ model, provider, summary, errors, fault, ending, asked, rows, hasWorked, hasActed },
  }
}

const MISSING = "not found|does not exist|doesn't exist|missing|unknown|no longer exists|cannot be found|not exist"
const SUBJECT = "session|checkpoint"
const UNKNOWN_SESSION = [
  new RegExp(`\\b(?:${SUBJECT})s?\\b[^\\n]{0,120}\\b(?:${MISSING})`, "i"),
  new RegExp(
    `\\b(?:unknown|missing|no such|no|could not find|cannot find|can't find) +(?:[\\w-]+ +){0,2}(?:${SUBJECT})\\b`,
    "i",
  ),
]

/** True if a failed resume's output says that the session or its checkpoint is missing (docs/decisions.md 8.4). */
export function isEscapementUnknownSessionError(stdout: string, stderr = ""): boolean {
  return [stdout, stderr].some(text => UNKNOWN_SESSION.some(pattern => pattern.test(text)))
}
