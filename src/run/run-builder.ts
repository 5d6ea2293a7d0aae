import type { ParserName } from "../parse/syntax-rules.ts"
import type { CatalogFrame, ConversationFrame, DebugFrame } from "../protocol/frame.ts"
import { closeEpoch, type EpochBuilder, openEpoch } from "./identity/epoch.ts"
import { epochOf, growPlaces } from "./identity/find-by-id.ts"
import { keepLookup, Lookup, lookupFor } from "./identity/id-lookup.ts"
import { noSeenHashes } from "./identity/seen-hashes.ts"
import { copySession, copyTurnBuffer, type Mutable } from "./memory/copy-records.ts"
import { packed } from "./memory/pack-rows.ts"
import { type ChunkedList, insertAt, ListBuilder } from "./model/chunked-list.ts"
import type { ParserWarning } from "./model/row.ts"
import type {
  Attachment,
  Counts,
  Epoch,
  Level,
  Log,
  MalformedEntry,
  MissingPrompt,
  Progress,
  Prompt,
  Row,
  Run,
  RunStatus,
} from "./model/run.ts"
import type { Invocation, Session, TurnBuffer } from "./model/session.ts"
import type { Chart, StateEntry } from "./model/visits.ts"

/**
 * A run that one batch is changing. Each container and each record is copied when the batch first touches it and is
 * then written in place, so a batch costs what it touches and the run it came from stays as it was.
 */
export class RunBuilder {
  readonly strategy: ParserName
  readonly window: number
  readonly texts: number
  readonly frames: Mutable<Counts>
  status: RunStatus
  reason: string | null
  chart: Chart
  firstTs: number | null
  lastTs: number | null
  tokens: number
  entered: ChunkedList<StateEntry>
  asked: readonly number[]
  progress: readonly Progress[]
  prompts: readonly Prompt[]
  unheard: readonly MissingPrompt[]
  debug: DebugFrame | null
  branches: Run["branches"]
  awaiting: string | null
  unread: readonly MalformedEntry[]
  complaints: readonly ParserWarning[]
  catalog: CatalogFrame | null
  conversations: readonly ConversationFrame[]
  attach: Attachment
  spoke: number | null
  filling: number
  diskEpochs: number
  /** Index of the epoch that counts now, -1 before the first event. */
  epochIndex: number
  epoch: EpochBuilder
  sessions: readonly Session[]
  streams: readonly TurnBuffer[]
  invocations: readonly Invocation[]

  private readonly base: Run
  private found: Lookup | null = null
  private readonly earlier: Epoch[]
  private ownSessions: Session[] | null = null
  private ownStreams: TurnBuffer[] | null = null
  private ownPrompts: Prompt[] | null = null
  private promptIndex: Map<string, number> | null = null
  private ownInvocations: Invocation[] | null = null
  private readonly ownMembers = new Map<number, number[]>()
  private ownedSessions: Uint8Array
  private ownedStreams: Uint8Array
  private readonly rows: ListBuilder<Row>
  private readonly log: Mutable<Log>

  constructor(base: Run) {
    this.base = base
    this.strategy = base.strategy
    this.window = base.rowWindow
    this.texts = base.textBudget
    this.frames = { ...base.frames }
    this.status = base.status
    this.reason = base.reason
    this.chart = base.chart
    this.firstTs = base.firstTs
    this.lastTs = base.lastTs
    this.tokens = base.tokens
    this.entered = base.stateEntries
    this.asked = base.askingSessions
    this.progress = base.progress
    this.prompts = base.prompts
    this.unheard = base.missingPrompts
    this.debug = base.debug
    this.branches = base.branches
    this.awaiting = base.awaiting
    this.unread = base.malformed
    this.complaints = base.parserWarnings
    this.catalog = base.catalog
    this.conversations = base.conversations
    this.attach = base.attachment
    this.spoke = base.lastSpeaker
    this.filling = base.diskLinesAhead
    this.diskEpochs = base.diskEpochs
    this.earlier = base.epochs.slice(0, -1)
    this.epochIndex = base.epochs.length - 1
    this.epoch = openEpoch(base.epochs.at(-1))
    this.sessions = base.sessions
    this.streams = base.turnBuffers
    this.invocations = base.invocations
    this.ownedSessions = new Uint8Array(base.sessions.length + 16)
    this.ownedStreams = new Uint8Array(base.turnBuffers.length + 16)
    this.rows = new ListBuilder(base.log.rows)
    this.log = { ...base.log }
  }

  /** Sessions of the current epoch by raw id. */
  lookup(): Lookup {
    this.found ??= lookupFor(this.sessions, this.invocations, this.epochIndex)
    return this.found
  }

  /** The hot record at `index`, to be written to. */
  stream(index: number): Mutable<TurnBuffer> {
    if (this.ownStreams === null) this.streams = this.ownStreams = this.base.turnBuffers.slice()
    const record = this.ownStreams[index]
    if (record === undefined) throw new RangeError(`no stream ${index}`)
    if (this.ownedStreams[index] === 1) return record
    this.ownedStreams[index] = 1
    const copy = copyTurnBuffer(record)
    this.ownStreams[index] = copy
    return copy
  }

  /** The session at `index`, to be written to. */
  session(index: number): Mutable<Session> {
    if (this.ownSessions === null) this.sessions = this.ownSessions = this.base.sessions.slice()
    const record = this.ownSessions[index]
    if (record === undefined) throw new RangeError(`no session ${index}`)
    if (this.ownedSessions[index] === 1) return record
    this.ownedSessions[index] = 1
    const copy = copySession(record)
    this.ownSessions[index] = copy
    return copy
  }

  /** Adds a session and its stream; gives their index. */
  addSession(session: Session, stream: TurnBuffer): number {
    const index = this.sessions.length
    if (this.ownSessions === null) this.sessions = this.ownSessions = this.base.sessions.slice()
    if (this.ownStreams === null) this.streams = this.ownStreams = this.base.turnBuffers.slice()
    this.ownSessions.push(copySession(session))
    this.ownStreams.push(copyTurnBuffer(stream))
    this.ownedSessions = grown(this.ownedSessions, index)
    this.ownedStreams = grown(this.ownedStreams, index)
    return index
  }

  /** Puts the session at `session` into a group, which stands or shall stand at `index`. */
  addMember(group: Invocation, index: number, session: number): void {
    if (this.ownInvocations === null) this.invocations = this.ownInvocations = this.base.invocations.slice()
    const own = this.ownMembers.get(index)
    if (own !== undefined) {
      own.push(session)
      return
    }
    const members = [...group.sessions, session]
    this.ownMembers.set(index, members)
    this.ownInvocations[index] = { ...group, sessions: members }
  }

  /** Index of the prompt that was asked last under this id, -1 where none was. */
  latestPrompt(promptId: string): number {
    this.promptIndex ??= new Map(this.prompts.map(({ frame }, index) => [frame.promptId, index]))
    return this.promptIndex.get(promptId) ?? -1
  }

  /** Puts a prompt at `index`, which may be the one behind the last. */
  setPrompt(index: number, prompt: Prompt): void {
    if (this.ownPrompts === null) this.prompts = this.ownPrompts = this.base.prompts.slice()
    if (index === this.ownPrompts.length) this.promptIndex?.set(prompt.frame.promptId, index)
    this.ownPrompts[index] = prompt
  }

  /** Closes the current epoch and begins the next. */
  nextEpoch(): void {
    if (this.epochIndex >= 0) this.earlier.push({ ...closeEpoch(this.epoch), seenHashes: noSeenHashes })
    this.epochIndex++
    this.epoch = openEpoch(undefined)
    this.found = new Lookup(this.epochIndex, this.sessions.length)
  }

  get rowCount(): number {
    return this.rows.length
  }

  row(index: number): Row | undefined {
    return this.rows.get(index)
  }

  /** Adds a row of this line at the end, or before the row at `before`. */
  addRow(row: Omit<Row, "order" | "nth" | "line">, before: number | null): void {
    // Written out, since a spread beside other keys costs several times as much.
    const order = row.seq ?? this.epoch.highest
    const made = {
      frame: row.frame,
      epoch: row.epoch,
      seq: row.seq,
      order,
      nth: this.nthAt(before ?? this.rows.length, row.epoch, order),
      ts: row.ts,
      level: row.level,
      session: row.session,
      line: this.frames.lines - 1,
      what: row.what,
    }
    this.log.added++
    this.countLevel(row.level, 1)
    if (before === null || before === this.rows.length) this.rows.push(made)
    else this.rows.edit(rows => insertAt(rows, before, made))
    // Once a chunk is full another may have left the window; asked then, it does not matter how the lines are batched.
    if (this.rows.hasNewTail && this.rows.length > this.window) this.rows.edit(rows => packed(rows, this.window, this))
  }

  /** Which row of its place one at this index would be. */
  private nthAt(index: number, epoch: number, order: number): number {
    const last = this.rows.get(index - 1)
    return last !== undefined && last.order === order && epochOf(last) === epochOf({ epoch }) ? last.nth + 1 : 0
  }

  /** Applies an edit to the rows that changes none of their levels. */
  editRows(change: Parameters<ListBuilder<Row>["edit"]>[0]): void {
    this.rows.edit(change)
  }

  countLevel(level: Level, by: number): void {
    if (level === "error") this.log.errors += by
    if (level === "warning") this.log.warnings += by
  }

  done(): Run {
    this.log.rows = this.rows.done()
    if (this.found !== null) keepLookup(this.sessions, this.found)
    if (this.ownInvocations !== null) growPlaces(this.base, this)
    return {
      strategy: this.strategy,
      rowWindow: this.window,
      textBudget: this.texts,
      frames: this.frames,
      status: this.status,
      reason: this.reason,
      chart: this.chart,
      firstTs: this.firstTs,
      lastTs: this.lastTs,
      tokens: this.tokens,
      epochs: this.epochIndex < 0 ? this.base.epochs : [...this.earlier, closeEpoch(this.epoch)],
      invocations: this.invocations,
      sessions: this.sessions,
      turnBuffers: this.streams,
      stateEntries: this.entered,
      askingSessions: this.asked,
      progress: this.progress,
      prompts: this.prompts,
      missingPrompts: this.unheard,
      debug: this.debug,
      branches: this.branches,
      awaiting: this.awaiting,
      log: this.log,
      malformed: this.unread,
      parserWarnings: this.complaints,
      catalog: this.catalog,
      conversations: this.conversations,
      attachment: this.attach,
      lastSpeaker: this.spoke,
      diskLinesAhead: this.filling,
      diskEpochs: this.diskEpochs,
    }
  }
}

function grown(flags: Uint8Array, index: number): Uint8Array {
  if (index < flags.length) {
    flags[index] = 1
    return flags
  }
  const next = new Uint8Array(flags.length * 2 + 16)
  next.set(flags)
  next[index] = 1
  return next
}
