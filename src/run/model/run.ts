// The run: everything the frames so far have reported, as immutable data.
import type { ParserName } from "../../../packages/llm-stream-segments/src/parse/rules.ts"
import type { CatalogFrame, ConversationFrame, DebugFrame } from "../../../packages/wire/src/frame.ts"
import type { BranchStart } from "./branches.ts"
import { type ChunkedList, emptyList } from "./chunked-list.ts"
import { type FindingLimits, type Findings, noFindings, usualLimits } from "./finding.ts"
import { type Ledger, noLedger } from "./ledger.ts"
import { type CacheHabits, type ContextLimits, noPrices, type Prices } from "./prices.ts"
import { noQuestions, type Prompt, type QuestionFacts } from "./prompts.ts"
import { noPulse, type Pulse } from "./pulse.ts"
import type { ParserWarning, RowSubject } from "./row.ts"
import type { Invocation, Session, Stage, TurnBuffer } from "./session.ts"
import { noTally, type Tally } from "./tally.ts"
import { type Chart, noChart, type StateEntry } from "./visits.ts"

/** Plain immutable data, so any earlier version stays valid and showing the past means showing an earlier run. */
export interface Run {
  readonly options: FoldOptions
  readonly frames: Counts
  readonly status: RunStatus
  /** Why the run aborted or failed; null otherwise. */
  readonly reason: string | null
  readonly chart: Chart
  /** Smallest and largest `ts` of all frames, epoch ms. */
  readonly firstTs: number | null
  readonly lastTs: number | null
  readonly facts: Facts
  readonly models: ModelFacts
  readonly epochs: readonly Epoch[]
  readonly disk: DiskFacts
  readonly invocations: readonly Invocation[]
  readonly sessions: readonly Session[]
  readonly turnBuffers: readonly TurnBuffer[]
  /** By invocation: its sessions by status. */
  readonly tallies: readonly Tally[]
  /** The sessions of the whole run by status; those of earlier epochs that were left open don't count. */
  readonly tally: Tally
  /** One for each question that a person has not answered, in the order of asking. */
  readonly personWaits: readonly PersonWait[]
  readonly prompts: readonly Prompt[]
  readonly questions: QuestionFacts
  readonly debug: KnownDebugger | null
  /** The event or turn that the debugger waits for, in words; null while it is not waiting. */
  readonly awaiting: string | null
  readonly log: Log
  readonly guest: GuestFacts
  readonly attachment: Attachment
}

/** Options of a run, which no frame reports. */
export interface FoldOptions {
  readonly strategy: ParserName
  /** Minimum number of latest log rows whose frames stay in memory. */
  readonly rowWindow: number
  /** Approximate UTF-16 units of session text kept in memory, shared equally by the sessions. */
  readonly textBudget: number
  readonly limits: FindingLimits
  readonly prices: Prices
}

/** Facts folded beside the core, which no frame is folded by. */
export interface Facts {
  /** Output tokens of all turns of all sessions, those that stream included. */
  readonly tokens: number
  /** Usage, cost and waits, by state, session, turn, model and tool. */
  readonly ledger: Ledger
  readonly findings: Findings
  readonly pulse: Pulse
  /** States entered, in all epochs. */
  readonly stateEntries: ChunkedList<StateEntry>
  /** States that were active in earlier epochs. */
  readonly earlierStates: readonly string[]
  /** When anybody waited for a person, in all epochs: `human` while a question is open, else `over`. */
  readonly personStages: ChunkedList<Stage>
  readonly progress: readonly Progress[]
  readonly branches: readonly BranchStart[]
  readonly conversations: readonly ConversationFrame[]
  /** The session whose reply, whole or partial, came last in this epoch. */
  readonly lastSpeaker: number | null
  /** The session whose work ended last: with a reply without calls, an error or its exit. */
  readonly lastEnded: number | null
}

export interface ModelFacts {
  readonly contextLimits: ContextLimits
  readonly cacheHabits: CacheHabits
  readonly catalog: CatalogFrame | null
}

export interface DiskFacts {
  /** Number of first epochs that only the disk has. Ids count epochs from the one after these. */
  readonly epochs: number
  /** How many of the next lines come from disk. */
  readonly linesAhead: number
}

export interface GuestFacts {
  /** The name of its parser; null for the generic one, and for other runs. May be shown. */
  readonly parser: string | null
  /** The first 64 problems of the parser. */
  readonly warnings: readonly ParserWarning[]
}

/** The debugger after the frames so far (docs/contract.md section 3). An unknown field is null. */
export interface KnownDebugger
  extends Pick<DebugFrame, "paused" | "stepBudget" | "branchError" | "config" | "pendingEvents"> {
  readonly mode: NonNullable<DebugFrame["mode"]>
  /** The pointer of the turn gate, from 0, and the turn that waits there: the pointer can be moved back from it. */
  readonly turnIndex: number | null
  readonly waitingTurn: number | null
  readonly breakpointArmed: boolean
  readonly branch: Exclude<DebugFrame["branch"], undefined>
}

export type RunStatus = "waiting" | "running" | "finished" | "aborted" | "error"

/** The kinds of lines that are frames, and so have a number. */
const FRAME_KINDS = [
  ...(["event", "phase", "prompt", "debug", "control", "progress", "conversation", "modelCatalog"] as const),
  ...(["answer", "duplicate"] as const),
]

export interface Counts extends Readonly<Record<(typeof FRAME_KINDS)[number], number>> {
  readonly malformed: number
  /** Lines seen, including empty ones and notes: the next line's number is this plus one. */
  readonly lines: number
}

/** A range of `seq` numbers that counts up once. */
export interface Epoch {
  /** Smallest and largest seen; -1 before the first. */
  readonly first: number
  readonly highest: number
  readonly seen: number
  /** Numbers that never arrive because a coalesced delta stands for them. */
  readonly explained: number
  /** The first number, or the one after the latest gap. */
  readonly wholeFrom: number
  /** Empty once the epoch is over. */
  readonly seenHashes: SeenHashes
}

/** Hashes of an epoch's latest numbers from `base` on, 0 for one not seen. `base` may precede the first. */
export interface SeenHashes {
  readonly base: number
  readonly list: ChunkedList<number>
}

export interface Progress {
  readonly invokeid: string | null
  readonly label: string | null
  readonly fraction: number | null
}

/** A question that is waited for, and since when (epoch ms). */
export interface PersonWait {
  readonly invokeid: string | null
  /** The session that waits; null if the chart asks, or if it is unknown. */
  readonly session: number | null
  readonly ts: number | null
}

/** The connections so far, whether the latest is lost, brought an event yet, or a debug frame before its first. */
export interface Attachment {
  readonly count: number
  /** When the latest began, epoch ms; null if unknown. */
  readonly at: number | null
  /** Number of the line that reports the latest. */
  readonly line: number
  /** How many of the next events may be repeats of the greeting, whose end no frame marks. */
  readonly greeting: number
  readonly beforeFirstEvent: boolean
  /** The debugger before its first event; null without a frame. */
  readonly debug: KnownDebugger | null
  readonly isLost: boolean
}

export interface Log {
  readonly rows: ChunkedList<Row>
  readonly errors: number
  readonly warnings: number
  /** Number of rows ever added. Gap rows that were filled have been removed again. */
  readonly added: number
  /** UTF-16 units of the lines of all rows ever added. */
  readonly units: number
  /** The latest lines that are no frames. */
  readonly malformed: readonly MalformedEntry[]
}

export type Level = "info" | "warning" | "error"

export interface Row {
  readonly frame: number
  readonly epoch: number
  readonly seq: number | null
  /** Its `seq`, or the highest of its epoch if it has none: the sort key within the epoch. */
  readonly order: number
  /** Its number, from 0, among the rows of this epoch and `order`. */
  readonly nth: number
  readonly ts: number | null
  readonly level: Level
  readonly session: number | null
  /** The model it names, else the model of its session at this row. */
  readonly model: string | null
  /** The line it came from, counted from 0: its position in the frame log. */
  readonly line: number
  readonly what: RowSubject
}

export interface MalformedEntry {
  readonly line: number
  readonly raw: string
  readonly length: number
  readonly why: string
}

export const usualOptions: FoldOptions = {
  strategy: "api_tool_call",
  rowWindow: Infinity,
  textBudget: Infinity,
  limits: usualLimits,
  prices: noPrices,
}

export const emptyRun: Run = {
  options: usualOptions,
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
    malformed: 0,
    duplicate: 0,
    lines: 0,
  },
  status: "waiting",
  reason: null,
  chart: noChart,
  firstTs: null,
  lastTs: null,
  facts: {
    tokens: 0,
    ledger: noLedger,
    findings: noFindings,
    pulse: noPulse,
    stateEntries: emptyList,
    earlierStates: [],
    personStages: emptyList,
    progress: [],
    branches: [],
    conversations: [],
    lastSpeaker: null,
    lastEnded: null,
  },
  models: { contextLimits: new Map(), cacheHabits: new Map(), catalog: null },
  epochs: [],
  disk: { epochs: 0, linesAhead: 0 },
  invocations: [],
  sessions: [],
  turnBuffers: [],
  tallies: [],
  tally: noTally,
  personWaits: [],
  prompts: [],
  questions: noQuestions,
  debug: null,
  awaiting: null,
  log: { rows: emptyList, errors: 0, warnings: 0, added: 0, units: 0, malformed: [] },
  guest: { parser: null, warnings: [] },
  attachment: { count: 0, at: null, line: 0, greeting: 0, beforeFirstEvent: true, debug: null, isLost: false },
}

/** The run before its first line. */
export function initialRun(options: Partial<FoldOptions>): Run {
  return { ...emptyRun, options: { ...usualOptions, ...options } }
}

/** True if the session waits for a person, or an unknown session does. */
export function mayWaitForPerson({ personWaits }: Pick<Run, "personWaits">, index: number): boolean {
  return personWaits.some(({ session }) => session === index || session === null)
}

/** Number of frames folded so far, which is the number of the last one (docs/decisions.md 1.9). */
export function frameNumber({ frames }: Pick<Run, "frames">): number {
  let sum = 0
  for (const kind of FRAME_KINDS) sum += frames[kind]
  return sum
}
