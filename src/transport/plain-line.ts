// Reads a line of a recording at its usual places, so that most lines need not be decoded.
import type { SourceLine } from "../../packages/wire/src/files/line-splitter.ts"
import { sanitize } from "../../packages/wire/src/sanitize.ts"

/** Where agents write an event's name: before all that may be long. */
const NAMED = /^\{(?:"kind":"event",)?"seq":\d{1,15},"ts":\d{1,15},"event":"([^"\\]*)",/

/**
 * A delta or a turn's start, as agents write it: number, time, name, and ids as they stand there. A delta's text comes
 * before its ids, or after them, where more may follow it.
 */
const PLAIN =
  /^\{"kind":"event","seq":(\d{1,15}),"ts":(\d{1,15}),"event":"llm\/(delta|start)",(?:"transcript\/[a-z-]+":(?:\d+|"[^"\\]*"),)*"data":\{(?:"type":"(text|thinking)-delta","text":"((?:[^"\\]|\\.)*)"(?:,"model":"[^"\\]*")?,)?("invokeid":"[^"\\]*","session-id":"[^"\\]*")(?:,"type":"(text|thinking)-delta","text":"|(?:,"model":"[^"\\]*")?(?:,"usage":\{"output-tokens":\d{1,15}\})?\}\}\r?$)/

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
  /** The text of a delta as it stands there; undefined if it is the line's from `from` on. */
  readonly said: string | undefined
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
  const [{ length: from }, seq, ts, name, early, said, ids = "", late] = found
  const kind = early ?? late
  if ((name === "delta") !== (kind !== undefined) || (early !== undefined && late !== undefined)) return null
  const adds = kind === undefined ? null : kind === "thinking" ? kind : "text"
  return { seq: Number(seq), ts: Number(ts), ids, adds, said, from }
}

/** The text of a delta; null if it must be decoded, or if more follows. */
export function plainTextOf(line: string, { said, from }: PlainLine): string | null {
  const to = line.length - LAST.length
  const text = said ?? (to >= from && line.endsWith(LAST) ? line.slice(from, to) : null)
  return text !== null && PLAIN_TEXT.test(text) ? text : null
}

/** The invokeid and the session id in `ids`. */
export function idsOf(ids: string): readonly [invokeid: string, sessionId: string] {
  const [, , , invokeid = "", , , , sessionId = ""] = ids.split('"')
  return [invokeid, sessionId]
}
