// Folds our own bookkeeping lines (docs/decisions.md 1.11): attachments, refused ops, breakpoint
// hits, rows from disk; begins epochs.
import type { Note } from "../../packages/wire/src/frame.ts"
import { sanitizeLine } from "../../packages/wire/src/sanitize.ts"
import { closeAccounts } from "./charge.ts"
import { endGreeting } from "./fold-human-input.ts"
import { forgetPrompts, seekStarts } from "./fold-prompts.ts"
import { addOwnRow } from "./log.ts"
import type { BreakpointStop, DiskFill, FailedOp, ParserWarning } from "./model/row.ts"
import { activeStates, noVisits } from "./model/visits.ts"
import type { RunBuilder } from "./run-builder.ts"
import { endPersonWaits } from "./stages.ts"

/** Maximum number of parser warnings kept beside their log rows. */
const PARSER_WARNINGS_KEPT = 64

/** The most events in a greeting (docs/contract.md section 2). */
const GREETING = 256

/** Folds a note of our own: an attachment, a fill from disk, a start. */
export function foldNote(builder: RunBuilder, note: Note): void {
  const { run } = builder
  switch (note.what) {
    case "link":
      if (note.data.state === "greeted") endGreeting(builder)
      else foldLink(builder, note)
      return
    case "disk":
      if (note.data.epoch === true) beginEpoch(builder)
      else foldDiskFill(builder, note)
      return
    case "guest":
      run.guest = { ...run.guest, parser: parserIn(note) }
      return
    case "start":
      if (builder.epochIndex >= 0) beginEpoch(builder)
      return
  }
  const what = noteSubject(note)
  if (what === null) return
  if (what.kind === "parser" && run.guest.warnings.length < PARSER_WARNINGS_KEPT)
    run.guest = { ...run.guest, warnings: [...run.guest.warnings, what] }
  addOwnRow(builder, { ts: note.at, level: "warning", what })
}

function parserIn({ data: { parser } }: Note): string | null {
  return typeof parser === "string" ? sanitizeLine(parser) || null : null
}

/** The connection was lost or opened. Adds a row, except for the first opening and after the end of the run. */
function foldLink(builder: RunBuilder, { at: ts, data }: Note): void {
  const { run, frames } = builder
  const { attachment } = run
  const isOn = run.status === "running" || run.status === "waiting"
  if (data.state === "lost" && isOn && !attachment.isLost && attachment.count > 0) {
    addOwnRow(builder, { ts, level: "warning", what: { kind: "connection", why: "lost" } })
    run.attachment = { ...attachment, isLost: true }
  }
  if (data.state !== "open") return
  if (attachment.isLost) addOwnRow(builder, { ts, level: "info", what: { kind: "connection", why: "connected again" } })
  const { lines: line } = frames
  const fresh = { beforeFirstEvent: true, debug: null, isLost: false } as const
  run.attachment = { count: attachment.count + 1, at: ts, line, greeting: GREETING + 1, ...fresh }
  seekStarts(builder)
}

/** The words of the log row of this note; null if it has no row. */
function noteSubject({ what, data }: Note): FailedOp | BreakpointStop | ParserWarning | null {
  const word = (key: string) => (typeof data[key] === "string" ? sanitizeLine(data[key]) : "?")
  switch (what) {
    case "refused":
    case "timed-out":
      return { kind: what, op: word("op"), why: word("why") }
    case "breakpoint":
      return { kind: what, condition: word("condition"), who: word("who"), outcome: word("outcome") }
    case "parser":
      return { kind: what, why: word("why") }
    default:
      return null
  }
}

/** Logs that rows from disk follow, and marks the next lines as such. */
function foldDiskFill(builder: RunBuilder, note: Note): void {
  const { run } = builder
  const what: DiskFill = {
    kind: "disk",
    restarted: note.data.restarted === true,
    rows: rowCountOf(note) + countOf(note.data.more),
    absent: countOf(note.data.absent),
    approximate: note.data.approximate === true,
  }
  run.disk = { ...run.disk, linesAhead: rowCountOf(note) }
  if (note.data.continues === true) return
  if (builder.epochIndex < 0) run.disk = { ...run.disk, epochs: countOf(note.data.earlier) }
  const level = what.absent > 0 || what.approximate || what.restarted ? "warning" : "info"
  addOwnRow(builder, { ts: note.at, level, what })
}

/** How many lines after this note come from disk. */
export function rowCountOf({ data }: Note): number {
  return countOf(data.rows)
}

function countOf(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value > 0 ? value : 0
}

/** Begins an epoch although no number proves it: a note says that another run follows. */
function beginEpoch(builder: RunBuilder): void {
  builder.nextEpoch()
  resetForEpoch(builder)
}

/** Drops the state that the new epoch does not take over. */
export function resetForEpoch(builder: RunBuilder): void {
  const { run, facts } = builder
  forgetPrompts(builder)
  run.status = "running"
  run.reason = null
  facts.progress = []
  run.awaiting = null
  facts.lastSpeaker = null
  endPersonWaits(builder, run.personWaits, null)
  closeAccounts(builder)
  facts.earlierStates = [...new Set([...facts.earlierStates, ...activeStates(run.chart.visits)])]
  run.chart = { ...run.chart, finalConfig: null, configTs: null, visits: noVisits }
  // Another run of the same agent keeps its debugger. A new attachment may have reached another agent, so only frames
  // since the attachment count.
  if (run.attachment.beforeFirstEvent) run.debug = run.attachment.debug
}
