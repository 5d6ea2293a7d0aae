// Exports the adapter's command-line half: prints the lines of a run to the terminal.
import type { CLIAdapterModule, TranscriptEntry } from "@paperclipai/adapter-utils"
import pc from "picocolors"
import { stringifySafe } from "../../../wire/src/json.ts"
import { sanitize } from "../../../wire/src/sanitize.ts"
import { type } from "../capabilities.ts"
import { parseStdoutLine } from "../ui-parser.ts"

type Paint = (text: string) => string

/** The kind of the streamed text that the terminal's last line ends with; null if that line is complete. */
let streaming: TranscriptEntry["kind"] | null = null

/**
 * Writes a line in the colour of its kind, sanitized. One that is not a row is shown only with `debug`, in grey.
 * Streamed text continues the line that it began.
 */
export function formatStdoutEvent(line: string, debug: boolean): void {
  for (const entry of parseStdoutLine(line, "")) {
    const own = entry.kind === "stdout" ? entry.text : line
    const printed = format(entry) ?? (debug ? ([pc.gray, own] as const) : null)
    if (printed === null) continue
    const [paint, text] = printed
    const isDelta = entry.kind === "assistant" || entry.kind === "thinking"
    const isNewLine = streaming !== null && streaming !== entry.kind
    process.stdout.write(`${isNewLine ? "\n" : ""}${paint(sanitize(text))}${isDelta ? "" : "\n"}`)
    streaming = isDelta && !text.endsWith("\n") ? entry.kind : null
  }
}

export { formatStdoutEvent as printEscapementStreamEvent }

/** The module object for Paperclip's command line (docs/paperclip.md). */
export const escapementCLIAdapter: CLIAdapterModule = { type, formatStdoutEvent }

const asIs: Paint = text => text

/** One entry as a line and its colour; null if its raw line says as much. */
function format(entry: TranscriptEntry): readonly [Paint, string] | null {
  switch (entry.kind) {
    case "init":
      return [pc.blue, `session ${entry.sessionId} (${entry.model})`]
    case "system":
      return [pc.blue, entry.text]
    case "assistant":
      return [pc.green, entry.text]
    case "thinking":
      return [pc.gray, entry.text]
    case "user":
      return [asIs, entry.text]
    case "tool_call":
      return [pc.yellow, `${entry.name} ${stringifySafe(entry.input)}`]
    case "tool_result":
      return [entry.isError ? pc.red : pc.yellow, entry.content]
    case "stderr":
      return [pc.red, entry.text]
    case "result": {
      const { inputTokens, outputTokens, costUsd, errors, isError } = entry
      const told = [inputTokens && `${inputTokens} in`, outputTokens && `${outputTokens} out`]
      const figures = [...told, costUsd && `$${costUsd.toFixed(4)}`].filter(Boolean).join(", ")
      const text = [entry.subtype, figures, errors.join("; ")].filter(Boolean).join(": ")
      return [isError ? pc.red : pc.blue, text]
    }
    default:
      return null
  }
}
