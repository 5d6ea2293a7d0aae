// Notes the faults that an event shows: errors, failed tools, repeated calls, retries, cut replies, silence, growth.
import type { EventBody } from "../../packages/wire/src/event-body.ts"
import type { EventFrame } from "../../packages/wire/src/frame.ts"
import { isTruncatedReply } from "./log.ts"
import { at, type ChunkedList, firstIndexWhere, itemAt } from "./model/chunked-list.ts"
import {
  type Finding,
  type FindingKind,
  type FindingPlace,
  findingOf,
  USUAL_SILENCE_MS,
  withFinding,
  withFirstOfKind,
} from "./model/finding.ts"
import { mayBeHeld } from "./model/held.ts"
import type { Account } from "./model/ledger.ts"
import { contextLimitOf } from "./model/prices.ts"
import { eventTypeOf } from "./model/row.ts"
import { frameNumber, mayWaitForPerson, type Row, type Run } from "./model/run.ts"
import type { Session, TurnBuffer } from "./model/session.ts"
import type { RunBuilder } from "./run-builder.ts"

/** UTF-16 units of a text that a finding quotes. */
const QUOTED = 400
/** Number of the latest rows among which a session's latest tool result is searched. */
const ROWS_BACK = 256
/** A turn's input grows notably only by more than this many tokens. */
const NOTABLE_GROWTH = 4000

/** Notes the findings of an event, once it is folded and has its row. `late` as in `fold`: its turn may be another. */
export function recordFindings(builder: RunBuilder, frame: EventFrame, index: number | null, late: boolean): void {
  const session = index === null ? undefined : builder.run.sessions[index]
  const about = { builder, frame, index, turn: session === undefined || late ? null : session.turns }
  const { limits } = builder.run.options
  const { body } = frame
  noteExcesses(about)
  const error = errorWords(body)
  // All failures of a turn are one finding; without a turn, each message is one.
  if (error !== null)
    note(about, "error", error, { grown: `then ${error}`, ...(about.turn === null && { about: error }) })
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
      if (attempt === null || attempt < limits.retries) break
      const detail = category ?? "no reason given"
      note(about, "retries", `retry ${attempt} of ${maxRetries ?? "?"}`, {
        size: attempt,
        detail,
        grown: `up to retry ${attempt}`,
      })
      break
    }
    case "llm/context-warning": {
      const { usedFrac } = body
      if (usedFrac === null) note(about, "context", "context nearly full", { about: "", grown: "" })
      else noteContext(about, usedFrac)
      break
    }
    case "llm/response":
      noteReply(about, session, body)
      break
  }
}

/** The failure of an event that reports an error by itself; null for any other. */
function errorWords(body: EventBody): string | null {
  switch (body.type) {
    case "llm/error":
    case "runner/error":
    case "human-input/error":
    case "debug/branch-error":
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

interface Noted {
  readonly detail?: string
  readonly size?: number
  /** The words that it adds to an earlier finding that it continues. */
  readonly grown?: string
  /** By default a turn has one finding of each kind. */
  readonly about?: string
}

function note(at: About, kind: FindingKind, text: string, noted: Noted = {}): void {
  const { builder, frame, index, turn } = at
  const { detail = "", size = 0, grown = "", about = `${turn}` } = noted
  const place = placeNow(builder, frame.seq, frame.ts)
  const more = { session: index, turn, detail: quoted(detail), size, about, since: builder.run.lastTs }
  add(builder, findingOf(kind, quoted(text), place, more), grown)
}

function add({ facts }: RunBuilder, finding: Finding, grown = ""): void {
  facts.findings = withFinding(facts.findings, finding, quoted(grown))
}

/** The limits that the run as a whole has passed, in words; `total` is its usage. */
export function excessesOf(
  { options: { limits }, firstTs, lastTs }: Pick<Run, "options" | "firstTs" | "lastTs">,
  total: Account,
): ReadonlyMap<FindingKind, string> {
  const excesses = new Map<FindingKind, string>()
  const { cost, duration } = limits
  if (cost !== null && total.nanos > cost * 1e9) excesses.set("cost", `cost over $${cost}`)
  if (duration !== null && firstTs !== null && lastTs !== null && lastTs - firstTs > duration)
    excesses.set("duration", `took over ${duration / 1000} s`)
  return excesses
}

function noteExcesses({ builder, frame }: About): void {
  const { run } = builder
  if (run.options.limits.cost === null && run.options.limits.duration === null) return
  for (const [kind, why] of excessesOf(run, builder.ledger.total)) {
    const finding = findingOf(kind, why, placeNow(builder, frame.seq, frame.ts), { since: run.lastTs })
    builder.facts.findings = withFirstOfKind(run.facts.findings, finding)
  }
}

function placeNow({ run, frames, epochIndex }: RunBuilder, seq: number | null, ts: number | null): FindingPlace {
  return { frame: frameNumber(run), epoch: epochIndex, seq, line: frames.lines - 1, ts }
}

/** True if the session's turn has a finding that says more than how its worker ended. */
function isExplained({ builder, index, turn }: About): boolean {
  const said: readonly FindingKind[] = ["error", "truncated", "refused"]
  const isOwn = (one: Finding): boolean => one.session === index && one.turn === turn && said.includes(one.kind)
  return builder.run.facts.findings.list.some(isOwn)
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
  noteTokens(about, session, body)
}

/** How full the context is, where the model's limit is known. */
function noteTokens(about: About, { inputs: { latest } }: Session, { usage }: EventBody<"llm/response">): void {
  const { run } = about.builder
  const limit = contextLimitOf(run, itemAt(run.turnBuffers, about.index)?.turn.model ?? null)?.tokens ?? null
  if (limit !== null && usage.input !== null && latest !== null) noteContext(about, latest / limit)
}

/** A session has one finding of its context, from where it passed the limit. `used` is a share, 0 to 1. */
function noteContext(about: About, used: number): void {
  if (used < about.builder.run.options.limits.context) return
  const size = Math.round(used * 100)
  note(about, "context", `context ${size}% full`, { about: "", size, grown: `up to ${size}%` })
}

/** The same call again and again, or the same result where the agent reports no calls. */
function noteRepeat(about: About, { repeat }: Session): void {
  if (repeat === null || repeat.count < about.builder.run.options.limits.repeats) return
  const call = `${repeat.name ?? "?"} ${repeat.text.slice(0, QUOTED)}`
  const { builder, frame, index, turn } = about
  const { since, count } = repeat
  const more = { session: index, turn, detail: quoted(call), size: count, about: `${since} ${call}`, since }
  const place = placeNow(builder, frame.seq, frame.ts)
  add(builder, findingOf("repeat", `the same call ${count} times in a row`, place, more), `up to ${count} times`)
}

/** Notes a reply without a call after the latest tool had failed: the tool was not retried. */
function noteFailedTool(about: About, session: Session): void {
  if (session.failedTools === 0) return
  const { builder, index } = about
  const row = latestResult(builder.rows, index)
  const body = row?.what.kind === "event" ? row.what.body : null
  if (row === undefined || body?.type !== "llm/tool-result" || !body.isError) return
  const why = quoted(`${body.tool ?? "a tool"} failed and was not retried`)
  const detail = quoted(body.preview ?? "")
  const { frame, epoch, seq, line, ts } = row
  const entry = firstIndexWhere(session.entries, one => one.order >= row.order)
  const turn = at(session.entries, entry)?.turn ?? about.turn
  const more = { session: index, turn, detail, about: `${line}`, since: ts }
  add(builder, findingOf("failed-tool", why, { frame, epoch, seq, line, ts }, more))
}

function latestResult(rows: ChunkedList<Row>, session: number | null): Row | undefined {
  for (let i = rows.length - 1; i >= Math.max(0, rows.length - ROWS_BACK); i--) {
    const row = at(rows, i)
    if (row?.session === session && eventTypeOf(row) === "llm/tool-result") return row
  }
  return undefined
}

function noteGrowth(about: About, { inputs: { latest, before } }: Session, { usage }: EventBody<"llm/response">): void {
  const now = usage.input === null ? null : latest
  if (before === null || now === null || now - before < NOTABLE_GROWTH) return
  if (before <= 0 || now / before < about.builder.run.options.limits.growth) return
  const [from, to] = [before, now].map(tokens => tokens.toLocaleString("en"))
  note(about, "growth", `the input grew from ${from} to ${to} tokens`, { size: now, grown: `up to ${to}` })
}

/** Notes that a session which should speak was silent until this frame. Must be asked before the frame is folded. */
export function recordSilence(builder: RunBuilder, index: number, ts: number | null, seq: number | null): void {
  const { run } = builder
  const buffer = run.turnBuffers[index]
  const limit = run.options.limits.silence ?? USUAL_SILENCE_MS
  if (ts === null || buffer === undefined || (buffer.lastTs !== null && ts - buffer.lastTs <= limit)) return
  const session = run.sessions[index]
  if (session === undefined) return
  const heard = lastHeard(session, buffer)
  if (heard === null || ts - heard <= limit) return
  if (mayWaitForPerson(run, index) || mayBeHeld(run)) return
  const more = { session: index, turn: session.turns, size: ts - heard, about: `${ts}`, since: heard }
  add(builder, findingOf("silence", silenceWords(buffer, ts - heard), placeNow(builder, seq, ts), more))
}

/** When a session that should speak was last heard, or was answered, epoch ms; null for one that need not speak. */
export function lastHeard(
  { stages, lastTs: eventTs }: Session,
  { turn: { status }, lastTs }: TurnBuffer,
): number | null {
  if (status !== "waiting" && status !== "streaming") return null
  const stageTs = at(stages, stages.length - 1)?.ts
  const heard = Math.max(eventTs ?? -Infinity, lastTs ?? -Infinity, stageTs ?? -Infinity)
  return Number.isFinite(heard) ? heard : null
}

/** How long a session was silent, and in which stage. */
export function silenceWords({ turn: { status } }: TurnBuffer, ms: number): string {
  const where = status === "streaming" ? "in the middle of a reply" : "before the first token"
  return `silent for ${Math.round(ms / 1000)} s ${where}`
}

/** The beginning of a text on one line. A word is not cut, so that a secret is known by its shape, or is not in it. */
function quoted(text: string): string {
  const cut = text.slice(0, QUOTED)
  const shown = text.length > QUOTED ? `${cut.replace(/[\w.~+/=-]{1,64}$/, "")}…` : cut
  return shown.replace(/\s+/g, " ").trim()
}
