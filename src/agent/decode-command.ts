// Hears what a UI says: inbound JSON becomes a command.
import type { Command } from "../protocol/command.ts"
import { isObject, type Json, type JsonObject } from "../protocol/json.ts"

/**
 * Understands one inbound frame (docs/contract.md sections 3 and 9): the reverse of what a UI encodes. Null
 * for anything else, which the real agent ignores as well.
 */
export function decodeCommand(frame: unknown): Command | null {
  if (!isObject(frame)) return null
  if (frame.kind === "answer") return answer(frame)
  return frame.kind === "control" ? op(frame) : null
}

function answer(frame: JsonObject): Command | null {
  const promptId = frame["prompt-id"]
  if (typeof promptId !== "string") return null
  if (frame.cancelled === true) return { type: "cancel", promptId }
  const value = frame.value
  return value === undefined ? null : { type: "answer", promptId, value }
}

function op(frame: JsonObject): Command | null {
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
      return { type: "step", n: Math.max(1, whole(frame.n) ?? 1) }
    case "request-conversation":
      return conversation(frame)
    case "rerun-from":
      return rerun(frame)
    default:
      return null
  }
}

function conversation(frame: JsonObject): Command | null {
  const invokeid = frame.invokeid
  if (typeof invokeid !== "string") return null
  const nodeId = frame["node-id"]
  const visit = whole(frame.visit)
  return {
    type: "request-conversation",
    invokeid,
    ...(typeof nodeId === "string" ? { nodeId } : {}),
    ...(visit === null ? {} : { visit }),
  }
}

function rerun(frame: JsonObject): Command | null {
  const { invokeid, "session-id": sessionId, "node-id": nodeId, overrides } = frame
  if (typeof sessionId !== "string" || typeof invokeid !== "string" || typeof nodeId !== "string") return null
  return {
    type: "rerun-from",
    sessionId,
    invokeid,
    nodeId,
    visit: whole(frame.visit) ?? 0,
    turn: whole(frame.turn) ?? 0,
    overrides: isObject(overrides) ? overrides : {},
  }
}

function whole(value: Json | undefined): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) ? value : null
}
