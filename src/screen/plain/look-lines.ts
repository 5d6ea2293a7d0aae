// Looks back in a run for plain lines: its last errors, its last reply, its sessions, and who writes now.
import { jump } from "../../query/jump.ts"
import { at } from "../../run/model/chunked-list.ts"
import { eventTypeOf } from "../../run/model/row.ts"
import type { Row, Run } from "../../run/model/run.ts"
import { isAtWork, usageOf } from "../../run/select/figures.ts"
import { counted } from "../../ui/text-width.ts"
import type { LineStyle } from "./line-style.ts"

/** As many errors as are read aloud without tiring. */
const ERRORS = 10
/** Sessions that are listed; the others are counted. */
const SESSIONS = 50
/** Writers that are named; more are counted. */
const WRITERS = 3

/** The last errors of the log, oldest first. */
export function lastErrors(run: Run): readonly Row[] {
  const found: Row[] = []
  let index = jump(run, "error", -1, run.log.rows.length)
  while (index !== null && found.length < ERRORS) {
    const row = at(run.log.rows, index)
    if (row !== undefined) found.push(row)
    index = jump(run, "error", -1, index)
  }
  return found.reverse()
}

/** The last reply that may have a text; none before the first. */
export function lastReply(run: Run): readonly Row[] {
  for (let index = run.log.rows.length - 1; index >= 0; index--) {
    const row = at(run.log.rows, index)
    if (row !== undefined && isReply(row)) return [row]
  }
  return []
}

/** A reply that only calls tools says nothing; what has left memory may. */
function isReply(row: Row): boolean {
  const { what } = row
  if (what.kind !== "event" || what.body.type !== "llm/response") return eventTypeOf(row) === "llm/response"
  return what.body.content?.some(block => block.type === "text") === true
}

/** Each session of the run with its state and tokens: those that are latest, where there are many. */
export function sessionLines(run: Run, style: LineStyle): readonly string[] {
  const first = Math.max(0, run.sessions.length - SESSIONS)
  const lines = run.sessions.slice(first).flatMap((session, i) => {
    const buffer = run.turnBuffers[first + i]
    if (buffer === undefined) return []
    const tokens = usageOf(session, buffer).output
    const spent = tokens === null ? "" : `, ${counted(tokens, "token")}`
    return [`${style.name(run, first + i)}: ${buffer.turn.status}${spent}`]
  })
  if (lines.length === 0) return ["no session yet"]
  return first === 0 ? lines : [`${counted(first, "earlier session")}, and:`, ...lines]
}

/** Who writes a reply at this moment, and how much so far; null if nobody does. */
export function writingLine(run: Run, style: LineStyle): string | null {
  const writers = run.turnBuffers.flatMap((buffer, index) => {
    const writes = buffer.turn.status === "streaming" && isAtWork(run, index)
    return writes ? [{ index, tokens: buffer.tokens }] : []
  })
  if (writers.length === 0) return null
  if (writers.length > WRITERS) {
    const sum = writers.reduce((all, { tokens }) => all + tokens, 0)
    return `${writers.length} sessions are writing, ${counted(sum, "token")}`
  }
  return writers
    .map(({ index, tokens }) => `${style.name(run, index)} is writing, ${counted(tokens, "token")}`)
    .join("; ")
}
