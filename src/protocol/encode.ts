// Encodes our commands and bookkeeping lines as JSON in the wire's spelling.
import type { Command, Op } from "./command.ts"
import type { JsonObject } from "./json.ts"

/** A command and the message for it, encoded once. */
export interface EncodedCommand {
  readonly command: Command
  readonly text: string
}

/** The message for a command (docs/contract.md sections 3 and 9): one line of JSON without a line end. */
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

/** Our own key in an event's data: the line number of the saved log it came from, or the first and last of several. */
export const LOG_LINE = "log/line"

/** A bookkeeping line of a recording (docs/decisions.md 1.11). `at` is epoch ms. */
export function encodeNote(at: number, what: string, data: JsonObject): string {
  return JSON.stringify({ kind: "sidecar", at, what, ...data })
}

/** The keys of an op besides its name. `JSON.stringify` leaves out the undefined ones. */
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
