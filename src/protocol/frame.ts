import type { Json, JsonObject } from "./json.ts"

/**
 * Everything the agent can say, in our spelling: one member per `kind` of docs/wire.md and of
 * docs/contract.md section 3. Ids (`invokeid`, `sessionId`, `promptId`), option values and `data` are raw, for equality and
 * echo; every other string has passed `inert()` and may be shown. `null` stands for absent.
 */
export type Frame =
  | DeltaFrame
  | EventFrame
  | PhaseFrame
  | PromptFrame
  | DebugFrame
  | ControlFrame
  | ProgressFrame
  | ConversationFrame
  | CatalogFrame
  | AnswerFrame

/** A line that is no frame: what it said and why it was not understood. `raw` is cut at 4 KB, `length` is not. */
export interface MalformedLine {
  readonly kind: "malformed"
  readonly raw: string
  /** Length of the whole line, in UTF-16 units. */
  readonly length: number
  readonly why: string
}

/** A bookkeeping line of our own recordings (docs/decisions.md 1.11). It carries time and link state and is no frame. */
export interface Note {
  readonly kind: "note"
  readonly at: number | null
  readonly what: string
  readonly data: JsonObject
}

/** An empty line: counted so that line numbers hold, and nothing else. */
export interface Blank {
  readonly kind: "blank"
}

export type Decoded = Frame | MalformedLine | Note | Blank

/** `llm/delta`, the hot path, in a shape of its own. */
export interface DeltaFrame {
  readonly kind: "delta"
  readonly seq: number | null
  /** Epoch ms. */
  readonly ts: number | null
  readonly invokeid: string | null
  readonly sessionId: string | null
  readonly thinking: boolean
  readonly text: string
  readonly model: string | null
  /** The provider's running count, where it streams one. */
  readonly outputTokens: number | null
  /** How many deltas this frame stands for; 1 where the hub merged nothing. */
  readonly coalesced: number
  /** Keys whose type was wrong, as in `EventFrame`. Missing where there is none. */
  readonly faults?: readonly string[]
}

/** Any other transcript event. */
export interface EventFrame {
  readonly kind: "event"
  readonly seq: number | null
  readonly ts: number | null
  /** The event's name, inert: `llm/start`, or whatever an unknown event calls itself. */
  readonly name: string
  readonly invokeid: string | null
  readonly sessionId: string | null
  readonly body: EventBody
  /** The event's `data` as it came. */
  readonly data: JsonObject
  /** Where the row lies in the chart, where the row says so (disk rows do, socket rows do not). */
  readonly at: { readonly nodeId: string; readonly visit: number | null; readonly turn: number | null } | null
  /** Keys whose type was wrong and which therefore count as absent: `data.text: expected text, got number`. */
  readonly faults: readonly string[]
}

export type EventBody =
  | { readonly type: "runner/started"; readonly chartId: string | null; readonly resume: boolean }
  | { readonly type: "runner/start-config"; readonly config: readonly string[] | null }
  | {
      readonly type: "runner/event-processed"
      readonly eventName: string | null
      readonly before: readonly string[] | null
      readonly after: readonly string[] | null
      readonly entered: readonly string[]
      readonly exited: readonly string[]
    }
  | { readonly type: "runner/done"; readonly finalConfig: readonly string[] | null; readonly status: string | null }
  | { readonly type: "runner/aborted"; readonly reason: string | null }
  | { readonly type: "runner/error"; readonly message: string | null }
  | { readonly type: "runner/tick" }
  | { readonly type: "llm/start"; readonly model: string | null }
  | {
      readonly type: "llm/request"
      readonly model: string | null
      readonly messages: number | null
      readonly user: readonly Block[]
      readonly system: string | null
      readonly ioRef: string | null
    }
  | {
      readonly type: "llm/response"
      readonly model: string | null
      readonly content: readonly Block[] | null
      readonly stopReason: string | null
      readonly usage: Usage
      readonly outputTps: number | null
      readonly elapsedMs: number | null
      readonly ioRef: string | null
    }
  | { readonly type: "llm/error"; readonly message: string | null }
  | {
      readonly type: "llm/model-down"
      readonly model: string | null
      readonly message: string | null
      readonly category: string | null
      readonly remaining: number | null
    }
  | {
      readonly type: "llm/tool-result"
      readonly tool: string | null
      readonly isError: boolean
      readonly preview: string | null
      /** Raw; absent where the agent does not say which call this answers. */
      readonly callId?: string
      /** How long the call took, where somebody measured it. */
      readonly elapsedMs: number | null
    }
  /** `isError`: the worker failed, where somebody says so. */
  | { readonly type: "llm/worker-exit"; readonly reason: string | null; readonly isError: boolean }
  | { readonly type: "llm/user-message"; readonly text: string | null }
  | { readonly type: "llm/context-warning"; readonly usedFrac: number | null }
  | { readonly type: "llm/model-policy-empty"; readonly policy: string | null; readonly strict: boolean }
  | {
      readonly type: "llm/retry"
      readonly model: string | null
      readonly category: string | null
      readonly attempt: number | null
      readonly maxRetries: number | null
    }
  | { readonly type: "human-input/start"; readonly inputKind: string | null; readonly prompt: string | null }
  | {
      readonly type: "human-input/answer"
      readonly inputKind: string | null
      /** Undefined where the chart keeps the answer private. Raw. */
      readonly answer: Json | undefined
      /** The answer as one line of text that may be shown; null where it is private. */
      readonly shown: string | null
    }
  | { readonly type: "human-input/cancelled" }
  | { readonly type: "human-input/error"; readonly message: string | null }
  | { readonly type: "human-input/validation-failed"; readonly errors: readonly string[] }
  | { readonly type: "human-input/interrupted" }
  | { readonly type: "checkpoint/written" }
  | { readonly type: "debug/awaiting-quit"; readonly message: string | null }
  | { readonly type: "debug/awaiting-step"; readonly eventName: string | null; readonly external: boolean }
  | { readonly type: "transcript/serialize-error" }
  /** What a guest's parser found beside replies and calls: `adapter/NAME` (docs/wire.md). */
  | { readonly type: "adapter/line"; readonly name: string; readonly text: string; readonly isError: boolean }
  /** An event nobody told us about: its row is its name and its data, printed. */
  | { readonly type: "other"; readonly shown: string }

/** Token counts of a reply; null where the provider does not say. */
export interface Usage {
  readonly input: number | null
  readonly output: number | null
  readonly cached: number | null
}

/**
 * One part of a message: text, thinking, a tool call, a tool result, or something newer. A call and its result share a
 * `callId`, raw, where the agent gives one.
 */
export type Block =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string }
  | { readonly type: "tool-call"; readonly name: string; readonly input: string; readonly callId?: string }
  | { readonly type: "tool-result"; readonly text: string; readonly isError: boolean; readonly callId?: string }
  | { readonly type: "other"; readonly name: string; readonly shown: string }

/** docs/contract.md section 9. `null` lists are absent keys. */
export interface PhaseFrame {
  readonly kind: "phase"
  readonly ts: number | null
  readonly config: readonly string[]
  readonly breadcrumb: readonly string[] | null
  readonly siblings: readonly string[] | null
}

export type PromptType = "text" | "select" | "multi" | "confirm"

export interface PromptOption {
  readonly label: string
  /** Any JSON, raw: this and not the label is what an answer holds. */
  readonly value: Json
}

/** docs/contract.md section 9. */
export interface PromptFrame {
  readonly kind: "prompt"
  readonly promptId: string
  readonly invokeid: string | null
  readonly type: PromptType
  readonly question: string
  readonly options: readonly PromptOption[]
  /** Raw; undefined where the chart gives none. */
  readonly default: Json | undefined
  readonly opts: JsonObject
}

export type DebugMode = "running" | "paused-at-turn" | "branch-running"

/** docs/contract.md sections 3 and 9. */
export interface DebugFrame {
  readonly kind: "debug"
  readonly paused: boolean
  readonly stepBudget: number
  readonly mode: DebugMode
  readonly turnIndex: number | null
  readonly breakpointArmed: boolean
  readonly branch: Branch | null
  readonly branchError: string | null
  readonly config: readonly string[] | null
  /** Events that wait in the agent's queue, where the frame tells of them. */
  readonly pendingEvents: readonly PendingEvent[] | null
}

/** An event that waits. All of it may be shown. */
export interface PendingEvent {
  readonly name: string | null
  readonly data: string
  readonly target: string | null
  readonly external: boolean
  /** Epoch ms. */
  readonly deliveryTime: number | null
}

export interface Branch {
  readonly sessionId: string | null
  readonly parent: string | null
  readonly point: { readonly nodeId: string | null; readonly visit: number | null; readonly turn: number | null } | null
}

/** A control op seen inbound or in a recording: `run-finished` flows agent to UI, all others are echoes of ours. */
export interface ControlFrame {
  readonly kind: "control"
  readonly op: string
  /** Of `run-finished`: the printed vector, or its members where it came as a list. */
  readonly finalConfig: readonly string[] | null
}

/** A progress bar on an invocation's row. `fraction` is 0 to 1, null where none was given. */
export interface ProgressFrame {
  readonly kind: "progress"
  readonly phase: "start" | "update" | "end"
  readonly invokeid: string | null
  readonly label: string | null
  readonly fraction: number | null
}

export interface ConversationTurn {
  readonly turn: number | null
  readonly model: string | null
  readonly system: string | null
  /** Raw: they may be edited and sent back. */
  readonly messages: readonly { readonly role: string; readonly text: string }[]
}

export interface ConversationFrame {
  readonly kind: "conversation"
  readonly invokeid: string | null
  readonly nodeId: string | null
  readonly visit: number | null
  readonly turns: readonly ConversationTurn[]
}

export interface CatalogFrame {
  readonly kind: "model-catalog"
  readonly aliases: readonly {
    readonly alias: string
    readonly targets: readonly { readonly provider: string | null; readonly model: string | null }[]
  }[]
  readonly preferences: readonly string[] | null
}

/** An answer as a recording keeps it: outbound, so it never comes from an agent. */
export interface AnswerFrame {
  readonly kind: "answer"
  readonly promptId: string
  readonly cancelled: boolean
  readonly value: Json | undefined
}
