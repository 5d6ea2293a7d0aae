// Defines the fields of every event that the agent can send, by its name.
import type { Json } from "./json.ts"

export interface EventFields {
  readonly "runner/started": { readonly chartId: string | null; readonly resume: boolean }
  readonly "runner/start-config": { readonly config: readonly string[] | null }
  readonly "runner/event-processed": {
    readonly eventName: string | null
    readonly before: readonly string[] | null
    readonly after: readonly string[] | null
    readonly entered: readonly string[]
    readonly exited: readonly string[]
  }
  readonly "runner/done": { readonly finalConfig: readonly string[] | null; readonly status: string | null }
  readonly "runner/aborted": { readonly reason: string | null }
  readonly "runner/error": { readonly message: string | null }
  readonly "runner/tick": object
  readonly "llm/start": { readonly model: string | null }
  readonly "llm/request": {
    readonly model: string | null
    readonly messages: number | null
    readonly user: readonly Block[]
    readonly system: string | null
    readonly ioRef: string | null
  }
  readonly "llm/response": {
    readonly model: string | null
    readonly content: readonly Block[] | null
    readonly stopReason: string | null
    readonly usage: Usage
    readonly outputTps: number | null
    readonly elapsedMs: number | null
    readonly ioRef: string | null
  }
  readonly "llm/error": { readonly message: string | null }
  readonly "llm/model-down": {
    readonly model: string | null
    readonly message: string | null
    readonly category: string | null
    readonly remaining: number | null
  }
  readonly "llm/tool-result": {
    readonly tool: string | null
    readonly isError: boolean
    readonly preview: string | null
    /** Raw; absent if the agent doesn't say which call this is the result of. */
    readonly callId?: string
    /** How long the call took; null if nobody measured it. */
    readonly elapsedMs: number | null
  }
  /** `isError`: the session is known to have failed. */
  readonly "llm/worker-exit": { readonly reason: string | null; readonly isError: boolean }
  readonly "llm/user-message": { readonly text: string | null }
  readonly "llm/context-warning": { readonly usedFrac: number | null }
  readonly "llm/model-policy-empty": { readonly policy: string | null; readonly strict: boolean }
  readonly "llm/retry": {
    readonly model: string | null
    readonly category: string | null
    readonly attempt: number | null
    readonly maxRetries: number | null
  }
  readonly "human-input/start": { readonly inputKind: string | null; readonly prompt: string | null }
  /** `answer` is raw, undefined if the chart keeps it private; `shown` is the answer on one line, null if private. */
  readonly "human-input/answer": {
    readonly inputKind: string | null
    readonly answer: Json | undefined
    readonly shown: string | null
  }
  readonly "human-input/cancelled": object
  readonly "human-input/error": { readonly message: string | null }
  readonly "human-input/validation-failed": { readonly errors: readonly string[] }
  readonly "human-input/interrupted": object
  readonly "checkpoint/written": object
  readonly "debug/awaiting-quit": { readonly message: string | null }
  readonly "debug/awaiting-step": { readonly eventName: string | null; readonly external: boolean }
  readonly "transcript/serialize-error": object
  /** Anything but replies and calls that a guest's parser found: `adapter/NAME` (docs/wire.md). */
  readonly "adapter/line": { readonly name: string; readonly text: string; readonly isError: boolean }
  /** An event we don't know, with its data as printed JSON. */
  readonly other: { readonly shown: string }
}

/** The body of an event; `type` is its name. */
export type EventBody<T extends keyof EventFields = keyof EventFields> = {
  readonly [Type in T]: { readonly type: Type } & EventFields[Type]
}[T]
/** The token counts of a reply; null where the provider doesn't report them. */
export interface Usage {
  readonly input: number | null
  readonly output: number | null
  readonly cached: number | null
}

/** One part of a message; `other` is one that we don't know. A call and its result may share a raw `callId`. */
export type Block =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "thinking"; readonly text: string }
  | { readonly type: "tool-call"; readonly name: string; readonly input: string; readonly callId?: string }
  | { readonly type: "tool-result"; readonly text: string; readonly isError: boolean; readonly callId?: string }
  | { readonly type: "other"; readonly name: string; readonly shown: string }
