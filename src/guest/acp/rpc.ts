// Reads and writes the messages of JSON-RPC 2.0, of which the Agent Client Protocol is made.
import type { Json, JsonObject } from "../../../packages/wire/src/json.ts"
import { objectOf, textOf } from "../common/fields.ts"

type RpcError = { readonly code: number; readonly message: string }

/** A message of either side. Its id is the sender's, and is returned unchanged. */
export type RpcMessage =
  | { readonly type: "request"; readonly id: Json; readonly method: string; readonly params: JsonObject }
  | { readonly type: "notification"; readonly method: string; readonly params: JsonObject }
  | { readonly type: "result"; readonly id: Json; readonly result: JsonObject }
  | { readonly type: "error"; readonly id: Json; readonly error: RpcError }

/** The message in an object; null if it is none. Keys of the wrong type count as absent. Never throws. */
export function readMessage({ id, method, params, result, error }: JsonObject): RpcMessage | null {
  const hasId = typeof id === "string" || typeof id === "number"
  if (typeof method === "string") {
    const said = { method, params: objectOf(params) }
    return hasId ? { type: "request", id, ...said } : { type: "notification", ...said }
  }
  if (!hasId) return null
  if (error !== undefined && error !== null) {
    const { code, message, data } = objectOf(error)
    const more = textOf(data) || textOf(objectOf(data).message) || textOf(objectOf(data).details)
    const words = [textOf(message), more].filter(Boolean).join(": ") || "the agent failed"
    return { type: "error", id, error: { code: typeof code === "number" ? code : 0, message: words } }
  }
  return result === undefined ? null : { type: "result", id, result: objectOf(result) }
}

/** A request's key, unique for its sender. */
export function keyOf(id: Json): string {
  return JSON.stringify(id)
}
