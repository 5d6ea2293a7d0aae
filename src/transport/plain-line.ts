// Reads a line of a recording at its usual places, so that most lines need not be decoded.
import type { SourceLine } from "../../packages/wire/src/files/line-splitter.ts"
import { sanitize } from "../../packages/wire/src/sanitize.ts"

/** Where agents write an event's name: before all that may be long. */
const NAMED = /^\{(?:"kind":"event",)?"seq":\d{1,15},"ts":\d{1,15},"event":"([^"\\]*)",/

/**
 * A delta or a turn's start, as agents write it: number, time, name, and ids as they stand there. A delta's text comes
 * before its ids, or after them, where more may follow it; it is taken if it is printable ASCII without escapes.
 */
const PLAIN =
  /^\{"kind":"event","seq":(\d{1,15}),"ts":(\d{1,15}),"event":"llm\/(?:start|(delta))",(?:"transcript\/[a-z-]+":(?:\d+|"[^"\\]*"),)*"data":\{(?:"type":"(text|thinking)-delta","text":"(?:([ !#-[\]-~]*)|(?:[^"\\]|\\.)*)"(?:,"model":"[^"\\]*")?,)?("invokeid":"[^"\\]*","session-id":"[^"\\]*")(?:,"type":"(text|thinking)-delta","text":"(?:([ !#-[\]-~]*)"\}\}\r?$)?|(?:,"model":"[^"\\]*")?(?:,"usage":\{"output-tokens":\d{1,15}\})?\}\}\r?$)/

/** A delta or a turn's start that was not decoded. */
export interface PlainLine {
  readonly seq: number
  /** Its time, its invokeid and its session id as they stand in the line. */
  readonly ts: string
  readonly ids: string
  /** What a delta adds to; null for a turn's start. */
  readonly adds: "text" | "thinking" | null
  /** The text of a delta; null if it must be decoded, or if more follows. */
  readonly text: string | null
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
  // By index, which is far faster than by a pattern.
  const [early, late] = [found[4], found[7]]
  const kind = early ?? late
  if ((found[3] === undefined) !== (kind === undefined) || (early !== undefined && late !== undefined)) return null
  const adds = kind === undefined ? null : kind === "thinking" ? kind : "text"
  const text = found[5] ?? found[8] ?? null
  return { seq: Number(found[1]), ts: found[2] ?? "", ids: found[6] ?? "", adds, text }
}

/** The invokeid and the session id in `ids`. */
export function idsOf(ids: string): readonly [invokeid: string, sessionId: string] {
  const [, , , invokeid = "", , , , sessionId = ""] = ids.split('"')
  return [invokeid, sessionId]
}
