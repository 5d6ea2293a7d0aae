// Defines the commands that we send to the agent (docs/contract.md sections 3 and 9).
import type { Json } from "./json.ts"

export type Command = Answer | Op

export type Answer =
  /** Of a secret one, only the message to the agent has the value. */
  | { readonly type: "answer"; readonly promptId: string; readonly value: Json; readonly secret?: boolean }
  | { readonly type: "cancel"; readonly promptId: string }

export type ChoiceKind = "model" | "mode" | "option" | "session"

/** Ops that are no more than their name. */
export const BARE_OPS = [
  ...(["pause", "continue", "arm", "ui-interrupt", "ui-quit"] as const),
  ...(["arm-llm-breakpoint", "turn-next", "turn-back", "request-model-catalog"] as const),
] as const

/** A control op. It acts now or is refused; ops are never queued (docs/decisions.md 3.1). */
export type Op =
  | { readonly type: (typeof BARE_OPS)[number] }
  | { readonly type: "step"; readonly n: number }
  /** Ours: makes an agent CLI ask for one of its choices. Without a session, the latest one is meant. */
  | { readonly type: "choose"; readonly what: ChoiceKind; readonly sessionId: string | null }
  | {
      readonly type: "request-conversation"
      readonly invokeid: string
      readonly nodeId?: string
      readonly visit?: number
    }
  | {
      readonly type: "rerun-from"
      readonly sessionId: string
      readonly invokeid: string
      readonly nodeId: string
      readonly visit: number
      readonly turn: number
      readonly overrides: { readonly [key: string]: Json }
    }
