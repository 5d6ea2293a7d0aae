// Reads the agent's output: the rows in it, and whether it reports a missing session.
import { parseJson } from "@paperclipai/adapter-utils/server-utils"
import { isObject, type JsonObject } from "../../../wire/src/json.ts"
import { type RunAccount, RunTotals } from "../run-totals.ts"

/** Reads the transcript rows (docs/contract.md section 5) in a text that may contain other lines. Never throws. */
export function parseEscapementOutput(text: string): RunAccount {
  const run = new RunTotals()
  for (const line of text.split("\n")) {
    const row = readRow(line)
    if (row !== null) run.annotate(row)
  }
  return run
}

/** The JSON object that a line of output is; null if it is none. */
export function readRow(line: string): JsonObject | null {
  const row: unknown = line.trimStart().startsWith("{") ? parseJson(line) : null
  return isObject(row) ? row : null
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
