// Translates commands into calls of the agent's API, where the API has an equivalent.
import type { Command } from "../protocol/command.ts"
import type { EqlOp, EqlOutcome } from "./eql.ts"

export type EqlCall =
  | { readonly type: "answer"; readonly promptId: string; readonly outcome: EqlOutcome }
  | { readonly type: "op"; readonly op: EqlOp }

/** The call for a command; null if the API has none. */
export function toEqlCall(command: Command): EqlCall | null {
  switch (command.type) {
    case "answer":
      return { type: "answer", promptId: command.promptId, outcome: { value: command.value } }
    case "cancel":
      return { type: "answer", promptId: command.promptId, outcome: { cancelled: true } }
    case "pause":
    case "continue":
    case "arm":
      return { type: "op", op: { type: command.type } }
    case "step":
      return { type: "op", op: { type: command.type, n: command.n } }
    default:
      return null
  }
}
