// Answers what a debugger's user asks for: a conversation, and the models there are.
import type { Op } from "../protocol/command.ts"
import type { Block } from "../protocol/frame.ts"
import type { JsonObject } from "../protocol/json.ts"
import type { Script } from "./read-script.ts"

type Request = Extract<Op, { type: "request-conversation" }>

interface Turn {
  readonly turn: number
  readonly model: string | null
  readonly system: string | null
  readonly messages: readonly { readonly role: string; readonly text: string }[]
}

/**
 * The `conversation` frame (docs/contract.md section 3) of an invocation: the recorded one, else what the cues before `at`
 * say of its requests and responses, one turn a request.
 */
export function conversation(script: Script, at: number, request: Request): JsonObject {
  const recorded = script.replies.find(reply => fits(reply, request))
  return (
    recorded ?? {
      kind: "conversation",
      invokeid: request.invokeid,
      "node-id": request.nodeId ?? null,
      visit: request.visit ?? 0,
      turns: turns(script, at, request.invokeid),
    }
  )
}

function fits(reply: JsonObject, request: Request): boolean {
  if (reply.kind !== "conversation" || reply.invokeid !== request.invokeid) return false
  return request.nodeId === undefined || reply["node-id"] === request.nodeId
}

/** Each turn's messages are the whole conversation so far, as a model is sent it. */
function turns(script: Script, at: number, invokeid: string): JsonObject[] {
  const found: Turn[] = []
  let said: Turn["messages"] = []
  for (const { frame } of script.cues.slice(0, at)) {
    if (frame.kind !== "event" || frame.invokeid !== invokeid) continue
    const { body } = frame
    if (body.type === "llm/request") {
      said = [...said, { role: "user", text: prose(body.user) }]
      found.push({ turn: found.length, model: body.model, system: body.system, messages: said })
    }
    if (body.type === "llm/response") said = [...said, { role: "assistant", text: prose(body.content ?? []) }]
  }
  return found.map(turn => ({ ...turn }))
}

function prose(blocks: readonly Block[]): string {
  return blocks.flatMap(block => (block.type === "text" ? [block.text] : [])).join("\n")
}

/** The `model-catalog` frame (docs/contract.md section 3): the recorded one, else each model of the recording under its own name. */
export function catalog(script: Script): JsonObject {
  const recorded = script.replies.find(reply => reply.kind === "model-catalog")
  if (recorded !== undefined) return recorded
  const models = new Set<string>()
  for (const { frame } of script.cues) {
    const model = frame.kind === "delta" ? frame.model : frame.kind === "event" ? modelOf(frame.data) : null
    if (model !== null) models.add(model)
  }
  const aliases = [...models].map(model => ({ alias: model, targets: [{ provider: null, model }] }))
  return { kind: "model-catalog", aliases, preferences: null }
}

function modelOf(data: JsonObject): string | null {
  return typeof data.model === "string" ? data.model : null
}
