// Prints one line of a run to the terminal: blue system, green assistant, yellow tools, red errors.
import type { TranscriptEntry } from "@paperclipai/adapter-utils"
import pc from "picocolors"
import { stringifySafe } from "../../protocol/json.ts"
import { sanitize } from "../../protocol/sanitize.ts"
import { parseStdoutLine } from "../ui-parser.ts"

/** Writes to stdout, sanitized. A line that is not a row is shown only with `debug`, in grey. */
export function formatStdoutEvent(line: string, debug: boolean): void {
  for (const entry of parseStdoutLine(line, "")) {
    const printed = format(entry)
    if (printed !== null) process.stdout.write(`${printed}\n`)
    else if (debug) process.stdout.write(`${pc.gray(sanitize(line))}\n`)
  }
}

/** One entry as a line; null if its raw line says as much. */
function format(entry: TranscriptEntry): string | null {
  switch (entry.kind) {
    case "init":
      return pc.blue(`session ${entry.sessionId} (${entry.model})`)
    case "system":
      return pc.blue(sanitize(entry.text))
    case "assistant":
      return pc.green(entry.text)
    case "thinking":
      return pc.gray(entry.text)
    case "user":
      return entry.text
    case "tool_call":
      return pc.yellow(`${entry.name} ${stringifySafe(entry.input)}`)
    case "tool_result":
      return entry.isError ? pc.red(entry.content) : pc.yellow(entry.content)
    case "stderr":
      return pc.red(entry.text)
    case "result": {
      const cost = entry.costUsd > 0 ? `, $${entry.costUsd.toFixed(4)}` : ""
      const text = `${entry.subtype}: ${entry.inputTokens} in, ${entry.outputTokens} out${cost}`
      return entry.isError ? pc.red(`${text}: ${entry.errors.join("; ")}`) : pc.blue(text)
    }
    default:
      return null
  }
}
