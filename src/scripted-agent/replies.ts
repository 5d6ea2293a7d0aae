// Builds the replies to requests of a debugger: a conversation, and the catalog of models.
import { type CapturePlace, capturePlaceOf, mayBeAt } from "../protocol/capture-place.ts"
import type { Op } from "../protocol/command.ts"
import type { Block } from "../protocol/decode-blocks.ts"
import type { JsonObject } from "../protocol/json.ts"
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

/** The messages of each turn are the whole conversation so far, as it is sent to a model. */
function turns(script: Script, position: number, request: Request): JsonObject[] {
  const found: JsonObject[] = []
  const places = new Map<string | null, CapturePlace>()
  let messages: readonly JsonObject[] = []
  for (const { frame } of script.lines.slice(0, position)) {
    if (frame.kind !== "event" || frame.invokeid !== request.invokeid) continue
    const { body, sessionId } = frame
    const place = capturePlaceOf(frame) ?? places.get(sessionId) ?? null
    if (place !== null) places.set(sessionId, place)
    if (!mayBeAt(place, request)) continue
    if (body.type === "llm/request") {
      messages = [...messages, { role: "user", text: textOf(body.user) }]
      found.push({ turn: place?.turn ?? found.length, model: body.model, system: body.system, messages })
    }
    if (body.type === "llm/response") messages = [...messages, { role: "assistant", text: textOf(body.content ?? []) }]
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
