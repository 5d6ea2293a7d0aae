// Decodes the messages of a client into commands.
import type { Command } from "../protocol/command.ts"
import { isObject, type Json, type JsonObject } from "../protocol/json.ts"

/** Decodes a message (docs/contract.md sections 3 and 9), the reverse of `encode`. Null for any other message. */
export function decodeCommand(frame: unknown): Command | null {
  if (!isObject(frame)) return null
  if (frame.kind === "answer") return decodeAnswer(frame)
  return frame.kind === "control" ? decodeOp(frame) : null
}

function decodeAnswer(frame: JsonObject): Command | null {
  const promptId = frame["prompt-id"]
  if (typeof promptId !== "string") return null
  if (frame.cancelled === true) return { type: "cancel", promptId }
  const { value } = frame
  return value === undefined ? null : { type: "answer", promptId, value }
}

function decodeOp(frame: JsonObject): Command | null {
  const name = frame.op
  switch (name) {
    case "pause":
    case "continue":
    case "arm":
    case "ui-interrupt":
    case "ui-quit":
    case "arm-llm-breakpoint":
    case "turn-next":
    case "turn-back":
    case "request-model-catalog":
      return { type: name }
    case "step":
      return { type: "step", n: Math.max(1, integer(frame.n) ?? 1) }
    case "request-conversation":
      return decodeConversation(frame)
    case "rerun-from":
      return decodeRerun(frame)
    default:
      return null
  }
}

function decodeConversation(frame: JsonObject): Command | null {
  const invokeid = frame.invokeid
  if (typeof invokeid !== "string") return null
  const nodeId = frame["node-id"]
  const visit = integer(frame.visit)
  return {
    type: "request-conversation",
    invokeid,
    ...(typeof nodeId === "string" ? { nodeId } : {}),
    ...(visit === null ? {} : { visit }),
  }
}

function decodeRerun(frame: JsonObject): Command | null {
  const { invokeid, "session-id": sessionId, "node-id": nodeId, overrides } = frame
  if (typeof sessionId !== "string" || typeof invokeid !== "string" || typeof nodeId !== "string") return null
  return {
    type: "rerun-from",
    sessionId,
    invokeid,
    nodeId,
    visit: integer(frame.visit) ?? 0,
    turn: integer(frame.turn) ?? 0,
    overrides: isObject(overrides) ? overrides : {},
  }
}

function integer(value: Json | undefined): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) ? value : null
}
