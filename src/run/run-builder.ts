// Builds the next version of a run while one batch of lines is folded.

import { epochOf } from "./identity/find-by-id.ts"
import { keepLookup, type Lookup, lookupOf } from "./identity/id-lookup.ts"
import { closeEpoch, type EpochBuilder, noSeenHashes, openEpoch } from "./identity/seen-hashes.ts"
import { CHUNK_UNITS, packed } from "./memory/pack-rows.ts"
import { type ChunkedList, insertAt, ListBuilder } from "./model/chunked-list.ts"
import { countSessions } from "./model/count-sessions.ts"
import { copyOfBuffer, emptyTurn } from "./model/empty-session.ts"
import { LedgerBuilder } from "./model/ledger-builder.ts"
import type { Prompt } from "./model/prompts.ts"
import type { OwnPulse } from "./model/pulse.ts"
import type { Counts, Epoch, Facts, Level, Log, Row, Run } from "./model/run.ts"
import type { Invocation, Mutable, Session, Turn, TurnBuffer } from "./model/session.ts"

/** The fields of a run that are lists of records, or are counted: the builder has methods to write to them. */
type Managed = "frames" | "log" | "epochs" | "sessions" | "turnBuffers" | "invocations" | "prompts" | "facts"

/** A run that one batch is changing. Each record is copied when first touched; the run it began as stays. */
export class RunBuilder {
  /** The run so far. The log and the epochs are put into it when the batch is done. */
  readonly run: Mutable<Omit<Run, Managed>> & Readonly<Pick<Run, Managed>>
  readonly frames: Mutable<Counts>
  /** The facts beside the core; the ledger is put into them when the batch is done. */
  readonly facts: Mutable<Facts>
  readonly ledger: LedgerBuilder
  /** Index of the current epoch, -1 before the first event. */
  epochIndex: number
  epoch: EpochBuilder

  readonly #run: Mutable<Run>
  readonly #log: Mutable<Log>
  readonly #rows: ListBuilder<Row>
  /** Indexes of the sessions that were copied or added. */
  readonly #touched: number[] = []
  readonly #members = new Map<number, number[]>()
  readonly #earlierEpochs: Epoch[]
  #sessions: Session[] | null = null
  #turnBuffers: TurnBuffer[] | null = null
  #invocations: Invocation[] | null = null
  #prompts: Prompt[] | null = null
  #pulse: OwnPulse | null = null
  #promptIndex: Map<string, number> | null = null
  #lookup: Lookup | null = null

  constructor(private readonly base: Run) {
    // Fields are assigned after a plain spread: a spread beside other keys costs several times as much.
    this.#run = { ...base }
    this.#run.frames = this.frames = { ...base.frames }
    this.#run.facts = this.facts = { ...base.facts }
    this.run = this.#run
    this.#log = { ...base.log }
    this.#rows = new ListBuilder(base.log.rows)
    this.ledger = new LedgerBuilder(base.facts.ledger)
    this.#earlierEpochs = base.epochs.slice(0, -1)
    this.epochIndex = base.epochs.length - 1
    this.epoch = openEpoch(base.epochs.at(-1))
  }

  lookup(): Lookup {
    this.#lookup ??= lookupOf(this.run)
    return this.#lookup.at(this.epochIndex)
  }

  pulse(): OwnPulse {
    const { pulse } = this.base.facts
    if (this.#pulse === null) this.facts.pulse = this.#pulse = { ...pulse, tokens: pulse.tokens.slice() }
    return this.#pulse
  }

  turnBuffer(index: number): Mutable<TurnBuffer> {
    const own = this.#ownBuffers()
    const buffer = own[index]
    if (buffer === undefined) throw new RangeError(`no session at ${index}`)
    if (buffer !== this.base.turnBuffers[index]) return buffer
    const copy = copyOfBuffer(buffer)
    own[index] = copy
    return copy
  }

  turn(index: number): Mutable<Turn> {
    const buffer = this.turnBuffer(index)
    if (buffer.turn === (this.base.turnBuffers[index]?.turn ?? emptyTurn)) buffer.turn = { ...buffer.turn }
    return buffer.turn
  }

  /** Replaces the turn buffer at `index` by a writable buffer with a writable turn. */
  putTurnBuffer(index: number, buffer: TurnBuffer): void {
    this.#ownBuffers()[index] = buffer
  }

  #ownBuffers(): TurnBuffer[] {
    if (this.#turnBuffers === null) this.#run.turnBuffers = this.#turnBuffers = this.base.turnBuffers.slice()
    return this.#turnBuffers
  }

  /** The writable session at `index`. Every change of its activity writes to it. */
  session(index: number): Mutable<Session> {
    const own = this.#ownSessions()
    const session = own[index]
    if (session === undefined) throw new RangeError(`no session at ${index}`)
    if (session !== this.base.sessions[index]) return session
    const copy = { ...session }
    own[index] = copy
    this.#touched.push(index)
    return copy
  }

  #ownSessions(): Session[] {
    if (this.#sessions === null) this.#run.sessions = this.#sessions = this.base.sessions.slice()
    return this.#sessions
  }

  addSession(session: Session, buffer: TurnBuffer): number {
    const index = this.#ownSessions().push(session) - 1
    this.#ownBuffers().push(buffer)
    this.#touched.push(index)
    return index
  }

  /** Adds a session to a group, which is at `index` or is added there. */
  addMember(group: Invocation, index: number, session: number): void {
    if (this.#invocations === null) this.#run.invocations = this.#invocations = this.base.invocations.slice()
    const own = this.#members.get(index)
    if (own !== undefined) {
      own.push(session)
      return
    }
    const members = [...group.sessions, session]
    this.#members.set(index, members)
    this.#invocations[index] = { ...group, sessions: members }
  }

  /** Index of the latest prompt with this id, -1 if there is none. */
  latestPrompt(promptId: string): number {
    this.#promptIndex ??= new Map(this.run.prompts.map(({ frame }, index) => [frame.promptId, index]))
    return this.#promptIndex.get(promptId) ?? -1
  }

  /** Puts a prompt at `index`, which may be one past the last. */
  setPrompt(index: number, prompt: Prompt): void {
    if (this.#prompts === null) this.#run.prompts = this.#prompts = this.base.prompts.slice()
    if (index === this.#prompts.length) this.#promptIndex?.set(prompt.frame.promptId, index)
    this.#prompts[index] = prompt
  }

  nextEpoch(): void {
    if (this.epochIndex >= 0) this.#earlierEpochs.push({ ...closeEpoch(this.epoch), seenHashes: noSeenHashes })
    this.epochIndex++
    this.epoch = openEpoch()
  }

  /** The log rows so far; valid until the next row is added or edited. */
  get rows(): ChunkedList<Row> {
    return this.#rows.peek()
  }

  /** Adds a row for the current line at the end, or before the row at `before`. */
  addRow(row: Omit<Row, "order" | "nth" | "line">, before: number | null): void {
    const rows = this.#rows
    const order = row.seq ?? this.epoch.highest
    // Written out, since a spread beside other keys costs several times as much.
    const made = {
      frame: row.frame,
      epoch: row.epoch,
      seq: row.seq,
      order,
      nth: this.#nthAt(before ?? rows.length, row.epoch, order),
      ts: row.ts,
      level: row.level,
      session: row.session,
      model: row.model,
      line: this.frames.lines - 1,
      what: row.what,
    }
    this.#log.added++
    this.countLevel(row.level, 1)
    const { units } = this.#log
    if (row.what.kind === "event") this.#log.units += row.what.units
    if (Math.floor(this.#log.units / CHUNK_UNITS) > Math.floor(units / CHUNK_UNITS)) rows.endTail()
    if (before === null || before === rows.length) rows.push(made)
    else rows.edit(list => insertAt(list, before, made))
    // A new tail means that a chunk became full, so another may have left the window. Checking only then makes the
    // result independent of how the lines are batched.
    const { run } = this
    if (rows.hasNewTail) rows.edit(list => packed(list, run.options.rowWindow, run))
  }

  /** The number, from 0, that a row at this index has among the rows of its epoch and `order`. */
  #nthAt(index: number, epoch: number, order: number): number {
    const last = this.#rows.get(index - 1)
    return last !== undefined && last.order === order && epochOf(last) === epochOf({ epoch }) ? last.nth + 1 : 0
  }

  /** Applies an edit to the rows that changes none of their levels. */
  editRows(change: Parameters<ListBuilder<Row>["edit"]>[0]): void {
    this.#rows.edit(change)
  }

  get malformed(): Log["malformed"] {
    return this.#log.malformed
  }

  set malformed(lines: Log["malformed"]) {
    this.#log.malformed = lines
  }

  countLevel(level: Level, by: number): void {
    if (level === "error") this.#log.errors += by
    if (level === "warning") this.#log.warnings += by
  }

  /** The finished run. The builder must not be used afterwards. */
  done(): Run {
    const run = this.#run
    this.#log.rows = this.#rows.done()
    run.log = this.#log
    this.facts.ledger = this.ledger.done()
    if (this.epochIndex >= 0) run.epochs = [...this.#earlierEpochs, closeEpoch(this.epoch)]
    if (this.#lookup !== null) keepLookup(run, this.#lookup)
    countSessions(this.base, run, this.#touched)
    return run
  }
}
