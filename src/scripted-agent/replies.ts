// Builds the replies to requests of a debugger: a conversation, and the catalog of models.
import type { Block } from "../../packages/wire/src/capture.ts"
import { type CapturePlace, capturePlaceOf, mayBeAt } from "../../packages/wire/src/capture-place.ts"
import type { Op } from "../../packages/wire/src/command.ts"
import type { JsonObject } from "../../packages/wire/src/json.ts"
import type { Script } from "./read-script.ts"

type Request = Extract<Op, { type: "request-conversation" }>

/** The recorded `conversation` frame (docs/contract.md section 3), else one made of the requests so far. */
export function conversationReply(script: Script, position: number, request: Request): JsonObject {
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
export function catalogReply(script: Script): JsonObject {
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
