// What the agent's output comes to: usage, cost, final text, errors; and whether it says that a session is gone.
import type { UsageSummary } from "@paperclipai/adapter-utils"
import { parseJson } from "@paperclipai/adapter-utils/server-utils"
import { isObject, type JsonObject } from "../../protocol/json.ts"
import { type OpenQuestion, Tally } from "../run-totals.ts"
import { isSessionId } from "../session-codec.ts"

/** What a run told of itself. Nothing of it is executed or followed. */
export interface AgentOutput {
  /** Ours where it is a valid id, else null: the agent spells its own with colons and slashes. */
  readonly sessionId: string | null
  readonly usage: UsageSummary
  readonly costUsd: number | null
  readonly model: string | null
  readonly provider: string | null
  /** The final text. */
  readonly summary: string | null
  readonly errors: readonly string[]
  /** The runner's word for its end; null where it never came to one. */
  readonly ending: string | null
  /** A question to a person that nobody answered. */
  readonly asked: OpenQuestion | null
  /** How many rows were understood; 0 where there is no transcript in the text. */
  readonly rows: number
}

/** Reads transcript rows (docs/contract.md section 5) out of text that may hold anything else too. Never throws. */
export function parseEscapementOutput(text: string): AgentOutput {
  const tally = new Tally()
  for (const line of text.split("\n")) {
    const row = readRow(line)
    if (row !== null) tally.annotate(row)
  }
  return outputOf(tally)
}

/** The row in a line; null where there is none. */
export function readRow(line: string): JsonObject | null {
  const row: unknown = line.trimStart().startsWith("{") ? parseJson(line) : null
  return isObject(row) ? row : null
}

export function outputOf(tally: Tally): AgentOutput {
  const { totals, model, provider, summary, errors, ending, asked, rows, sessionId } = tally
  return {
    sessionId: isSessionId(sessionId) ? sessionId : null,
    usage: { inputTokens: totals.input, outputTokens: totals.output, cachedInputTokens: totals.cached },
    costUsd: totals.costUsd,
    ...{ model, provider, summary, errors, ending, asked, rows },
  }
}

const GONE = "not found|does not exist|doesn't exist|missing|unknown|no longer exists|cannot be found|not exist"
const KEPT = "session|checkpoint"
const UNKNOWN = [
  new RegExp(`\\b(?:${KEPT})s?\\b[^\\n]{0,120}\\b(?:${GONE})`, "i"),
  new RegExp(
    `\\b(?:unknown|missing|no such|no|could not find|cannot find|can't find) +(?:[\\w-]+ +){0,2}(?:${KEPT})\\b`,
    "i",
  ),
]

/** True where output of a failed resume says that the session or its checkpoint is not there (docs/decisions.md 8.4). */
export function isEscapementUnknownSessionError(stdout: string, stderr = ""): boolean {
  return [stdout, stderr].some(text => UNKNOWN.some(pattern => pattern.test(text)))
}
