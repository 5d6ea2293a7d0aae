// Encodes our commands and bookkeeping lines as JSON in the wire's spelling, and makes local frames of them.
import type { Command, Op } from "./command.ts"
import type { AnswerFrame, ControlFrame, Note } from "./frame.ts"
import type { JsonObject } from "./json.ts"

export interface EncodedCommand {
  readonly command: Command
  readonly text: string
}

/** The message for a command (docs/contract.md sections 3 and 9): one line of JSON without a line end. */
export function encode(command: Command): string {
  if (command.type === "answer")
    return JSON.stringify({ kind: "answer", "prompt-id": command.promptId, value: command.value })
  if (command.type === "cancel")
    return JSON.stringify({ kind: "answer", "prompt-id": command.promptId, cancelled: true })
  return JSON.stringify({ kind: "control", op: command.type, ...encodeDetails(command) })
}

/** Our own key in an event's data: the line number of the saved log it came from, or the first and last of several. */
export const LOG_LINE = "log/line"

/** The keys of an op besides its name. `JSON.stringify` leaves out the undefined ones. */
function encodeDetails(op: Op): object {
  if (op.type === "step") return { n: op.n }
  if (op.type === "choose") return { what: op.what, "session-id": op.sessionId }
  if (!("invokeid" in op)) return {}
  const { invokeid, nodeId, visit } = op
  const place = { invokeid, "node-id": nodeId, visit }
  return op.type === "rerun-from"
    ? { "session-id": op.sessionId, ...place, turn: op.turn, overrides: op.overrides }
    : place
}

/** A frame of our own in the run, and its line in a recording, which decodes to the same frame. */
export interface LocalFrame {
  readonly frame: AnswerFrame | ControlFrame | Note
  readonly text: string
}

/** A command as a frame. Its text is the message to send, but without a secret answer. */
export function commandFrame(command: Command): LocalFrame {
  const frame = frameOf(command)
  if (frame.kind !== "answer" || !frame.secret) return { frame, text: encode(command) }
  return { frame, text: JSON.stringify({ kind: "answer", "prompt-id": frame.promptId, value: null, secret: true }) }
}

function frameOf(command: Command): AnswerFrame | ControlFrame {
  if (command.type === "answer") {
    const { promptId, secret = false } = command
    return { kind: "answer", promptId, cancelled: false, value: secret ? undefined : command.value, secret }
  }
  if (command.type === "cancel")
    return { kind: "answer", promptId: command.promptId, cancelled: true, value: undefined, secret: false }
  return { kind: "control", op: command.type, finalConfig: null }
}

/** A bookkeeping note (docs/decisions.md 1.11). `at` is epoch ms; null if nobody knows the time. */
export function noteFrame(at: number | null, what: string, data: JsonObject): LocalFrame {
  const row = { kind: "sidecar", at, what, ...data }
  return { frame: { kind: "note", at, what, data: row }, text: JSON.stringify(row) }
}
