// A model conversation as the run stores it: a record that changes rarely, and a buffer that changes with every delta.
import type { ParseState } from "../../../packages/llm-stream-segments/src/parse/parser-state.ts"
import type { Metadata, SegmentType } from "../../../packages/llm-stream-segments/src/parse/segment.ts"
import type { CapturePlace, ReplaySource } from "../../../packages/wire/src/capture-place.ts"
import type { TokenCounts, Usage } from "../../../packages/wire/src/event-body.ts"
import type { ChunkedList } from "./chunked-list.ts"
import type { GroupId, SessionId } from "./id.ts"
import type { Account, Accounts, Bill } from "./ledger.ts"

export interface Invocation {
  readonly id: GroupId
  readonly epoch: number
  /** Raw, since it is compared and sent back. */
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
  /** Its name among its siblings: the agent's words or a number, and the branch. May be shown. */
  readonly label: string
  readonly turns: number
  /** Everything said before the text that is streaming now. */
  readonly entries: ChunkedList<Entry>
  /** Approximate UTF-16 units of the entries whose text is in memory. */
  readonly heldUnits: number
  /** Index of the first entry of the current reply; a response may replace entries from here on. */
  readonly replyFrom: number
  /** The latest system text among the entries, and the `order` of its entry; null and -1 before there is one. */
  readonly system: string | null
  readonly systemOrder: number
  readonly stopReason: string | null
  readonly exitReason: string | null
  readonly error: string | null
  /** The latest tool call and how often it was repeated in a row. */
  readonly repeat: Repeat | null
  readonly usage: Usage
  /** Input tokens of the latest single request with a count, in any turn, and of the request before it. */
  readonly inputs: {
    readonly latest: number | null
    readonly before: number | null
    /** The share of the context that the agent has warned of since. */
    readonly warned: number | null
  }
  /** One for each turn that has a reply or is over, in order of turns. */
  readonly replies: ChunkedList<Reply>
  /** The records that late events replaced in `replies`, at `place`, so that an earlier moment can be restored. */
  readonly corrected: ChunkedList<{ readonly place: number; readonly was: Reply }>
  /** Tool calls that failed, and replies that were refused or truncated, in all turns. */
  readonly failedTools: number
  readonly truncatedReplies: number
  /** Tokens of all replies except those served from captures. */
  readonly totalUsage: Usage
  readonly account: Account
  /** First and latest `ts` of its events other than deltas, epoch ms. */
  readonly beganTs: number | null
  readonly lastTs: number | null
  readonly stages: ChunkedList<Stage>
  /** Tool calls of the latest reply that have no result yet, in order. */
  readonly pendingCalls: readonly PendingCall[]
  /** Ms for which one of these calls asked a person. They come off the time of the call. */
  readonly askedMs: number
  /** The latest reply called tools, so another turn is expected. */
  readonly callsTools: boolean
  /** The beginning of the latest reply's text, on one line; null before there is one. */
  readonly firstLine: string | null
  /** Where the latest turn that reported it is captured. */
  readonly capturePlace: CapturePlace | null
  /** For a branch: where its latest event came from. */
  readonly replaySource: ReplaySource | null
  /** Used fraction of the context window, if the agent warned about it. */
  readonly contextUsed: number | null
  /** Ranges of `seq` numbers that coalesced deltas of this session stand for, newest last. */
  readonly coalescedRanges: readonly { readonly from: number; readonly to: number }[]
}

/** A tool call without a result; `input` is the beginning of its arguments. */
export interface PendingCall {
  readonly name: string
  readonly input: string
  readonly callId: string | undefined
  /** When it was made, epoch ms. */
  readonly ts: number | null
}

/** The model of a turn, the tokens it used, and how it went. */
export interface Reply {
  readonly turn: number
  readonly model: string | null
  readonly usage: Usage
  readonly context: RequestInput
  readonly stopReason: string | null
  readonly failedTools: number
  /** It was served from a capture, so its tokens were not spent. */
  readonly captured: boolean
  readonly account: Account
  /** The account by model; null if all of it is of `model`. */
  readonly models: Accounts | null
  /** The chart's state of its requests, and the `seq` of its `llm/start`, never less than the turn's before it. */
  readonly state: string | null
  readonly startSeq: number
  /** The `order` of the entry with the system text of its requests; -1 if there is none. */
  readonly systemOrder: number
  /** The end of its last reply if no response came, though one that is missing may still come; null otherwise. */
  readonly cut: CutReply | null
}

/**
 * The input tokens of a turn's first and of its latest request, with the cached part of the latest. Null if no single
 * request was reported: the sum of several says nothing about a context.
 */
export interface RequestInput {
  readonly first: number | null
  readonly latest: number | null
  readonly cached: number | null
}

export type CutReply = Pick<TurnBuffer, "deltas" | "tokens"> &
  Pick<Turn, "requestTs" | "firstTs" | "endTs" | "hasReportedTokens">

/**
 * `waiting` for a turn, `tool` for a result, `human` for an answer. Nothing follows `failed` and `over`.
 * `tool-failed` is a moment: the next stage begins with it.
 */
export type StageKind = "waiting" | "first-token" | "generation" | "tool" | "human" | "failed" | "over" | "tool-failed"

/** A stage of a session, from a moment until its next stage. */
export interface Stage {
  readonly kind: StageKind
  /** Epoch ms; never less than the previous stage's. */
  readonly ts: number
  readonly turn: number
}

/** Identical calls in a row, compared by arguments, or by results if the agent reports no calls. */
export interface Repeat {
  readonly by: "tool-call" | "tool-result"
  readonly name: string | null
  readonly text: string
  readonly count: number
  /** The run's latest `ts` at the first of them, epoch ms. */
  readonly since: number | null
}

export type SessionStatus = "waiting" | "streaming" | "done" | "error"

/** The facts of the latest turn that change a few times in it, without its text. Times are epoch ms. */
export interface Turn {
  /** The latest model named in any turn. */
  readonly model: string | null
  readonly status: SessionStatus
  /** The turn is served from a capture: its tokens are not spent. */
  readonly captured: boolean
  /** True once the provider has reported a count; from then on deltas are not counted as tokens. */
  readonly hasReportedTokens: boolean
  /** The response has arrived; its content is in `entries`. */
  readonly replied: boolean
  /** The latest retry of this turn: attempt, limit and reason; null once words came. */
  readonly retry: { readonly attempt: number | null; readonly max: number | null; readonly why: string | null } | null
  /** Output tokens that the session spent before this reply. */
  readonly spentBefore: number
  readonly startTs: number | null
  /** `seq` of this turn's `llm/start`; -1 if unknown. */
  readonly startSeq: number
  /** The chart's state when the turn began; null before its first turn. */
  readonly state: string | null
  /** When the reply was asked for, began and ended, also if it was cut; null if that is unknown. */
  readonly requestTs: number | null
  readonly firstTs: number | null
  readonly endTs: number | null
  /** `output-tps` of the response. */
  readonly tps: number | null
  /** The counts of the reply, and its cost in dollars if that was reported. */
  readonly counts: TokenCounts
  readonly reported: number | null
  /** Earlier replies without reported usage; `closed` once no report can come. */
  readonly unreported: number
  readonly closed: boolean
  /** The bill of the reply, and the usage of the whole turn so far, by model unless all of it is of `model`. */
  readonly bill: Bill
  readonly account: Account
  readonly models: Accounts | null
}

/** State that changes with every delta: it is copied for each batch that has one. Times are epoch ms. */
export interface TurnBuffer {
  readonly turn: Turn
  readonly tokens: number
  readonly deltas: number
  readonly lastTs: number | null
  readonly lastSeq: number
  /** The latest second with tokens, since the epoch, and its tokens; then those of the seconds up to it. */
  readonly second: number
  readonly secondTokens: number
  readonly earlier: readonly number[]
  /** UTF-16 units that were streamed, and those after the text below, which are not kept. */
  readonly units: number
  readonly missing: number
  /** Text so far: finished pieces and a tail that still grows. */
  readonly pieces: ChunkedList<TextPiece>
  readonly tail: string
  readonly tailThinking: boolean
  /** The parser's segments of the text so far; null without a parser. */
  readonly segments: Segments | null
  /** The latest deltas, in order of their numbers, while one with a lower number may still come; else null. */
  readonly latest: LatestDeltas | null
}

/** A parser, and its parts of segments: the finished parts, and the part that grows. */
export interface Segments {
  readonly parser: ParseState
  readonly parts: ChunkedList<SegmentPart>
  readonly part: SegmentPart | null
}

/** The text before some deltas, and these. */
export interface LatestDeltas {
  readonly before: Pick<TurnBuffer, "units" | "missing" | "pieces" | "tail" | "tailThinking" | "segments">
  readonly deltas: readonly LatestDelta[]
}

export type LatestDelta = TextPiece & { readonly seq: number }

/** Part of a segment that the streaming parser found; a long segment is several parts with one id. */
export interface SegmentPart {
  readonly id: string
  readonly type: SegmentType
  readonly label: string
  readonly text: string
  /** The metadata beside label and text; complete at the end of the segment. */
  readonly more: Metadata
  readonly end: "open" | "whole" | "cut"
}

export interface TextPiece {
  readonly thinking: boolean
  readonly text: string
}

/** One block of a session's transcript. `text` is in chunks that are joined only for display. */
export interface Entry {
  readonly type: "system" | "user" | "text" | "thinking" | "tool-call" | "tool-result" | "error" | "note"
  readonly name: string | null
  readonly text: readonly string[]
  readonly isError: boolean
  /** Raw id that links a tool call and its result; absent if the agent gives none. */
  readonly callId?: string
  /** Of a tool result: how long the call took. */
  readonly elapsedMs?: number
  readonly turn: number
  /** Raw `io/ref` of the file with the full text (docs/contract.md section 5); null if none was named. */
  readonly ref: string | null
  /** It came as deltas and is replaced by the response of the same turn. */
  readonly streamed: boolean
  /** UTF-16 units of its reply that were streamed after it and are not kept; absent if there are none. */
  readonly missing?: number
  /** The line it came from, counted from 0, and its number among the entries of that line; -1 for a system text. */
  readonly line: number
  readonly part: number
  /** The highest number of its epoch when it was made; it never falls from one entry to the next. */
  readonly order: number
  /** Its text has left memory: it can be read back (`unread`), or the frame log no longer has it (`lost`). */
  readonly evicted?: "unread" | "lost"
}

export const noUsage: Usage = { input: null, output: null, cached: null }
export const noCounts: TokenCounts = {
  ...noUsage,
  reasoning: null,
  written: null,
  summed: false,
  requests: 1,
  besideInput: null,
}

export type Mutable<T> = { -readonly [K in keyof T]: T[K] }
/** Output tokens that a session spent in all turns so far. */
export function spentTokens({ turn: { spentBefore, captured }, tokens }: TurnBuffer): number {
  return captured ? spentBefore : spentBefore + tokens
}
