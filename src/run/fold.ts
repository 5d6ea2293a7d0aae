import type { Decoded, DeltaFrame, EventFrame, Malformed, ProgressFrame } from "../../packages/wire/src/frame.ts"
import { recordFindings } from "./findings.ts"
import { foldFinished, foldPhase, foldRunner } from "./fold-chart.ts"
import { foldDelta } from "./fold-delta.ts"
import { endGreeting, foldHumanInput } from "./fold-human-input.ts"
import { foldNote, resetForEpoch } from "./fold-note.ts"
import { foldAnswer, foldPrompt } from "./fold-prompts.ts"
import { foldTurn } from "./fold-turn.ts"
import { foldUsage } from "./fold-usage.ts"
import { type Identity, identify } from "./identify.ts"
import { addEventRow, hasRow, isOfSession } from "./log.ts"
import { withBranch } from "./model/branches.ts"
import { toldBy } from "./model/held.ts"
import { frameNumber, type Run } from "./model/run.ts"
import { RunBuilder } from "./run-builder.ts"

/** Malformed lines are kept up to this many, and up to this many UTF-16 units in all; the oldest are dropped. */
const MALFORMED_KEPT = 1024
const MALFORMED_UNITS = 65_536
/** Maximum number of conversations and of progress bars kept, one per invokeid. */
const CONVERSATIONS_KEPT = 64
const PROGRESS_KEPT = 256

/** The run after `lines`, however they are batched. Pure. A repeated frame only increases the count of duplicates. */
export function fold(run: Run, lines: readonly Decoded[]): Run {
  if (lines.length === 0) return run
  const builder = new RunBuilder(run)
  for (const line of lines) foldLine(builder, line)
  return builder.done()
}

function foldLine(builder: RunBuilder, line: Decoded): void {
  const { run, facts, frames } = builder
  frames.lines++
  const fromDisk = run.disk.linesAhead > 0
  if (fromDisk) run.disk = { ...run.disk, linesAhead: run.disk.linesAhead - 1 }
  switch (line.kind) {
    case "delta":
    case "event": {
      const identity = countEvent(builder, line, fromDisk)
      if (identity === "duplicate") return
      if (line.kind === "delta") foldDelta(builder, line, identity === "late")
      else foldEvent(builder, line, identity === "late")
      return
    }
    case "phase":
      frames.phase++
      recordTime(builder, line.ts)
      foldPhase(builder, line)
      return
    case "prompt":
      frames.prompt++
      foldPrompt(builder, line)
      return
    case "debug":
      frames.debug++
      run.debug = toldBy(line, run.debug)
      facts.branches = withBranch(facts.branches, line.branch ?? null, { frame: frameNumber(run), ts: run.lastTs })
      if (line.paused === false) run.awaiting = null
      if (run.attachment.beforeFirstEvent)
        run.attachment = { ...run.attachment, debug: toldBy(line, run.attachment.debug) }
      return
    case "control":
      frames.control++
      if (line.op === "run-finished") foldFinished(builder, line.finalConfig)
      return
    case "progress":
      frames.progress++
      foldProgress(builder, line)
      return
    case "conversation": {
      frames.conversation++
      const others = facts.conversations.filter(one => one.invokeid !== line.invokeid)
      facts.conversations = [...others, line].slice(-CONVERSATIONS_KEPT)
      return
    }
    case "model-catalog":
      frames.modelCatalog++
      run.models = { ...run.models, catalog: line }
      return
    case "answer":
      frames.answer++
      foldAnswer(builder, line)
      return
    case "malformed":
      frames.malformed++
      foldMalformed(builder, line)
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

/** Counts a numbered frame and, unless it is a duplicate, applies the changes that every event makes. */
function countEvent(builder: RunBuilder, frame: DeltaFrame | EventFrame, fromDisk: boolean): Identity {
  const { run, frames } = builder
  if (run.attachment.greeting > 0 && !fromDisk) passGreeting(builder)
  const epochBefore = builder.epochIndex
  const identity = identify(builder, frame, fromDisk)
  if (identity === "duplicate") {
    frames.duplicate++
    // A repeated event also tells which run this is.
    if (run.attachment.beforeFirstEvent) run.attachment = { ...run.attachment, beforeFirstEvent: false }
    return identity
  }
  frames.event++
  if (run.status === "waiting") run.status = "running"
  if (builder.epochIndex !== epochBefore && epochBefore >= 0) resetForEpoch(builder)
  if (run.attachment.beforeFirstEvent) run.attachment = { ...run.attachment, beforeFirstEvent: false }
  recordTime(builder, frame.ts)
  return identity
}

/** Counts an event that the greeting may contain; it contains no more than the hub keeps. */
function passGreeting(builder: RunBuilder): void {
  const { attachment } = builder.run
  if (attachment.greeting === 1) endGreeting(builder)
  else builder.run.attachment = { ...attachment, greeting: attachment.greeting - 1 }
}

function foldEvent(builder: RunBuilder, frame: EventFrame, late: boolean): void {
  const { type } = frame.body
  let session: number | null = null
  if (type === "llm/usage") session = foldUsage(builder, frame)
  else if (isOfSession(frame.body)) session = foldTurn(builder, frame, late)
  else if (type.startsWith("runner/") || type.startsWith("debug/")) foldRunner(builder, frame)
  else if (type.startsWith("human-input/")) foldHumanInput(builder, frame)
  if (hasRow(frame)) addEventRow(builder, frame, session, late)
  recordFindings(builder, frame, session, late)
}

function recordTime({ run }: RunBuilder, ts: number | null): void {
  if (ts === null) return
  if (run.firstTs === null || ts < run.firstTs) run.firstTs = ts
  if (run.lastTs === null || ts > run.lastTs) run.lastTs = ts
}

function foldMalformed(builder: RunBuilder, { raw, length, why }: Malformed): void {
  const kept = [...builder.malformed, { line: builder.frames.lines, raw, length, why }]
  let units = kept.reduce((sum, one) => sum + one.raw.length, 0)
  while (units > MALFORMED_UNITS) units -= kept.shift()?.raw.length ?? 0
  builder.malformed = kept.slice(-MALFORMED_KEPT)
}

/** Keeps the latest progress of each invokeid until it ends. It never creates an invocation (docs/decisions.md 1.7). */
function foldProgress({ facts }: RunBuilder, frame: ProgressFrame): void {
  const known = facts.progress.find(one => one.invokeid === frame.invokeid)
  const others = facts.progress.filter(one => one.invokeid !== frame.invokeid)
  if (frame.phase === "end") {
    facts.progress = others
    return
  }
  const { invokeid } = frame
  const label = frame.label ?? known?.label ?? null
  const fraction = frame.fraction ?? known?.fraction ?? null
  facts.progress = [...others.slice(1 - PROGRESS_KEPT), { invokeid, label, fraction }]
}
