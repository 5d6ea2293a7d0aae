// Writes what we say in the wire's own spelling.
import type { Command, Op } from "./command.ts"
import type { JsonObject } from "./json.ts"

/** One frame for the agent (docs/contract.md sections 3 and 9): JSON on one line, without its newline. */
export function encode(command: Command): string {
  switch (command.type) {
    case "answer":
      return JSON.stringify({ kind: "answer", "prompt-id": command.promptId, value: command.value })
    case "cancel":
      return JSON.stringify({ kind: "answer", "prompt-id": command.promptId, cancelled: true })
    default:
      return JSON.stringify({ kind: "control", op: command.type, ...encodeDetails(command) })
  }
}

/** The key of ours in an event's data: the line of a saved log that it was read from, or the first and the last of them. */
export const LOG_LINE = "log/line"

/** A bookkeeping line of our own recordings (docs/decisions.md 1.11). `at` is in epoch ms. */
export function encodeNote(at: number, what: string, data: JsonObject): string {
  return JSON.stringify({ kind: "sidecar", at, what, ...data })
}

/** The keys of an op beside its name. Undefined ones are left out. */
function encodeDetails(op: Op): object {
  switch (op.type) {
    case "step":
      return { n: op.n }
    case "request-conversation":
      return { invokeid: op.invokeid, "node-id": op.nodeId, visit: op.visit }
    case "rerun-from":
      return {
        "session-id": op.sessionId,
        invokeid: op.invokeid,
        "node-id": op.nodeId,
        visit: op.visit,
        turn: op.turn,
        overrides: op.overrides,
      }
    default:
      return {}
  }
}
