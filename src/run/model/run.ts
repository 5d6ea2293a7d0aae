import type { ParserName } from "../../parse/syntax-rules.ts"
import type { AnswerFrame, CatalogFrame, ConversationFrame, DebugFrame, PromptFrame } from "../../protocol/frame.ts"
import type { BranchStart } from "./branches.ts"
import { type ChunkedList, emptyList } from "./chunked-list.ts"
import type { ParserWarning, RowSubject } from "./row.ts"
import type { Invocation, Session, TurnBuffer } from "./session.ts"
import { type Chart, noChart, type StateEntry } from "./visits.ts"

/**
 * Everything that the frames so far have said. A Run is plain immutable data: any that was kept stays true, so the
 * past can be shown by showing an earlier one.
 */
export interface Run {
  /** How the text of its sessions is parsed into segments; it is given, not said by a frame. */
  readonly strategy: ParserName
  /** How many rows at least, the latest, have their frames in memory; given like `strategy`. */
  readonly rowWindow: number
  /** UTF-16 units of texts that all sessions have in memory, about; each its share, and no less than a few screens. */
  readonly textBudget: number
  readonly frames: Counts
  readonly status: RunStatus
  /** Why it aborted or failed; null while there is nothing to say. */
  readonly reason: string | null
  readonly chart: Chart
  /** Least and greatest `ts` of all frames, epoch ms. */
  readonly firstTs: number | null
  readonly lastTs: number | null
  /** Output tokens of all turns of all sessions. */
  readonly tokens: number
  readonly epochs: readonly Epoch[]
  /** How many of them, the first ones, only the disk had: ids count epochs from the one behind these. */
  readonly diskEpochs: number
  readonly invocations: readonly Invocation[]
  readonly sessions: readonly Session[]
  /** The hot half of each session, at the same index. */
  readonly turnBuffers: readonly TurnBuffer[]
  /** The states that were entered, in all epochs. */
  readonly stateEntries: ChunkedList<StateEntry>
  /** Sessions on whose behalf a person is asked, one for each question that is open. */
  readonly askingSessions: readonly number[]
  readonly progress: readonly Progress[]
  readonly prompts: readonly Prompt[]
  /** Questions that the events tell of, and whose prompt never came: nobody here can answer them. */
  readonly missingPrompts: readonly MissingPrompt[]
  readonly debug: DebugFrame | null
  readonly branches: readonly BranchStart[]
  /** What the debugger waits for, in words; null once it goes on. */
  readonly awaiting: string | null
  readonly log: Log
  readonly malformed: readonly MalformedEntry[]
  /** What a guest's parser could not do, the first 64 of them. */
  readonly parserWarnings: readonly ParserWarning[]
  readonly catalog: CatalogFrame | null
  readonly conversations: readonly ConversationFrame[]
  readonly attachment: Attachment
  /** The session whose reply came last in this epoch, whole or in part. */
  readonly lastSpeaker: number | null
  /** How many of the next lines come from the disk. */
  readonly diskLinesAhead: number
}

export type RunStatus = "waiting" | "running" | "finished" | "aborted" | "error"

export interface Counts {
  readonly event: number
  readonly phase: number
  readonly prompt: number
  readonly debug: number
  readonly control: number
  readonly progress: number
  readonly conversation: number
  readonly modelCatalog: number
  readonly answer: number
  readonly unread: number
  readonly duplicate: number
  /** Lines seen, empty ones and notes included: the next line's number is this plus one. */
  readonly lines: number
}

/** One stretch of `seq` numbers. */
export interface Epoch {
  /** Least and greatest seen; -1 before the first. */
  readonly first: number
  readonly highest: number
  readonly seen: number
  /** Numbers that never come because a coalesced delta stands for them. */
  readonly explained: number
  /** Empty once the epoch is over. */
  readonly seenHashes: SeenHashes
}

/**
 * Fingerprints of the latest numbers of an epoch, 0 where a number was not seen; `base` is the first one's number. It
 * may lie below the epoch's first number, where there is room for earlier ones.
 */
export interface SeenHashes {
  readonly base: number
  readonly list: ChunkedList<number>
}

export interface Progress {
  readonly invokeid: string | null
  readonly label: string | null
  readonly fraction: number | null
}

export interface Prompt {
  /** Unique in the run: a prompt id may be asked again. */
  readonly key: number
  readonly frame: PromptFrame
  readonly title: string
  /** The session that asks, null where none was known when the question came. */
  readonly session: number | null
  readonly state: "open" | "answered" | "cancelled" | "closed"
  /** What was answered, where an answer frame was seen. */
  readonly answer: AnswerFrame | null
  /** What the agent said was answered, as one line; null where it has not, or keeps it private. */
  readonly reportedAnswer: string | null
  /** The agent has said that the answer arrived. */
  readonly confirmed: boolean
  /** Our answer was not seen to arrive before the run was another. */
  readonly lost: boolean
  readonly errors: readonly string[]
  /** The attachment it came with, and whether it came before any event of that attachment. */
  readonly attachment: number
  readonly beforeFirstEvent: boolean
  /** The latest attachment that began by repeating it, null where none did since it was answered. */
  readonly repeatedIn: number | null
  /** The latest `ts` of the run when it was asked, epoch ms. */
  readonly ts: number | null
}

/** The agent repeats only its newest prompt to whoever attaches (docs/contract.md section 2). */
export interface MissingPrompt {
  readonly invokeid: string | null
  readonly question: string
  readonly session: number | null
  readonly ts: number | null
}

/** How often somebody attached, whether no event has come since, and whether a debug frame came before the first. */
export interface Attachment {
  readonly count: number
  readonly beforeFirstEvent: boolean
  readonly sawDebug: boolean
}

export interface Log {
  readonly rows: ChunkedList<Row>
  readonly errors: number
  readonly warnings: number
  /** Rows ever added; a gap that was filled is gone again. */
  readonly added: number
}

export type Level = "info" | "warning" | "error"

export interface Row {
  /** Number of the frame, counted from 1. */
  readonly frame: number
  readonly epoch: number
  readonly seq: number | null
  /** Its `seq`, or the highest of its epoch when it came without one: what it is sorted by within the epoch. */
  readonly order: number
  /** Which row of this epoch and `order` it is, from 0. */
  readonly nth: number
  readonly ts: number | null
  readonly level: Level
  /** Index of the session it belongs to. */
  readonly session: number | null
  /** The line that made it, counted from 0: where its frame lies on the tape. */
  readonly line: number
  readonly what: RowSubject
}

export interface MalformedEntry {
  readonly line: number
  readonly raw: string
  readonly length: number
  readonly why: string
}

export const emptyRun: Run = {
  strategy: "api_tool_call",
  rowWindow: Number.POSITIVE_INFINITY,
  textBudget: Number.POSITIVE_INFINITY,
  frames: {
    event: 0,
    phase: 0,
    prompt: 0,
    debug: 0,
    control: 0,
    progress: 0,
    conversation: 0,
    modelCatalog: 0,
    answer: 0,
    unread: 0,
    duplicate: 0,
    lines: 0,
  },
  status: "waiting",
  reason: null,
  chart: noChart,
  firstTs: null,
  lastTs: null,
  tokens: 0,
  epochs: [],
  diskEpochs: 0,
  invocations: [],
  sessions: [],
  turnBuffers: [],
  stateEntries: emptyList,
  askingSessions: [],
  progress: [],
  prompts: [],
  missingPrompts: [],
  debug: null,
  branches: [],
  awaiting: null,
  log: { rows: emptyList, errors: 0, warnings: 0, added: 0 },
  malformed: [],
  parserWarnings: [],
  catalog: null,
  conversations: [],
  attachment: { count: 0, beforeFirstEvent: true, sawDebug: false },
  lastSpeaker: null,
  diskLinesAhead: 0,
}

/** What is given to a run, and not said by a frame. */
export type FoldOptions = Pick<Run, "strategy" | "rowWindow" | "textBudget">

/** The run before its first line. */
export function initialRun({ strategy, rowWindow: window, textBudget: texts }: FoldOptions): Run {
  return { ...emptyRun, strategy, rowWindow: window, textBudget: texts }
}

/** Frames folded so far: the number of the last one (docs/decisions.md 1.9). */
export function frameNumber(run: Pick<Run, "frames">): number {
  const f = run.frames
  return (
    f.event +
    f.phase +
    f.prompt +
    f.debug +
    f.control +
    f.progress +
    f.conversation +
    f.modelCatalog +
    f.answer +
    f.duplicate
  )
}
