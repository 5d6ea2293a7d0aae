// Separates a command's lines of JSON from its other lines, which are shown unchanged.
import { isObject, type JsonObject, parseJson } from "../../../packages/wire/src/json.ts"
import { sanitizeLine } from "../../../packages/wire/src/sanitize.ts"
import type { Output } from "./output.ts"
import { renderedText } from "./strip-escapes.ts"

/** UTF-16 units of a line on stderr that the error of a run quotes. */
const QUOTED = 400

export class PrintedLines {
  lastError: string | null = null

  constructor(private readonly out: Output) {}

  /** The object that a line is; null for any other line, which is shown unless it is empty. */
  objectIn(stream: string, text: string): JsonObject | null {
    const trimmed = text.trim()
    const value = stream === "stdout" && trimmed.startsWith("{") ? parseJson(trimmed) : undefined
    if (isObject(value)) return value
    if (trimmed === "") return null
    const said = renderedText(text)
    if (stream === "stderr") this.lastError = sanitizeLine(said.trim().slice(0, QUOTED))
    // It belongs to no session, so that it cuts no reply in two.
    this.out.ofRun(`adapter/${stream}`, { text: said })
    return null
  }
}
