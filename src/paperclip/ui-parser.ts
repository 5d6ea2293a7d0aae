// Escapement's transcript rows as entries of Paperclip's run view. Loaded by the host as one file without imports.
import type { TranscriptEntry } from "@paperclipai/adapter-utils"
import { decode } from "../protocol/decode.ts"
import { decodeEvent } from "../protocol/decode-event.ts"
import { isObject, type JsonObject } from "../protocol/json.ts"
import { entriesOf } from "./entries.ts"
import { salvage } from "./repair-json.ts"
import { Tally } from "./run-totals.ts"

/** A row of a transcript, or an event as the socket wraps it. */
type EventRow = JsonObject & { readonly event: string }

/** Marks a line of a program that names itself: `[paperclip] …`, `[hermes] …`. */
const NAMED = /^\[[\w.@/-]{1,64}\](?:\s|$)/

/**
 * The entries of one line of the adapter's stdout, at the time `ts` that the host gives. Knows nothing of the lines
 * before, so that one instance may serve many runs. Deterministic; never throws: what is no row becomes `stdout`.
 */
export function parseStdoutLine(line: string, ts: string): TranscriptEntry[] {
  return parseWith(line, ts, row => row)
}

/** A parser of one run, which also knows which text has been streamed, which call a result answers, and the totals. */
export function createStdoutParser(): { parseLine: typeof parseStdoutLine; reset: () => void } {
  let tally = new Tally()
  return {
    parseLine: (line, ts) => parseWith(line, ts, row => tally.annotate(row)),
    reset: () => {
      tally = new Tally()
    },
  }
}

export { parseStdoutLine as parseEscapementStdoutLine }

function parseWith(line: string, ts: string, annotate: (row: JsonObject) => JsonObject): TranscriptEntry[] {
  // A fault here would cost the host the line, so it costs its shape only.
  try {
    const text = line.trim()
    if (text === "") return []
    if (NAMED.test(text)) return [{ kind: "system", ts, text }]
    const row = readRow(text)
    const entries = entriesOf(row === null ? decode(text) : decodeEvent(row.event, annotate(row)), ts)
    return entries ?? [{ kind: "stdout", ts, text: line }]
  } catch {
    return [{ kind: "stdout", ts, text: line }]
  }
}

/** The event in a line: as JSON, or what the host's redaction and truncation left of it; null where there is none. */
function readRow(text: string): EventRow | null {
  if (!text.startsWith("{")) return null
  const row = parse(text)
  return isEventRow(row) ? row : null
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return salvage(text)
  }
}

/** A row on disk has no `kind`, an envelope of the socket has (docs/contract.md section 5). */
function isEventRow(row: unknown): row is EventRow {
  return isObject(row) && typeof row.event === "string" && (row.kind === "event" || (row.kind ?? null) === null)
}
