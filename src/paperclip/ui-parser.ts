// Parses Escapement's transcript rows into entries of Paperclip's run view. The host loads it as one bundled file.
import type { TranscriptEntry } from "@paperclipai/adapter-utils"
import { decode } from "../protocol/decode.ts"
import { decodeEvent } from "../protocol/decode-event.ts"
import { isObject, type JsonObject, parseJson } from "../protocol/json.ts"
import { entriesOf } from "./entries.ts"
import { readLogLine } from "./log-line.ts"
import { repairJson } from "./repair-json.ts"
import { RunTotals } from "./run-totals.ts"

/** A transcript row, or an event in the socket's envelope. */
type EventRow = JsonObject & { readonly event: string }

/** Matches a line that begins with its program's name: `[paperclip] …`, `[hermes] …`. */
const NAMED = /^\[[\w.@/-]{1,64}\](?:\s|$)/

/** Parses one line of the adapter's stdout. Stateless; never throws: a line that is not a row becomes `stdout`. */
export function parseStdoutLine(line: string, ts: string): TranscriptEntry[] {
  return parseWith(line, ts, row => row)
}

/** A stateful parser for one run. It knows which text was streamed, which call a result answers, and the totals. */
export function createStdoutParser(): { parseLine: typeof parseStdoutLine; reset: () => void } {
  let totals = new RunTotals()
  return {
    parseLine: (line, ts) => parseWith(line, ts, row => totals.annotate(row)),
    reset: () => {
      totals = new RunTotals()
    },
  }
}

export { parseStdoutLine as parseEscapementStdoutLine }

function parseWith(line: string, ts: string, annotate: (row: JsonObject) => JsonObject): TranscriptEntry[] {
  // After an exception the host would lose the line; show it as stdout instead.
  try {
    const text = line.trim()
    if (text === "") return []
    if (NAMED.test(text)) return [{ kind: "system", ts, text }]
    const entry = readLogLine(text, ts)
    if (entry !== null) return [entry]
    const row = readRow(text)
    const entries = entriesOf(row === null ? decode(text) : decodeEvent(row.event, annotate(row)), ts)
    return entries ?? [{ kind: "stdout", ts, text: line }]
  } catch {
    return [{ kind: "stdout", ts, text: line }]
  }
}

/** The event in a line, repaired if the host's redaction or truncation damaged it; null if there is none. */
function readRow(text: string): EventRow | null {
  if (!text.startsWith("{")) return null
  const row = parseJson(text) ?? repairJson(text)
  return isEventRow(row) ? row : null
}

/** A row on disk has no `kind`; the socket's envelope has one (docs/contract.md section 5). */
function isEventRow(row: unknown): row is EventRow {
  return isObject(row) && typeof row.event === "string" && (row.kind === "event" || (row.kind ?? null) === null)
}
