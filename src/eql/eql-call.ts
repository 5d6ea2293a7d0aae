// Translates messages for the agent into calls of its API, where the API has an equivalent.
import { isObject, type Json } from "../protocol/json.ts"
import type { EqlOp, EqlOutcome } from "./eql.ts"

export type EqlCall =
  | { readonly type: "answer"; readonly promptId: string; readonly outcome: EqlOutcome }
  | { readonly type: "op"; readonly op: EqlOp }

/** The call for an answer or an op in the wire's spelling (docs/contract.md section 9); null if the API has none. */
export function toEqlCall(line: string): EqlCall | null {
  const frame = parse(line)
  if (!isObject(frame)) return null
  const { kind, "prompt-id": promptId, cancelled, value, op, n } = frame
  if (kind === "answer" && typeof promptId === "string") {
    if (cancelled === true) return { type: "answer", promptId, outcome: { cancelled } }
    return value === undefined ? null : { type: "answer", promptId, outcome: { value } }
  }
  if (kind !== "control") return null
  if (op === "pause" || op === "continue" || op === "arm") return { type: "op", op: { type: op } }
  return op === "step" ? { type: "op", op: { type: op, n: typeof n === "number" ? n : 1 } } : null
}

function parse(line: string): Json {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
