// Says which lines for the agent its API can take as well.
import { isObject, type Json } from "../protocol/json.ts"
import type { EqlOp, EqlOutcome } from "./eql.ts"

export type EqlCall =
  | { readonly type: "answer"; readonly promptId: string; readonly outcome: EqlOutcome }
  | { readonly type: "op"; readonly op: EqlOp }

/** An answer or a control op in the wire's spelling (docs/contract.md section 9); null for what the API has no word for. */
export function eqlCallOf(line: string): EqlCall | null {
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
