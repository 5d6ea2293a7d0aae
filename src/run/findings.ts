// Notes what an event shows to be wrong: errors, failed tools, repeated calls, retries, cut replies, silence, growth.
import type { EventBody } from "../protocol/event-body.ts"
import type { EventFrame } from "../protocol/frame.ts"
import { isTruncatedReply } from "./log.ts"
import { at, type ChunkedList, firstIndexWhere } from "./model/chunked-list.ts"
import { type Finding, type FindingKind, withFinding } from "./model/finding.ts"
import { isHeld } from "./model/held.ts"
import { contextLimitOf } from "./model/prices.ts"
import { eventTypeOf } from "./model/row.ts"
import { frameNumber, type Row } from "./model/run.ts"
import type { Session, TurnBuffer } from "./model/session.ts"
import type { RunBuilder } from "./run-builder.ts"

/** UTF-16 units of a text that a finding quotes. */
const QUOTED = 400
/** Number of the latest rows among which a session's latest tool result is searched. */
const ROWS_BACK = 256
/** A turn's input grows notably only by more than this many tokens. */
const NOTABLE_GROWTH = 4000

/** Notes what an event shows, once it is folded and has its row. `late` as in `fold`: its turn may be another one. */
export function recordFindings(builder: RunBuilder, frame: EventFrame, index: number | null, late: boolean): void {
  const session = index === null ? undefined : builder.run.sessions[index]
  const about = { builder, frame, index, turn: session === undefined || late ? null : session.turns }
  const { limits } = builder.run
  const { body } = frame
  const error = errorWords(body)
  if (error !== null) note(about, "error", error)
  if (session === undefined || late) return
  switch (body.type) {
    case "llm/worker-exit":
      if (body.isError && !isExplained(about)) note(about, "error", body.reason ?? "the session failed")
      break
    case "llm/tool-result":
      if (session.repeat?.by === "tool-result") noteRepeat(about, session)
      break
    case "llm/retry": {
      const { attempt, maxRetries, category } = body
      const why = `retry ${attempt} of ${maxRetries ?? "?"}: ${category ?? "no reason given"}`
      if (attempt !== null && attempt >= limits.retries) note(about, "retries", why)
      break
    }
    case "llm/context-warning": {
      const { usedFrac } = body
      const used = usedFrac === null ? "nearly" : `${Math.round(usedFrac * 100)}%`
      if (usedFrac === null || usedFrac >= limits.context) note(about, "context", `context ${used} full`, "")
      break
    }
    case "llm/response":
      noteReply(about, session, body)
      break
  }
}

/** What failed, for an event that reports an error by itself; null for any other. */
function errorWords(body: EventBody): string | null {
  switch (body.type) {
    case "llm/error":
    case "runner/error":
    case "human-input/error":
      return body.message ?? body.type
    case "runner/aborted":
      return `aborted: ${body.reason ?? "no reason given"}`
    case "llm/model-down":
      return `${body.model ?? "the model"} is unavailable: ${body.message ?? body.category ?? "no reason given"}`
    case "llm/model-policy-empty":
      return `no model left in policy ${body.policy ?? "?"}`
    case "adapter/line":
      return body.isError ? body.text : null
    default:
      return null
  }
}

interface About {
  readonly builder: RunBuilder
  readonly frame: EventFrame
  readonly index: number | null
  readonly turn: number | null
}

/** Adds a finding at the current line. By default a turn has one of each kind, the latest. */
function note({ builder, frame, index, turn }: About, kind: FindingKind, text: string, about = `${turn}`): void {
  const place = placeNow(builder, frame.seq, frame.ts)
  add(builder, { kind, session: index, turn, why: quoted(text), about, since: builder.run.lastTs, place })
}

function add({ run }: RunBuilder, finding: Finding): void {
  run.findings = withFinding(run.findings, finding)
}

function placeNow({ run, frames, epochIndex }: RunBuilder, seq: number | null, ts: number | null): Finding["place"] {
  return { frame: frameNumber(run), epoch: epochIndex, seq, line: frames.lines - 1, ts }
}

/** True if the session's turn has a finding that says more than how its worker ended. */
function isExplained({ builder, index, turn }: About): boolean {
  const said: readonly FindingKind[] = ["error", "truncated", "refused"]
  const isOwn = (one: Finding): boolean => one.session === index && one.turn === turn && said.includes(one.kind)
  return builder.run.findings.list.some(isOwn)
}

function noteReply(about: About, session: Session, body: EventBody<"llm/response">): void {
  const { stopReason } = body
  if (stopReason === "refusal") note(about, "refused", "the model refused to answer")
  else if (isTruncatedReply(stopReason)) note(about, "truncated", "the reply ended at the token limit")
  const calls = (body.content ?? []).some(block => block.type === "tool-call")
  if (calls) noteRepeat(about, session)
  else if (body.counts.requests > 0) noteFailedTool(about, session)
  if (body.counts.summed) return
  noteGrowth(about, session, body)
  noteContext(about, body)
}

/** How full the context is, where the model's limit is known. */
function noteContext(about: About, { usage }: EventBody<"llm/response">): void {
  const { run } = about.builder
  const limit = contextLimitOf(run, run.turnBuffers[about.index ?? -1]?.model ?? null)?.tokens ?? null
  if (limit === null || usage.input === null || usage.input / limit < run.limits.context) return
  note(about, "context", `context ${Math.round((100 * usage.input) / limit)}% full`, "")
}

/** The same call again and again, or the same result where the agent reports no calls. */
function noteRepeat(about: About, { repeat }: Session): void {
  if (repeat === null || repeat.count < about.builder.run.limits.repeats) return
  const call = `${repeat.name ?? "?"} ${repeat.text.slice(0, QUOTED)}`
  const { builder, frame, index, turn } = about
  const { since, count } = repeat
  const why = quoted(`the same call ${count} times in a row: ${call}`)
  const place = placeNow(builder, frame.seq, frame.ts)
  add(builder, { kind: "repeat", session: index, turn, why, about: `${since} ${call}`, since, place })
}

/** A reply without a call, after the latest tool had failed: the failure was left as it is. */
function noteFailedTool(about: About, session: Session): void {
  if (session.failedTools === 0) return
  const { builder, index } = about
  const row = latestResult(builder.rows, index)
  const body = row?.what.kind === "event" ? row.what.body : null
  if (row === undefined || body?.type !== "llm/tool-result" || !body.isError) return
  const result = body.preview === null ? "" : `: ${body.preview}`
  const why = quoted(`${body.tool ?? "a tool"} failed, and nothing was called after it${result}`)
  const place = placeOf(row)
  const entry = firstIndexWhere(session.entries, one => one.order >= row.order)
  const turn = at(session.entries, entry)?.turn ?? about.turn
  add(builder, { kind: "failed-tool", session: index, turn, why, about: `${place.line}`, since: place.ts, place })
}

function latestResult(rows: ChunkedList<Row>, session: number | null): Row | undefined {
  for (let i = rows.length - 1; i >= Math.max(0, rows.length - ROWS_BACK); i--) {
    const row = at(rows, i)
    if (row?.session === session && eventTypeOf(row) === "llm/tool-result") return row
  }
  return undefined
}

function placeOf({ frame, epoch, seq, line, ts }: Row): Finding["place"] {
  return { frame, epoch, seq, line, ts }
}

function noteGrowth(about: About, { replies, turns }: Session, { usage }: EventBody<"llm/response">): void {
  const earlier = [1, 2].map(back => at(replies, replies.length - back)).find(reply => reply?.turn === turns - 1)
  const [before, now] = [earlier?.usage.input ?? null, usage.input]
  if (before === null || now === null || now - before < NOTABLE_GROWTH) return
  if (before <= 0 || now / before < about.builder.run.limits.growth) return
  const [from, to] = [before, now].map(tokens => tokens.toLocaleString("en"))
  note(about, "growth", `the input grew from ${from} to ${to} tokens`)
}

/** Notes that a session which should speak was silent until this frame. Must be asked before the frame is folded. */
export function recordSilence(builder: RunBuilder, index: number, ts: number | null, seq: number | null): void {
  const { run } = builder
  const [session, buffer] = [run.sessions[index], run.turnBuffers[index]]
  if (ts === null || session === undefined || buffer === undefined) return
  if (buffer.lastTs !== null && ts - buffer.lastTs <= run.limits.silence) return
  const heard = lastHeard(session, buffer)
  if (heard === null || ts - heard <= run.limits.silence) return
  if (run.askingSessions.includes(index) || isHeld(run)) return
  const why = silenceWords(buffer, ts - heard)
  const { turns: turn } = session
  add(builder, {
    kind: "silence",
    session: index,
    turn,
    why,
    about: `${ts}`,
    since: heard,
    place: placeNow(builder, seq, ts),
  })
}

/** When a session that should speak was last heard, or was answered, epoch ms; null for one that need not speak. */
export function lastHeard({ stages, lastTs: eventTs }: Session, { status, lastTs }: TurnBuffer): number | null {
  if (status !== "waiting" && status !== "streaming") return null
  const stageTs = at(stages, stages.length - 1)?.ts
  const heard = Math.max(eventTs ?? -Infinity, lastTs ?? -Infinity, stageTs ?? -Infinity)
  return Number.isFinite(heard) ? heard : null
}

/** How long a session was silent, and in the middle of what. */
export function silenceWords({ status }: Pick<TurnBuffer, "status">, ms: number): string {
  const where = status === "streaming" ? "in the middle of a reply" : "before the first token"
  return `silent for ${Math.round(ms / 1000)} s ${where}`
}

function quoted(text: string): string {
  return text.slice(0, QUOTED).replace(/\s+/g, " ").trim()
}
