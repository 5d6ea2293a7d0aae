// Creates local frames: the commands that we send, and the notes of our recordings.
import type { Command } from "./command.ts"
import { encode } from "./encode.ts"
import type { AnswerFrame, ControlFrame, Note } from "./frame.ts"
import type { JsonObject } from "./json.ts"

/** A frame of our own in the run, and its line in a recording, which decodes to the same frame. */
export interface LocalFrame {
  readonly frame: AnswerFrame | ControlFrame | Note
  readonly text: string
}

/** A command as a frame. Its text is also the message to send. */
export function commandFrame(command: Command): LocalFrame {
  return { frame: frameOf(command), text: encode(command) }
}

function frameOf(command: Command): AnswerFrame | ControlFrame {
  switch (command.type) {
    case "answer":
      return { kind: "answer", promptId: command.promptId, cancelled: false, value: command.value }
    case "cancel":
      return { kind: "answer", promptId: command.promptId, cancelled: true, value: undefined }
    default:
      return { kind: "control", op: command.type, finalConfig: null }
  }
}

/** A bookkeeping note (docs/decisions.md 1.11). `at` is epoch ms. */
export function noteFrame(at: number, what: string, data: JsonObject): LocalFrame {
  const row = { kind: "sidecar", at, what, ...data }
  return { frame: { kind: "note", at, what, data: row }, text: JSON.stringify(row) }
}
