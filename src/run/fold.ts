import type { Decoded, EventFrame, Malformed, Note } from "../protocol/frame.ts"
import { sanitizeLine } from "../protocol/sanitize.ts"
import { foldFinished, foldPhase, foldRunner } from "./chart.ts"
import { foldDelta } from "./fold-delta.ts"
import { foldFill } from "./fold-disk-note.ts"
import { foldTurn } from "./fold-turn.ts"
import { identify } from "./identify.ts"
import { addEventRow, hasRow } from "./log.ts"
import { withBranch } from "./model/branches.ts"
import type { BreakpointStop, FailedOp, ParserWarning } from "./model/row.ts"
import { frameNumber, type Run } from "./model/run.ts"
import { noVisits } from "./model/visits.ts"
import { foldProgress } from "./progress.ts"
import { foldAnswer, foldHumanInput, foldPrompt, forgetPrompts } from "./prompts.ts"
import { RunBuilder } from "./run-builder.ts"

/** Characters of unread lines that are kept in all; older ones make room. */
const UNREAD_KEPT = 65_536
/** Complaints that are kept beside their rows in the log. */
const COMPLAINTS_KEPT = 64
/** Conversations that are kept, one for each invokeid that was asked about. */
const CONVERSATIONS_KEPT = 64

/**
 * The run after `lines`. Pure, and indifferent to how a recording is cut into batches; a batch copies each record that
 * it touches once. A repeated frame changes nothing but the count of duplicates.
 */
export function fold(run: Run, lines: readonly Decoded[]): Run {
  if (lines.length === 0) return run
  const builder = new RunBuilder(run)
  for (const line of lines) foldLine(builder, line)
  return builder.done()
}

function foldLine(builder: RunBuilder, line: Decoded): void {
  builder.frames.lines++
  const filled = builder.run.diskLinesAhead > 0
  if (filled) builder.run.diskLinesAhead--
  switch (line.kind) {
    case "delta": {
      const epoch = builder.epochIndex
      const identity = identify(builder, line, filled)
      if (identity === "duplicate") {
        builder.frames.duplicate++
        return
      }
      builder.frames.event++
      enter(builder, epoch)
      seeTime(builder, line.ts)
      foldDelta(builder, line, identity === "late")
      return
    }
    case "event":
      foldEvent(builder, line, filled)
      return
    case "phase":
      builder.frames.phase++
      seeTime(builder, line.ts)
      foldPhase(builder, line)
      return
    case "prompt":
      builder.frames.prompt++
      foldPrompt(builder, line)
      return
    case "debug":
      builder.frames.debug++
      builder.run.debug = line
      builder.run.branches = withBranch(builder.run.branches, line.branch, {
        frame: frameNumber(builder.run),
        ts: builder.run.lastTs,
      })
      if (!line.paused) builder.run.awaiting = null
      if (builder.run.attachment.beforeFirstEvent)
        builder.run.attachment = { ...builder.run.attachment, sawDebug: true }
      return
    case "control":
      builder.frames.control++
      if (line.op === "run-finished") foldFinished(builder, line.finalConfig)
      return
    case "progress":
      builder.frames.progress++
      foldProgress(builder, line)
      return
    case "conversation":
      builder.frames.conversation++
      builder.run.conversations = [...builder.run.conversations.filter(c => c.invokeid !== line.invokeid), line].slice(
        -CONVERSATIONS_KEPT,
      )
      return
    case "model-catalog":
      builder.frames.modelCatalog++
      builder.run.catalog = line
      return
    case "answer":
      builder.frames.answer++
      foldAnswer(builder, line)
      return
    case "malformed":
      builder.frames.unread++
      foldUnread(builder, line)
      return
    case "note":
      foldNote(builder, line)
      return
    case "blank":
      return
    default:
      line satisfies never
  }
}

function foldEvent(builder: RunBuilder, frame: EventFrame, filled: boolean): void {
  const epoch = builder.epochIndex
  const identity = identify(builder, frame, filled)
  if (identity === "duplicate") {
    builder.frames.duplicate++
    return
  }
  builder.frames.event++
  enter(builder, epoch)
  seeTime(builder, frame.ts)
  const type = frame.body.type
  let session: number | null = null
  if (type.startsWith("llm/") || type === "adapter/line") session = foldTurn(builder, frame, identity === "late")
  else if (type.startsWith("runner/") || type.startsWith("debug/")) foldRunner(builder, frame)
  else if (type.startsWith("human-input/")) foldHumanInput(builder, frame)
  if (hasRow(frame)) addEventRow(builder, frame, frameNumber(builder.run), session, identity === "late")
}

/** What the first event of an epoch, and the first of an attachment, change. */
function enter(builder: RunBuilder, epochBefore: number): void {
  if (builder.run.status === "waiting") builder.run.status = "running"
  if (builder.epochIndex !== epochBefore && epochBefore >= 0) renew(builder)
  if (builder.run.attachment.beforeFirstEvent)
    builder.run.attachment = { ...builder.run.attachment, beforeFirstEvent: false }
}

/** What another epoch does not take over. */
function renew(builder: RunBuilder): void {
  forgetPrompts(builder)
  builder.run.status = "running"
  builder.run.reason = null
  builder.run.progress = []
  builder.run.awaiting = null
  builder.run.lastSpeaker = null
  builder.run.askingSessions = []
  builder.run.chart = { ...builder.run.chart, finalConfig: null, configTs: null, visits: noVisits }
  // What came with a new attachment, before its first event, is of the new epoch.
  if (!builder.run.attachment.beforeFirstEvent || !builder.run.attachment.sawDebug) builder.run.debug = null
}

function seeTime(builder: RunBuilder, ts: number | null): void {
  if (ts === null) return
  if (builder.run.firstTs === null || ts < builder.run.firstTs) builder.run.firstTs = ts
  if (builder.run.lastTs === null || ts > builder.run.lastTs) builder.run.lastTs = ts
}

function foldUnread(builder: RunBuilder, line: Malformed): void {
  const kept = [
    ...builder.run.malformed,
    { line: builder.frames.lines, raw: line.raw, length: line.length, why: line.why },
  ]
  let size = kept.reduce((sum, one) => sum + one.raw.length, 0)
  while (size > UNREAD_KEPT && kept.length > 1) size -= kept.shift()?.raw.length ?? 0
  builder.run.malformed = kept.length > 1024 ? kept.slice(-1024) : kept
}

/** Notes carry what the wire does not: when somebody attached, and which op was refused (docs/decisions.md 1.11). */
function foldNote(builder: RunBuilder, note: Note): void {
  if (note.what === "link" && note.data.state === "open") {
    builder.run.attachment = { count: builder.run.attachment.count + 1, beforeFirstEvent: true, sawDebug: false }
  }
  if (note.what === "disk") {
    foldDisk(builder, note)
    return
  }
  if (note.what === "start") {
    if (builder.epochIndex >= 0) renewEpoch(builder)
    return
  }
  const what = ownRow(note)
  if (what === null) return
  if (what.kind === "parser" && builder.run.parserWarnings.length < COMPLAINTS_KEPT)
    builder.run.parserWarnings = [...builder.run.parserWarnings, what]
  const row = {
    frame: frameNumber(builder.run),
    epoch: builder.epochIndex,
    seq: null,
    ts: note.at,
    session: null,
  } as const
  builder.addRow({ ...row, level: "warning", what }, null)
}

/** Rows from the disk follow; or an epoch that only the disk knows is over. */
function foldDisk(builder: RunBuilder, note: Note): void {
  if (note.data.epoch !== true) {
    foldFill(builder, note)
    return
  }
  renewEpoch(builder)
}

/** What follows is of another run, which its numbers need not prove. */
function renewEpoch(builder: RunBuilder): void {
  builder.nextEpoch()
  renew(builder)
}

/** What the log shows of a note; null where it shows nothing. */
function ownRow({ what, data }: Note): FailedOp | BreakpointStop | ParserWarning | null {
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
