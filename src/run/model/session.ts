// One model conversation as the run keeps it: what seldom changes, and what changes with every delta.

import type { ParseState } from "../../parse/parser-state.ts"
import type { SegmentType } from "../../parse/segment.ts"
import type { Usage } from "../../protocol/frame.ts"
import type { CapturePlace, ReplaySource } from "./capture-place.ts"
import type { ChunkedList } from "./chunked-list.ts"
import type { GroupId, SessionId } from "./id.ts"

export interface Invocation {
  readonly id: GroupId
  readonly epoch: number
  /** Raw, for equality and echo. */
  readonly invokeid: string | null
  readonly title: string
  /** Indexes into `sessions`, in order of first appearance. */
  readonly sessions: readonly number[]
}

export interface Session {
  readonly id: SessionId
  readonly epoch: number
  readonly invocation: number
  readonly sessionId: string
  readonly title: string
  /** Number of `llm/start`. */
  readonly turns: number
  /** What was said before what now streams. */
  readonly entries: ChunkedList<Entry>
  /** What the entries weigh whose texts are in memory, about: UTF-16 units. */
  readonly heldUnits: number
  /** Index of the first entry that belongs to the reply under way: what its response may replace. */
  readonly replyFrom: number
  /** The latest system text among the entries. */
  readonly system: string | null
  readonly stopReason: string | null
  readonly exitReason: string | null
  /** First error of the latest turn. */
  readonly error: string | null
  /** The run's latest `ts` when it failed, and when the agent warned of the context; epoch ms. */
  readonly errorTs: number | null
  readonly contextTs: number | null
  /** The latest call of a tool, and how often it came in a row. */
  readonly repeat: Repeat | null
  /** Attempt and limit of the latest retry of this turn. */
  readonly retry: { readonly attempt: number | null; readonly max: number | null; readonly why: string | null } | null
  readonly usage: Usage
  /** The replies so far, each of a later turn than the one before. */
  readonly replies: ChunkedList<Reply>
  /** Tokens of all turns that were replied to. */
  readonly totalUsage: Usage
  /** The first and the latest `ts` of its events other than deltas, epoch ms. */
  readonly beganTs: number | null
  readonly lastTs: number | null
  /** What it was doing, from when on; in order of time. */
  readonly stages: ChunkedList<Stage>
  /** Calls of tools in the latest reply whose results have not come. */
  readonly pendingCalls: number
  /** Where its latest turn that said so is captured. */
  readonly capturePlace: CapturePlace | null
  /** Of a branch: where its latest event came from. */
  readonly replaySource: ReplaySource | null
  /** Fraction of the context window in use, where the agent warned of it. */
  readonly contextUsed: number | null
  /** Spans of `seq` numbers that coalesced deltas of this session stand for, newest last. */
  readonly coalescedRanges: readonly { readonly from: number; readonly to: number }[]
}

/** What answered a turn: which model, and how many tokens that took. */
export interface Reply {
  readonly turn: number
  readonly model: string | null
  readonly usage: Usage
}

/** `waiting` for a turn to begin, `tool` for a result, `human` for an answer; `failed` and `over` do nothing more. */
export type StageKind = "waiting" | "first-token" | "generation" | "tool" | "human" | "failed" | "over"

/** What a session does from a time on, until its next stage. */
export interface Stage {
  readonly kind: StageKind
  /** Epoch ms; never below that of the stage before. */
  readonly ts: number
  readonly turn: number
}

/** Calls in a row that are alike: by their arguments, or by their results where no call was ever shown. */
export interface Repeat {
  readonly by: "tool-call" | "tool-result"
  readonly name: string | null
  readonly text: string
  readonly count: number
  /** The run's latest `ts` at the first of them, epoch ms. */
  readonly since: number | null
}

export type SessionStatus = "waiting" | "streaming" | "done" | "error"

/** What changes with every delta, all of it of the latest turn but where it says otherwise. Times are epoch ms. */
export interface TurnBuffer {
  readonly status: SessionStatus
  /** The latest that was named, in whatever turn. */
  readonly model: string | null
  readonly tokens: number
  readonly deltas: number
  /** True once the provider's own count is known; deltas are not counted as tokens from then on. */
  readonly hasReportedTokens: boolean
  readonly startTs: number | null
  /** `seq` of the `llm/start` of this turn, -1 where it is not known. */
  readonly startSeq: number
  readonly firstTs: number | null
  readonly lastTs: number | null
  readonly lastSeq: number
  /** `output-tps` of the response. */
  readonly tps: number | null
  /** The response has come: its content stands in `entries`. */
  readonly replied: boolean
  /** Text so far: whole pieces, and a tail that still grows. */
  readonly pieces: ChunkedList<TextPiece>
  readonly tail: string
  readonly tailThinking: boolean
  /** The parser of the text so far, null where none was asked for: then its segments stand in `parts` and `part`. */
  readonly parser: ParseState | null
  readonly parts: ChunkedList<SegmentPart>
  readonly part: SegmentPart | null
}

/** A stretch of a segment that the streaming parser found; a long segment is several stretches of one id. */
export interface SegmentPart {
  readonly id: string
  readonly type: SegmentType
  /** The path of a file or the name of a tool; empty where there is none. */
  readonly label: string
  readonly text: string
  readonly end: "open" | "whole" | "cut"
}

export interface TextPiece {
  readonly thinking: boolean
  readonly text: string
}

/** One block of a session's transcript. `text` is in chunks, to be joined only where it is shown. */
export interface Entry {
  readonly type: "system" | "user" | "text" | "thinking" | "tool-call" | "tool-result" | "error" | "note"
  /** Tool or block name. */
  readonly name: string | null
  readonly text: readonly string[]
  readonly isError: boolean
  /** Of a tool call and its result: what joins the two, raw; absent where the agent gives none. */
  readonly callId?: string
  /** Of a tool result: how long the call took. */
  readonly elapsedMs?: number
  readonly turn: number
  /** The `io/ref` of the file that holds the whole of it (docs/contract.md section 5), raw; null where none was named. */
  readonly ref: string | null
  /** It came as deltas, and a response of the same turn takes its place. */
  readonly streamed: boolean
  /** The line that made it, counted from 0, and which of the entries that this line made; -1 for a system text. */
  readonly line: number
  readonly part: number
  /** Memory has let go of its text: it has to be read back, or was looked for on the tape and cannot be had. */
  readonly evicted?: "unread" | "lost"
}

export const noUsage: Usage = { input: null, output: null, cached: null }
