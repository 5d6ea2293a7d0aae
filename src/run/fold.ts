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
  const draft = new RunBuilder(run)
  for (const line of lines) foldLine(draft, line)
  return draft.done()
}

function foldLine(draft: RunBuilder, line: Decoded): void {
  draft.frames.lines++
  const filled = draft.filling > 0
  if (filled) draft.filling--
  switch (line.kind) {
    case "delta": {
      const epoch = draft.epochIndex
      const identity = identify(draft, line, filled)
      if (identity === "duplicate") {
        draft.frames.duplicate++
        return
      }
      draft.frames.event++
      enter(draft, epoch)
      seeTime(draft, line.ts)
      foldDelta(draft, line, identity === "late")
      return
    }
    case "event":
      foldEvent(draft, line, filled)
      return
    case "phase":
      draft.frames.phase++
      seeTime(draft, line.ts)
      foldPhase(draft, line)
      return
    case "prompt":
      draft.frames.prompt++
      foldPrompt(draft, line)
      return
    case "debug":
      draft.frames.debug++
      draft.debug = line
      draft.branches = withBranch(draft.branches, line.branch, { frame: frameNumber(draft), ts: draft.lastTs })
      if (!line.paused) draft.awaiting = null
      if (draft.attach.beforeFirstEvent) draft.attach = { ...draft.attach, sawDebug: true }
      return
    case "control":
      draft.frames.control++
      if (line.op === "run-finished") foldFinished(draft, line.finalConfig)
      return
    case "progress":
      draft.frames.progress++
      foldProgress(draft, line)
      return
    case "conversation":
      draft.frames.conversation++
      draft.conversations = [...draft.conversations.filter(c => c.invokeid !== line.invokeid), line].slice(
        -CONVERSATIONS_KEPT,
      )
      return
    case "model-catalog":
      draft.frames.modelCatalog++
      draft.catalog = line
      return
    case "answer":
      draft.frames.answer++
      foldAnswer(draft, line)
      return
    case "malformed":
      draft.frames.unread++
      foldUnread(draft, line)
      return
    case "note":
      foldNote(draft, line)
      return
    case "blank":
      return
    default:
      line satisfies never
  }
}

function foldEvent(draft: RunBuilder, frame: EventFrame, filled: boolean): void {
  const epoch = draft.epochIndex
  const identity = identify(draft, frame, filled)
  if (identity === "duplicate") {
    draft.frames.duplicate++
    return
  }
  draft.frames.event++
  enter(draft, epoch)
  seeTime(draft, frame.ts)
  const type = frame.body.type
  let session: number | null = null
  if (type.startsWith("llm/") || type === "adapter/line") session = foldTurn(draft, frame, identity === "late")
  else if (type.startsWith("runner/") || type.startsWith("debug/")) foldRunner(draft, frame)
  else if (type.startsWith("human-input/")) foldHumanInput(draft, frame)
  if (hasRow(frame)) addEventRow(draft, frame, frameNumber(draft), session, identity === "late")
}

/** What the first event of an epoch, and the first of an attachment, change. */
function enter(draft: RunBuilder, epochBefore: number): void {
  if (draft.status === "waiting") draft.status = "running"
  if (draft.epochIndex !== epochBefore && epochBefore >= 0) renew(draft)
  if (draft.attach.beforeFirstEvent) draft.attach = { ...draft.attach, beforeFirstEvent: false }
}

/** What another epoch does not take over. */
function renew(draft: RunBuilder): void {
  forgetPrompts(draft)
  draft.status = "running"
  draft.reason = null
  draft.progress = []
  draft.awaiting = null
  draft.spoke = null
  draft.asked = []
  draft.chart = { ...draft.chart, finalConfig: null, configTs: null, visits: noVisits }
  // What came with a new attachment, before its first event, is of the new epoch.
  if (!draft.attach.beforeFirstEvent || !draft.attach.sawDebug) draft.debug = null
}

function seeTime(draft: RunBuilder, ts: number | null): void {
  if (ts === null) return
  if (draft.firstTs === null || ts < draft.firstTs) draft.firstTs = ts
  if (draft.lastTs === null || ts > draft.lastTs) draft.lastTs = ts
}

function foldUnread(draft: RunBuilder, line: Malformed): void {
  const kept = [...draft.unread, { line: draft.frames.lines, raw: line.raw, length: line.length, why: line.why }]
  let size = kept.reduce((sum, one) => sum + one.raw.length, 0)
  while (size > UNREAD_KEPT && kept.length > 1) size -= kept.shift()?.raw.length ?? 0
  draft.unread = kept.length > 1024 ? kept.slice(-1024) : kept
}

/** Notes carry what the wire does not: when somebody attached, and which op was refused (docs/decisions.md 1.11). */
function foldNote(draft: RunBuilder, note: Note): void {
  if (note.what === "link" && note.data.state === "open") {
    draft.attach = { count: draft.attach.count + 1, beforeFirstEvent: true, sawDebug: false }
  }
  if (note.what === "disk") {
    foldDisk(draft, note)
    return
  }
  if (note.what === "start") {
    if (draft.epochIndex >= 0) renewEpoch(draft)
    return
  }
  const what = ownRow(note)
  if (what === null) return
  if (what.kind === "parser" && draft.complaints.length < COMPLAINTS_KEPT)
    draft.complaints = [...draft.complaints, what]
  const row = { frame: frameNumber(draft), epoch: draft.epochIndex, seq: null, ts: note.at, session: null } as const
  draft.addRow({ ...row, level: "warning", what }, null)
}

/** Rows from the disk follow; or an epoch that only the disk knows is over. */
function foldDisk(draft: RunBuilder, note: Note): void {
  if (note.data.epoch !== true) {
    foldFill(draft, note)
    return
  }
  renewEpoch(draft)
}

/** What follows is of another run, which its numbers need not prove. */
function renewEpoch(draft: RunBuilder): void {
  draft.nextEpoch()
  renew(draft)
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
