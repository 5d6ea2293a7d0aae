// Turns one decoded row into entries of Paperclip's run view.
import type { TranscriptEntry } from "@paperclipai/adapter-utils"
import type { EventBody } from "../../wire/src/event-body.ts"
import type { DeltaFrame, EventFrame } from "../../wire/src/frame.ts"
import { isList, isObject, type Json, type JsonObject } from "../../wire/src/json.ts"
import { isCount, sanitizedText } from "../../wire/src/object-reader.ts"
import { sanitize, sanitizeLine } from "../../wire/src/sanitize.ts"
import { STREAMED, SUMMARY, TOTALS } from "./run-totals.ts"

/** The entries of one row, in order. Stateless. */
export function entriesOf(frame: DeltaFrame | EventFrame, ts: string): TranscriptEntry[] {
  if (frame.kind === "event") return eventEntries(frame, ts)
  return frame.text === ""
    ? []
    : [{ kind: frame.thinking ? "thinking" : "assistant", ts, text: frame.text, delta: true }]
}

function eventEntries(frame: EventFrame, ts: string): TranscriptEntry[] {
  const { body, data } = frame
  const who = frame.invokeid === null ? "" : `${sanitizeLine(frame.invokeid)}: `
  const system = (text: string): TranscriptEntry[] => [{ kind: "system", ts, text: `${who}${text}` }]
  const failure = (text: string): TranscriptEntry[] => [{ kind: "stderr", ts, text: `${who}${text}` }]
  switch (body.type) {
    case "runner/started": {
      const model = typeof data.model === "string" ? sanitizeLine(data.model) : "as the chart says"
      return [{ kind: "init", ts, model, sessionId: sanitizeLine(frame.sessionId ?? "") }]
    }
    case "runner/start-config":
      return body.config === null ? [] : system(`at ${place(body.config)}`)
    case "runner/event-processed":
      return sameStates(body.before, body.after)
        ? []
        : system(`${body.eventName ?? "event"}: ${place(body.after ?? [])}`)
    case "runner/done":
      return [result(data, ts, body.status ?? "done", isFailure(body.status), path(body.finalConfig ?? []))]
    case "runner/aborted":
      return [result(data, ts, "aborted", true, body.reason ?? "no reason given")]
    case "runner/error":
      return failure(body.message ?? "the runner failed")
    case "runner/tick":
    case "checkpoint/written":
    case "llm/usage":
      return []
    case "llm/start":
      return system(body.model === null ? "a turn" : `a turn with ${body.model}`)
    case "llm/request":
      return body.user.flatMap(block =>
        block.type === "text" && block.text !== "" ? [{ kind: "user" as const, ts, text: block.text }] : [],
      )
    case "llm/response":
      return replyEntries(frame, body, ts, system)
    case "llm/tool-result": {
      const tool = body.tool ?? "tool"
      const toolUseId = body.callId ?? callId(frame.invokeid, tool)
      const content = body.preview ?? ""
      return [{ kind: "tool_result", ts, toolUseId, toolName: tool, content, isError: body.isError }]
    }
    case "llm/error":
      return failure(body.message ?? "model error")
    case "llm/model-down":
      return failure(`${body.model ?? "a model"} is down: ${body.message ?? body.category ?? "no reason given"}`)
    case "llm/model-policy-empty":
      return failure(`no model left for the policy ${body.policy ?? ""}`.trim())
    case "llm/retry":
      return system(`retry ${body.attempt ?? "?"} of ${body.maxRetries ?? "?"}: ${body.category ?? "no reason given"}`)
    case "llm/context-warning":
      return system(`context ${body.usedFrac === null ? "nearly" : percent(body.usedFrac)} full`)
    case "llm/worker-exit":
      return body.reason === null ? [] : system(`ended, ${body.reason}`)
    case "llm/user-message":
      return body.text === null ? [] : [{ kind: "user", ts, text: body.text }]
    case "human-input/start":
      return system(`asks a person: ${body.prompt ?? body.inputKind ?? "a question"}`)
    case "human-input/answer":
      return body.shown === null ? system("was answered") : [{ kind: "user", ts, text: body.shown }]
    case "human-input/cancelled":
      return system("question cancelled")
    case "human-input/interrupted":
      return system("the agent withdrew the question")
    case "human-input/validation-failed":
      return system(["answer rejected", ...(body.errors.length > 0 ? [body.errors.join("; ")] : [])].join(": "))
    case "human-input/error":
      return failure(body.message ?? "question failed")
    case "debug/branch-error":
      return failure(body.message ?? "a branch failed")
    case "adapter/line":
      return body.isError ? failure(body.text) : system(body.text)
    case "debug/awaiting-quit":
      return system(body.message ?? "waiting for you to quit")
    case "debug/awaiting-step":
      return system(`waiting for a step at ${body.eventName ?? "an event"}`)
    case "transcript/serialize-error":
      return failure("a transcript row could not be written")
    case "other":
      return system(`${frame.name} ${body.shown}`)
  }
}

type Reply = EventBody<"llm/response">

/** A reply's blocks, except text shown by its deltas, and a line with its cost. Tool results have rows of their own. */
function replyEntries(
  frame: EventFrame,
  reply: Reply,
  ts: string,
  system: (text: string) => TranscriptEntry[],
): TranscriptEntry[] {
  const streamed = isList(frame.data[STREAMED]) ? frame.data[STREAMED] : []
  const raw = isList(frame.data.content) ? frame.data.content : []
  const blocks = (reply.content ?? []).flatMap((block, index): TranscriptEntry[] => {
    if (block.type === "tool-call") return [toolCall(raw[index] ?? null, block.name, frame.invokeid, ts)]
    if (block.type === "other") return system(`${block.name} ${block.shown}`)
    if (block.type === "tool-result" || block.text === "" || streamed.includes(block.type)) return []
    return [{ kind: block.type === "text" ? "assistant" : "thinking", ts, text: block.text }]
  })
  return [...blocks, ...system(effort(reply))]
}

function toolCall(block: Json, name: string, invokeid: string | null, ts: string): TranscriptEntry {
  const { id = null, input = {} } = isObject(block) ? block : {}
  const toolUseId = typeof id === "string" && id !== "" ? id : callId(invokeid, name)
  return { kind: "tool_call", ts, name, input, toolUseId }
}

/** An id that a call and its result share, for rows without one. */
function callId(invokeid: string | null, tool: string): string {
  return `${invokeid ?? "agent"}/${tool}`
}

function effort({ model, usage, elapsedMs, stopReason }: Reply): string {
  const parts = [
    model ?? "a reply",
    ...(usage.input === null ? [] : [`${usage.input} in`]),
    ...(usage.output === null ? [] : [`${usage.output} out`]),
    ...(elapsedMs === null ? [] : [`${(elapsedMs / 1000).toFixed(1)} s`]),
    ...(stopReason === null ? [] : [stopReason]),
  ]
  return parts.join(", ")
}

/** The end of the run with its totals; zero for missing ones. */
function result(data: JsonObject, ts: string, subtype: string, isError: boolean, end: string): TranscriptEntry {
  const totals = isObject(data[TOTALS]) ? data[TOTALS] : {}
  const count = (key: string) => (typeof totals[key] === "number" && isCount(totals[key]) ? totals[key] : 0)
  const summary = data[SUMMARY]
  return {
    kind: "result",
    ts,
    // Of a failure the end is an error below.
    text: typeof summary === "string" ? sanitize(summary) : isError ? "" : end,
    inputTokens: count("input"),
    outputTokens: count("output"),
    cachedTokens: count("cached"),
    costUsd: count("cost"),
    subtype,
    isError,
    errors: isError ? [end || "the run ended in no state"] : [],
  }
}

/** True if the runner's final status is a failure. */
export function isFailure(status: string | null): boolean {
  return status !== null && /error|fail|abort|timeout|timed|frozen/i.test(status)
}

function sameStates(before: readonly string[] | null, after: readonly string[] | null): boolean {
  return after === null || (before !== null && sanitizedText([...before]) === sanitizedText([...after]))
}

function place(states: readonly string[]): string {
  return path(states) || "no state"
}

function path(states: readonly string[]): string {
  return states.join(" › ")
}

function percent(fraction: number): string {
  return `${Math.round(fraction > 1 ? fraction : fraction * 100)}%`
}
