// Reads a line of a recording at its usual places, so that most lines need not be decoded.
import type { SourceLine } from "../../packages/wire/src/files/line-splitter.ts"
import { sanitize } from "../../packages/wire/src/sanitize.ts"

/** Where agents write an event's name: before all that may be long. */
const NAMED = /^\{(?:"kind":"event",)?"seq":\d{1,15},"ts":\d{1,15},"event":"([^"\\]*)",/

/** A delta up to its text, or a turn's start, as agents write it: number, time, name, and ids as they stand there. */
const PLAIN =
  /^\{"kind":"event","seq":(\d{1,15}),"ts":(\d{1,15}),"event":"llm\/(delta|start)",(?:"transcript\/[a-z-]+":(?:\d+|"[^"\\]*"),)*"data":\{("invokeid":"[^"\\]*","session-id":"[^"\\]*")(?:,"type":"(text|thinking)-delta","text":"|(?:,"model":"[^"\\]*")?\}\}\r?$)/

/** A text that stands in a line as it is shown: printable ASCII without escapes. */
const PLAIN_TEXT = /^[ !#-[\]-~]*$/
const LAST = '"}}'

/** A delta or a turn's start that was not decoded. */
export interface PlainLine {
  readonly seq: number
  readonly ts: number
  /** Its invokeid and session id as they stand in the line. */
  readonly ids: string
  /** What a delta adds to; null for a turn's start. */
  readonly adds: "text" | "thinking" | null
  /** Where the text of a delta begins. */
  readonly from: number
}

/** The name of a line's event if it stands at its usual place; else null. */
export function eventNameOf(line: SourceLine): string | null {
  const name = typeof line === "string" ? NAMED.exec(line)?.[1] : undefined
  return name === undefined ? null : sanitize(name)
}

/** Null for any other line, and for one that another agent may have written. */
export function readPlainLine(line: string): PlainLine | null {
  const found = PLAIN.exec(line)
  if (found === null) return null
  const [{ length: from }, seq, ts, name, ids = "", kind] = found
  if ((name === "delta") !== (kind !== undefined)) return null
  const adds = kind === undefined ? null : kind === "thinking" ? kind : "text"
  return { seq: Number(seq), ts: Number(ts), ids, adds, from }
}

/** The text of a delta; null if it must be decoded, or if more follows. */
export function plainTextOf(line: string, { from }: PlainLine): string | null {
  const to = line.length - LAST.length
  return to >= from && line.endsWith(LAST) && PLAIN_TEXT.test(line.slice(from, to)) ? line.slice(from, to) : null
}

/** The invokeid and the session id in `ids`. */
export function idsOf(ids: string): readonly [invokeid: string, sessionId: string] {
  const [, , , invokeid = "", , , , sessionId = ""] = ids.split('"')
  return [invokeid, sessionId]
}
