// Defines the frames that the agent can send, one type per `kind` of docs/contract.md and docs/contract.md section 3.
import type { EventBody } from "./event-body.ts"
import type { Json, JsonObject } from "./json.ts"

/** A decoded message. Ids, option values and `data` are raw; all other strings are sanitized. `null` means absent. */
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

/** A line that can't be decoded, and why. `raw` is truncated to 4,096 UTF-16 units. */
export interface Malformed {
  readonly kind: "malformed"
  readonly raw: string
  /** Length of the whole line, in UTF-16 units. */
  readonly length: number
  readonly why: string
}

/** A bookkeeping line of our own recordings (docs/decisions.md 1.11), for time and connection state. Not a frame. */
export interface Note {
  readonly kind: "note"
  readonly at: number | null
  readonly what: string
  readonly data: JsonObject
}

/** An empty line. It counts only so that line numbers stay right. */
export interface Blank {
  readonly kind: "blank"
}

export type Decoded = Frame | Malformed | Note | Blank

/** True for a line that is a frame of the agent's. */
export function isFrame(line: Decoded): line is Frame {
  return line.kind !== "note" && line.kind !== "blank" && line.kind !== "malformed"
}

/** An `llm/delta` event. Deltas are the hot path, so they have a flat shape of their own. */
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
  /** The provider's running count of tokens; null if it doesn't stream one. */
  readonly outputTokens: number | null
  /** How many deltas this frame stands for; 1 if the hub merged nothing. */
  readonly coalesced: number
  /** True for a whole block that did not stream: it has no tokens, no rate and no time to the first token. */
  readonly whole: boolean
  /** As in `EventFrame`; absent if there are none. */
  readonly faults?: readonly string[]
}

export interface EventFrame {
  readonly kind: "event"
  readonly seq: number | null
  readonly ts: number | null
  /** The event's name, known (`llm/start`) or not, sanitized. */
  readonly name: string
  readonly invokeid: string | null
  readonly sessionId: string | null
  readonly body: EventBody
  readonly data: JsonObject
  /** The row's position in the chart; rows on disk have one, rows from the socket don't. */
  readonly place: { readonly nodeId: string; readonly visit: number | null; readonly turn: number | null } | null
  /** One line for each key of the wrong type, which counts as absent: `data.text: expected text, got number`. */
  readonly faults: readonly string[]
  /** UTF-16 units of its line, 0 if it came as an object. */
  readonly units: number
}

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
  /** Raw. An answer carries this value, not the label. */
  readonly value: Json
}

export interface PromptFrame {
  readonly kind: "prompt"
  readonly promptId: string
  readonly invokeid: string | null
  readonly type: PromptType
  readonly question: string
  readonly options: readonly PromptOption[]
  /** Raw; undefined if the chart defines none that can be the answer. */
  readonly default: Json | undefined
  /** True if the answer must not be shown or written to a file. */
  readonly secret: boolean
  readonly opts: JsonObject
  /** One line for each key of the wrong type, as in `EventFrame`. */
  readonly faults: readonly string[]
}

export type DebugMode = "running" | "paused-at-turn" | "branch-running"

/** What the debugger says now. It leaves out what it does not speak of: null then, undefined where null is a value. */
export interface DebugFrame {
  readonly kind: "debug"
  readonly paused: boolean | null
  readonly stepBudget: number | null
  readonly mode: DebugMode | null
  readonly turnIndex: number | null | undefined
  readonly breakpointArmed: boolean | null
  readonly branch: Branch | null | undefined
  readonly branchError: string | null
  readonly config: readonly string[] | null
  /** The events in the agent's queue; null if the frame doesn't list them. */
  readonly pendingEvents: readonly PendingEvent[] | null
}

/** An event in the agent's queue; all strings are sanitized. */
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

/** A control op. Only `run-finished` comes from the agent; a recording also holds the ops that we sent. */
export interface ControlFrame {
  readonly kind: "control"
  readonly op: string
  /** For `run-finished`: the vector as one printed string, or its members if it came as a list. */
  readonly finalConfig: readonly string[] | null
}

/** The progress of an invocation. `fraction` is 0 to 1, or null if unknown. */
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
  /** Raw, because they may be edited and sent back. */
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

/** An answer that we sent. Found only in recordings, never sent by an agent. */
export interface AnswerFrame {
  readonly kind: "answer"
  readonly promptId: string
  readonly cancelled: boolean
  /** Undefined if cancelled, and of a secret answer, which went out on the wire and nowhere else. */
  readonly value: Json | undefined
  readonly secret: boolean
}
