// Plays a script as pure data: the next step, the gates, and the agent's reaction to each command.

import type { Block } from "../../packages/wire/src/capture.ts"
import { type CapturePlace, capturePlaceOf, mayBeAt } from "../../packages/wire/src/capture-place.ts"
import type { Answer, Command, Op } from "../../packages/wire/src/command.ts"
import type { JsonObject } from "../../packages/wire/src/json.ts"
import {
  afterEvent,
  applyOp,
  type Debugger,
  debugFrame,
  type Halt,
  haltBefore,
  initialDebugger,
  isHalted,
} from "../agent/debugger.ts"
import type { Outgoing } from "../agent/greeting.ts"
import { finishedFrame, processedEvent } from "../agent/run-frames.ts"
import { createBranch } from "./branch.ts"
import type { Script, ScriptLine, ScriptQuestion } from "./read-script.ts"

export interface Playback {
  readonly script: Script
  readonly position: number
  /** Questions asked and not yet answered, oldest first. */
  readonly openQuestions: readonly ScriptQuestion[]
  /** Questions that a client has answered or cancelled; the recording's own answer to them is skipped. */
  readonly closedByClient: ReadonlySet<ScriptQuestion>
  readonly config: readonly string[]
  /** Null if no debugger is attached; its ops then have no effect, as in the real agent. */
  readonly debugger: Debugger | null
  readonly branches: number
  readonly state: "playing" | "finished" | "quit"
}

/** What the playback waits for: the gap before the next line (ms), an answer, an op that opens a gate, or nothing. */
type NextStep = { readonly type: "line"; readonly gap: number } | { readonly type: "answer" | "gate" | "over" }

export interface PlaybackChange {
  readonly playback: Playback
  /** The messages to send, in order. Events are numbered later. */
  readonly messages: readonly Outgoing[]
}

/** A playback before its first line. `debug` attaches a debugger, which announces itself with a `debug` frame. */
export function startPlayback(script: Script, debug: boolean | "paused"): PlaybackChange {
  const playback: Playback = {
    script,
    position: 0,
    openQuestions: [],
    closedByClient: new Set(),
    config: [],
    debugger: debug === false ? null : initialDebugger(debug === "paused"),
    branches: 0,
    state: "playing",
  }
  return { playback, messages: debugFrames(playback) }
}

/** What to play next, or what to wait for. */
export function nextStep(playback: Playback): NextStep {
  if (playback.state !== "playing") return { type: "over" }
  const line = playback.script.lines[playback.position]
  const isWaiting = playback.openQuestions.some(question => !question.isAbandoned)
  if (isWaiting && !(line && belongsToQuestion(line))) return { type: "answer" }
  if (playback.debugger && isHalted(playback.debugger)) return { type: "gate" }
  return { type: "line", gap: line && !isSkipped(playback, line) ? line.gap : 0 }
}

/** True for a prompt or its start event. Questions in adjacent lines are open at the same time. */
function belongsToQuestion({ opens, frame }: ScriptLine): boolean {
  return opens !== null || (frame.kind === "event" && frame.body.type === "human-input/start")
}

function isSkipped(playback: Playback, line: ScriptLine): boolean {
  return line.message === null || (line.closes !== null && playback.closedByClient.has(line.closes))
}

/** Plays the next line, or closes the gate before it. Call it only if `nextStep` is a line. */
export function advance(playback: Playback): PlaybackChange {
  const line = playback.script.lines[playback.position]
  if (line === undefined) return finish(playback)
  const position = playback.position + 1
  if (isSkipped(playback, line)) return { playback: { ...playback, position }, messages: [] }
  const halt = playback.debugger && haltBefore(playback.debugger, line, playback.position)
  if (halt) return haltAt(playback, line, halt)
  const change = playLine(playback, line)
  return { ...change, playback: { ...change.playback, position } }
}

/** Plays a line now, whatever the playback waits for. The line need not be part of the script. */
export function playLine(playback: Playback, line: ScriptLine): PlaybackChange {
  if (line.message === null) return { playback, messages: [] }
  const before = playback.debugger
  const isEvent = line.frame.kind === "event" || line.frame.kind === "delta"
  const isClosed = (question: ScriptQuestion) => question.promptId === line.closes?.promptId
  const stillOpen = playback.openQuestions.filter(question => !isClosed(question))
  const after: Playback = {
    ...playback,
    openQuestions: line.opens === null ? stillOpen : [...stillOpen, line.opens],
    closedByClient: playback.closedByClient.union(new Set(playback.openQuestions.filter(isClosed))),
    config: line.config ?? playback.config,
    debugger: before && isEvent ? afterEvent(before) : before,
  }
  const isLastStep = before?.mode === "stepping" && after.debugger?.mode === "paused"
  return { playback: after, messages: isLastStep ? [line.message, ...debugFrames(after)] : [line.message] }
}

/** Ends the recording with `run-finished`, unless it has its own, which may precede its last events. */
function finish(playback: Playback): PlaybackChange {
  return {
    playback: { ...playback, state: "finished" },
    messages: playback.script.finishes ? [] : [finishedFrame(playback.config)],
  }
}

function haltAt(playback: Playback, { frame }: ScriptLine, { state, gate }: Halt): PlaybackChange {
  const change = withDebugger(playback, state)
  if (gate === "turn" || frame.kind !== "event") return change
  const name = frame.body.type === "runner/event-processed" ? frame.body.eventName : null
  const awaiting = event("debug/awaiting-step", { "event-name": name, "external?": true })
  return { ...change, messages: [awaiting, ...change.messages] }
}

/** Applies a command of a client. One without effect changes nothing, since the agent acknowledges nothing. */
export function applyCommand(playback: Playback, command: Command): PlaybackChange {
  if (playback.state === "quit") return { playback, messages: [] }
  switch (command.type) {
    case "answer":
    case "cancel":
      return closeQuestion(playback, command)
    case "ui-interrupt":
      return { playback, messages: [processedEvent("ui.interrupt", playback.config)] }
    case "ui-quit":
      return quit(playback)
    case "request-conversation":
      return { playback, messages: [conversationReply(playback.script, playback.position, command)] }
    case "request-model-catalog":
      return { playback, messages: [catalogReply(playback.script)] }
    case "rerun-from":
      return rerun(playback, command)
    default:
      return operate(playback, command)
  }
}

/** The first answer counts. A later one, or one to a question that was never asked, changes nothing. */
function closeQuestion(playback: Playback, answer: Answer): PlaybackChange {
  const question = playback.openQuestions.find(open => open.promptId === answer.promptId)
  if (question === undefined) return { playback, messages: [] }
  const openQuestions = playback.openQuestions.filter(other => other !== question)
  // The recording goes on with the refusal.
  if (question.isRefused && answer.type === "answer") return { playback: { ...playback, openQuestions }, messages: [] }
  const closedByClient = new Set(playback.closedByClient).add(question)
  const after: Playback = { ...playback, openQuestions, closedByClient }
  if (answer.type === "cancel") return { playback: after, messages: [event("human-input/cancelled", {})] }
  const { inputKind: kind, invokeid } = question
  const value = question.isPrivate ? {} : { answer: answer.value }
  return { playback: after, messages: [event("human-input/answer", { kind, invokeid, ...value })] }
}

function quit(playback: Playback): PlaybackChange {
  const messages = playback.state === "finished" ? [] : [event("runner/aborted", { reason: "quit by user" })]
  return { playback: { ...playback, state: "quit" }, messages }
}

function operate(playback: Playback, op: Op): PlaybackChange {
  const state = playback.debugger && applyOp(playback.debugger, op, playback.position)
  return state === null ? { playback, messages: [] } : withDebugger(playback, state)
}

/** Re-runs a captured turn at once, beside the recording. A `debug` frame says that it started, or why it didn't. */
function rerun(playback: Playback, op: Extract<Op, { type: "rerun-from" }>): PlaybackChange {
  const state = playback.debugger
  if (state === null) return { playback, messages: [] }
  const branch = createBranch(playback.script, playback.position, op, playback.branches + 1)
  if (typeof branch === "string") return withDebugger(playback, { ...state, branchError: branch })
  const counted = { ...playback, branches: playback.branches + 1 }
  const started = withDebugger(counted, { ...state, branch: branch.frame, branchError: null })
  return { ...started, messages: [...started.messages, ...branch.events] }
}

function withDebugger(playback: Playback, state: Debugger): PlaybackChange {
  const after = { ...playback, debugger: state }
  return { playback: after, messages: debugFrames(after) }
}

function debugFrames(playback: Playback): readonly JsonObject[] {
  return playback.debugger === null ? [] : [debugFrame(playback.debugger, playback.config)]
}

function event(name: string, data: JsonObject): JsonObject {
  return { kind: "event", event: name, data }
}

type Request = Extract<Op, { type: "request-conversation" }>

/** The recorded `conversation` frame (docs/contract.md section 3), else one made of the requests so far. */
function conversationReply(script: Script, position: number, request: Request): JsonObject {
  const recorded = script.replies.find(reply => matches(reply, request))
  return (
    recorded ?? {
      kind: "conversation",
      invokeid: request.invokeid,
      "node-id": request.nodeId ?? null,
      visit: request.visit ?? 0,
      turns: turns(script, position, request),
    }
  )
}

function matches(reply: JsonObject, request: Request): boolean {
  if (reply.kind !== "conversation" || reply.invokeid !== request.invokeid) return false
  if (request.nodeId !== undefined && reply["node-id"] !== request.nodeId) return false
  return request.visit === undefined || reply.visit === request.visit
}

/** The turns at the place asked for. The messages of each are the session's whole conversation, as a model gets it. */
function turns(script: Script, position: number, request: Request): JsonObject[] {
  const found: JsonObject[] = []
  const places = new Map<string | null, CapturePlace>()
  const conversations = new Map<string | null, readonly JsonObject[]>()
  for (const { frame } of script.lines.slice(0, position)) {
    if (frame.kind !== "event" || frame.invokeid !== request.invokeid) continue
    const { body, sessionId } = frame
    const place = capturePlaceOf(frame) ?? places.get(sessionId) ?? null
    if (place !== null) places.set(sessionId, place)
    if (body.type !== "llm/request" && body.type !== "llm/response") continue
    const isRequest = body.type === "llm/request"
    const message = {
      role: isRequest ? "user" : "assistant",
      text: textOf(isRequest ? body.user : (body.content ?? [])),
    }
    // Turn 0 of a visit begins a conversation.
    const before = isRequest && place?.turn === 0 ? [] : (conversations.get(sessionId) ?? [])
    const messages = [...before, message]
    conversations.set(sessionId, messages)
    if (!isRequest || !mayBeAt(place, request)) continue
    found.push({ turn: place?.turn ?? found.length, model: body.model, system: body.system, messages })
  }
  return found
}

function textOf(blocks: readonly Block[]): string {
  return blocks.flatMap(block => (block.type === "text" ? [block.text] : [])).join("\n")
}

/** The `model-catalog` frame (docs/contract.md section 3): the recorded one, else an alias for each recorded model. */
function catalogReply(script: Script): JsonObject {
  const recorded = script.replies.find(reply => reply.kind === "model-catalog")
  if (recorded !== undefined) return recorded
  const models = new Set<string>()
  for (const { frame } of script.lines) {
    const model = frame.kind === "delta" ? frame.model : frame.kind === "event" ? frame.data.model : null
    if (typeof model === "string") models.add(model)
  }
  const aliases = [...models].map(model => ({ alias: model, targets: [{ provider: null, model }] }))
  return { kind: "model-catalog", aliases, preferences: null }
}
