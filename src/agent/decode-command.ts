// Decodes the messages of a client into commands.
import { BARE_OPS, type Command } from "../../packages/wire/src/command.ts"
import { isObject } from "../../packages/wire/src/json.ts"
import { ObjectReader } from "../../packages/wire/src/object-reader.ts"

/** Decodes a message (docs/contract.md sections 3 and 9), the reverse of `encode`. Null for any other message. */
export function decodeCommand(frame: unknown): Command | null {
  if (!isObject(frame)) return null
  const top = new ObjectReader(frame)
  if (frame.kind === "answer") return decodeAnswer(top)
  return frame.kind === "control" ? decodeOp(top) : null
}

function decodeAnswer(top: ObjectReader): Command | null {
  const promptId = top.rawText("prompt-id")
  if (promptId === null) return null
  const { cancelled, value } = top.object
  if (cancelled === true) return { type: "cancel", promptId }
  return value === undefined ? null : { type: "answer", promptId, value }
}

function decodeOp(top: ObjectReader): Command | null {
  const name = top.object.op
  const bare = BARE_OPS.find(one => one === name)
  if (bare !== undefined) return { type: bare }
  if (name === "step") return { type: name, n: top.integer("n", 1) ?? 1 }
  if (name === "request-conversation") return decodeConversation(top)
  return name === "rerun-from" ? decodeRerun(top) : null
}

function decodeConversation(top: ObjectReader): Command | null {
  const [invokeid, nodeId, visit] = [top.rawText("invokeid"), top.rawText("node-id"), top.integer("visit")]
  if (invokeid === null) return null
  const place = { ...(nodeId !== null && { nodeId }), ...(visit !== null && { visit }) }
  return { type: "request-conversation", invokeid, ...place }
}

function decodeRerun(top: ObjectReader): Command | null {
  const [sessionId, invokeid, nodeId] = [top.rawText("session-id"), top.rawText("invokeid"), top.rawText("node-id")]
  if (sessionId === null || invokeid === null || nodeId === null) return null
  const overrides = top.child("overrides")?.object ?? {}
  const [visit, turn] = [top.integer("visit") ?? 0, top.integer("turn") ?? 0]
  return { type: "rerun-from", sessionId, invokeid, nodeId, visit, turn, overrides }
}
