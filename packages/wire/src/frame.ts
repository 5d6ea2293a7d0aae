// Defines the frames that the agent can send, one type per `kind` of docs/contract.md and docs/contract.md section 3.
import type { decodeAnswer, decodePrompt } from "./decode-prompt.ts"
import type {
  decodeCatalog,
  decodeControl,
  decodeConversation,
  decodeDebug,
  decodePending,
  decodePhase,
  decodeProgress,
  decodeTurn,
} from "./decode-status.ts"
import type { EventBody } from "./event-body.ts"
import type { JsonObject } from "./json.ts"

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

/** The frame that a decoder returns. A string from it gives the reason why the row is none. */
type Read<D extends (...args: never) => unknown> = Readonly<Exclude<ReturnType<D>, string>>

export type { PromptOption, PromptType } from "./decode-prompt.ts"
export type PromptFrame = Read<typeof decodePrompt>
export type PhaseFrame = Read<typeof decodePhase>
/** What the debugger says now. It leaves out what it does not speak of: null then, undefined where null is a value. */
export type DebugFrame = Read<typeof decodeDebug>
export type DebugMode = NonNullable<DebugFrame["mode"]>
export type PendingEvent = Read<typeof decodePending>
export type Branch = NonNullable<DebugFrame["branch"]>
export type ControlFrame = Read<typeof decodeControl>
export type ProgressFrame = Read<typeof decodeProgress>
export type ConversationFrame = Read<typeof decodeConversation>
export type ConversationTurn = Read<typeof decodeTurn>
export type CatalogFrame = Read<typeof decodeCatalog>
export type AnswerFrame = Read<typeof decodeAnswer>
