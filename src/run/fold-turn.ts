// Folds the events of model turns into sessions: requests, responses, tool results, errors.
import { capturePlaceOf, isSameCapturePlace, replaySourceOf } from "../../packages/wire/src/capture-place.ts"
import type { EventBody } from "../../packages/wire/src/event-body.ts"
import type { EventFrame } from "../../packages/wire/src/frame.ts"
import { billReply, chargeTurn, closeAccounts, nameModel, stateNow } from "./charge.ts"
import { dropStreamedEntries, entriesOf, pushEntries, streamedEntries } from "./event-entries.ts"
import { recordSilence } from "./findings.ts"
import { clearText, isOfEarlierTurn, nextTurnBuffer, replyBuffer, setTokens } from "./fold-delta.ts"
import { foldLate } from "./fold-late.ts"
import { missingInEpoch } from "./identify.ts"
import { isTruncatedReply } from "./log.ts"
import { evictTexts, TURN_BUDGET, textShare } from "./memory/pack-entries.ts"
import { slice } from "./model/chunked-list.ts"
import { amountOf, noAccount } from "./model/ledger.ts"
import { type Entry, noUsage, type Session, type Turn } from "./model/session.ts"
import { activityOf, isOpenActivity } from "./model/tally.ts"
import { noteCacheHabit, noteContextLimit, wholeResponse } from "./model-facts.ts"
import { chargeCall, countCall, pendingCallsIn, takeCall } from "./pending-calls.ts"
import type { RunBuilder } from "./run-builder.ts"
import { findOrAddSession, findSession } from "./session-index.ts"
import { recordFailedTool, recordStage, recordToolStage } from "./stages.ts"
import { addToTurn, endTurn } from "./turn-replies.ts"

/** The open outcome of a turn that has not ended. */
const NO_OUTCOME = {
  stopReason: null,
  exitReason: null,
  error: null,
  usage: noUsage,
  firstLine: null,
}

/** UTF-16 units of a reply's first line that are kept for the live pane. */
const SHOWN = 400

/** Folds an event or line into its session; returns its index, or null. A late one of an earlier turn corrects that. */
export function foldTurn(builder: RunBuilder, frame: EventFrame, late: boolean): number | null {
  const { run } = builder
  const body = frame.body
  const index =
    body.type === "llm/model-policy-empty"
      ? findSession(builder, frame.invokeid, frame.sessionId)
      : findOrAddSession(builder, frame.invokeid, frame.sessionId)
  noteContextLimit(builder, body, late ? null : index)
  if (index === null) return null
  if (late && isOfEarlierTurn(run.turnBuffers[index], frame.seq)) {
    foldLate(builder, index, frame)
    return index
  }
  recordCapturePlace(builder, index, frame)
  if (!late) recordSilence(builder, index, frame.ts, frame.seq)
  recordSessionTime(builder, index, frame.ts)
  const worked = isAtWork(builder, index)
  switch (body.type) {
    case "llm/start":
      startTurn(builder, index, body, frame)
      break
    case "llm/request":
      foldRequest(builder, index, body, frame)
      break
    case "llm/response":
      builder.facts.lastSpeaker = index
      foldResponse(builder, index, body, frame)
      break
    case "llm/error":
    case "llm/model-down":
    case "llm/model-policy-empty":
      foldError(builder, index, frame)
      break
    case "llm/tool-result":
      chargeCall(builder, index, body, frame)
      recordToolStage(builder, index, frame.ts, body.elapsedMs)
      addEntries(builder, index, frame)
      takeCall(builder, index, body.callId)
      if (body.isError) recordFailedTool(builder, index, frame.ts, false)
      countCall(builder, index, "tool-result", body.tool, body.preview ?? "")
      break
    case "llm/worker-exit":
      foldExit(builder, index, body, frame.ts)
      closeAccounts(builder, [index])
      break
    case "llm/user-message":
    case "adapter/line":
      addEntries(builder, index, frame)
      break
    case "llm/context-warning":
      foldContextWarning(builder, index, body.usedFrac)
      break
    case "llm/retry":
      chargeTurn(builder, index, amountOf({ retries: 1 }))
      builder.turn(index).retry = { attempt: body.attempt, max: body.maxRetries, why: body.category }
      break
  }
  if (worked && !isAtWork(builder, index)) builder.facts.lastEnded = index
  billReply(builder, index)
  recordStage(builder, index, frame.ts)
  return index
}

function isAtWork({ run }: RunBuilder, index: number): boolean {
  const [session, buffer] = [run.sessions[index], run.turnBuffers[index]]
  return session !== undefined && buffer !== undefined && isOpenActivity(activityOf(session, buffer))
}

/** Records where the session's turn is captured and whether it is served from a capture. */
function recordCapturePlace(builder: RunBuilder, index: number, frame: EventFrame): void {
  const known = builder.run.sessions[index]
  const place = capturePlaceOf(frame, known?.capturePlace ?? null)
  if (place !== null && !isSameCapturePlace(place, known?.capturePlace ?? null))
    builder.session(index).capturePlace = place
  const source = replaySourceOf(frame)
  if (source !== null && source !== known?.replaySource) builder.session(index).replaySource = source
}

function recordSessionTime(builder: RunBuilder, index: number, ts: number | null): void {
  if (ts === null) return
  const session = builder.session(index)
  if (session.beganTs === null || ts < session.beganTs) session.beganTs = ts
  if (session.lastTs === null || ts > session.lastTs) session.lastTs = ts
}

function startTurn(builder: RunBuilder, index: number, body: EventBody<"llm/start">, frame: EventFrame): void {
  const { run } = builder
  flushStreamedText(builder, index)
  const buffer = builder.turnBuffer(index)
  const session = builder.session(index)
  // A reply that ends without a response is charged for its deltas, even if the start of its turn was not seen.
  builder.turn(index).endTs ??= buffer.lastTs
  billReply(builder, index)
  // A turn that ends without a response keeps its model and its streamed text.
  if (session.turns > 0) endTurn(session, buffer, missingInEpoch(builder.epoch) > 0)
  session.label = body.label ?? session.label
  nextTurnBuffer(builder, index)
  const next = builder.turn(index)
  if (session.turns > 0) Object.assign(next, { account: noAccount, models: null })
  next.startTs = next.requestTs = frame.ts
  next.retry = null
  next.state = stateNow(builder)
  next.startSeq = frame.seq ?? next.startSeq
  nameModel(next, body.model)
  next.captured = replaySourceOf(frame) === "captured"
  session.turns++
  session.pendingCalls = []
  session.askedMs = 0
  session.callsTools = false
  session.replyFrom = session.entries.length
  evictTexts(session, textShare(run))
  Object.assign(session, NO_OUTCOME)
}

function foldRequest(builder: RunBuilder, index: number, body: EventBody<"llm/request">, frame: EventFrame): void {
  const { tokens } = replyBuffer(builder, index)
  const turn = builder.turn(index)
  turn.requestTs ??= frame.ts
  turn.state = stateNow(builder, capturePlaceOf(frame)?.nodeId, turn.state)
  nameModel(turn, body.model)
  setTokens(builder, index, tokens, isCaptured(frame, turn))
  const session = builder.session(index)
  const isNew = body.system !== null && body.system !== session.system
  session.system = body.system ?? session.system
  if (isNew) session.systemOrder = builder.epoch.highest
  const entries = entriesOf(frame, originNow(builder, session))
  pushEntries(session, isNew ? entries : entries.filter(({ type }) => type !== "system"))
}

type Response = EventBody<"llm/response">

function foldResponse(builder: RunBuilder, index: number, told: Response, frame: EventFrame): void {
  const { run } = builder
  // A second response is another reply in the same turn.
  const buffer = replyBuffer(builder, index)
  const turn = builder.turn(index)
  const model = told.model ?? turn.model
  const body = wholeResponse(run, told, model)
  noteCacheHabit(builder, told, model)
  const session = builder.session(index)
  if (body.content === null) flushStreamedText(builder, index)
  else {
    dropStreamedEntries(session)
    clearText(buffer, run.options.strategy)
    pushEntries(session, entriesOf(frame, originNow(builder, session)))
    for (const block of body.content) {
      if (block.type === "tool-call") countCall(builder, index, block.type, block.name, block.input)
    }
  }
  const { input, output } = body.usage
  if (output !== null) turn.hasReportedTokens = true
  setTokens(builder, index, output ?? buffer.tokens, isCaptured(frame, turn))
  turn.tps = body.outputTps
  turn.replied = true
  turn.endTs = frame.ts
  turn.counts = { ...body.usage, ...body.counts }
  turn.reported = body.dollars
  turn.status = "done"
  nameModel(turn, model)
  turn.retry = null
  // The summed input of several replies says nothing of the context.
  if (!body.counts.summed && input !== null)
    session.inputs = { latest: input, before: session.inputs.latest, warned: null }
  session.usage = body.counts.summed ? noUsage : body.usage
  const failed = (body.content ?? []).filter(block => block.type === "tool-result" && block.isError).length
  addToTurn(session, buffer, body, failed, body.counts.summed)
  if (failed > 0) recordFailedTool(builder, index, frame.ts, true)
  const calls = pendingCallsIn(body.content ?? [], frame.ts)
  session.pendingCalls = body.counts.requests === 0 ? [...session.pendingCalls, ...calls] : calls
  session.callsTools = session.pendingCalls.length > 0
  session.firstLine = firstLineOf(slice(session.entries, session.replyFrom, session.entries.length))
  session.replyFrom = session.entries.length
  if (session.heldUnits > TURN_BUDGET) evictTexts(session, textShare(run))
  session.stopReason = body.stopReason
}

/** True if the turn of this event is served from a capture, as the event says, else as the turn so far. */
function isCaptured(frame: EventFrame, { captured }: Turn): boolean {
  const source = replaySourceOf(frame)
  return source === null ? captured : source === "captured"
}

/** The first line of the text that is no heading, else the heading. */
function firstLineOf(entries: readonly Entry[]): string | null {
  const texts = entries.flatMap(({ type, text }) => (type === "text" ? text.map(part => part.slice(0, SHOWN)) : []))
  const text = texts.join("\n")
  return (/^(?!#).*\S.*$/m.exec(text) ?? /^.*\S.*$/m.exec(text))?.[0] ?? null
}

function foldError(builder: RunBuilder, index: number, frame: EventFrame): void {
  const entries = addEntries(builder, index, frame)
  const turn = builder.turn(index)
  turn.status = "error"
  if (!turn.replied) turn.endTs = frame.ts
  const session = builder.session(index)
  session.error ??= entries.flatMap(({ text }) => text).join("")
}

/** Adds the entries of an event after the text streamed before it. */
function addEntries(builder: RunBuilder, index: number, frame: EventFrame): readonly Entry[] {
  flushStreamedText(builder, index)
  const session = builder.session(index)
  const entries = entriesOf(frame, originNow(builder, session))
  pushEntries(session, entries)
  return entries
}

function foldExit(
  builder: RunBuilder,
  index: number,
  { reason, isError }: EventBody<"llm/worker-exit">,
  ts: number | null,
): void {
  flushStreamedText(builder, index)
  const turn = builder.turn(index)
  turn.endTs ??= ts
  if (turn.status !== "error") turn.status = isError ? "error" : "done"
  const session = builder.session(index)
  session.exitReason = reason
  if (!isError || session.error !== null) return
  // The worker exits with an error because its reply was refused: that says more.
  session.error = isTruncatedReply(session.stopReason) ? session.stopReason : (reason ?? "it failed")
}

function foldContextWarning(builder: RunBuilder, index: number, usedFrac: number | null): void {
  const session = builder.session(index)
  session.contextUsed = usedFrac
  session.inputs = { ...session.inputs, warned: usedFrac }
}

function originNow({ frames, epoch }: RunBuilder, { turns }: Session): Pick<Entry, "turn" | "line" | "order"> {
  return { turn: turns, line: frames.lines - 1, order: epoch.highest }
}

/** Moves the streamed text to the entries, so that later entries follow it. */
function flushStreamedText(builder: RunBuilder, index: number): void {
  const { run } = builder
  const buffer = run.turnBuffers[index]
  if (buffer === undefined) return
  const session = builder.session(index)
  const entries = streamedEntries(buffer, originNow(builder, session))
  if (entries.length === 0) return
  pushEntries(session, entries)
  clearText(builder.turnBuffer(index), run.options.strategy)
}
