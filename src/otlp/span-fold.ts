// Folds the log rows of a run into spans: of the run, its states, invocations, model calls and tools.
import type { EventBody } from "../../packages/wire/src/event-body.ts"
import type { EventFrame } from "../../packages/wire/src/frame.ts"
import { type Account, noAccount, sumOfAccounts } from "../run/model/ledger.ts"
import { emptyRun, type Row, type Run } from "../run/model/run.ts"
import { withClosedAccounts } from "../run/open-replies.ts"
import { differenceOf, SessionSpans, tellAccount } from "./session-spans.ts"
import { fail, type OpenSpan, setAttributes, Trace, type TraceSpan } from "./trace-span.ts"

interface Move {
  readonly exited: readonly string[]
  readonly entered: readonly string[]
  /** The states that are active afterwards; null if the event doesn't say. */
  readonly config: readonly string[] | null
}

class StateSpans {
  readonly #open = new Map<string, OpenSpan>()
  #config: readonly string[] = []

  constructor(private readonly trace: Trace) {}

  /** The state that was named last among the active ones. */
  innermost(): OpenSpan | null {
    return this.#open.get(this.#config.at(-1) ?? "") ?? null
  }

  /** Leaves and enters states. One inside another is its child, as far as the agent has told. */
  move({ exited, entered, config }: Move, ts: number, { run, root }: { run: Run; root: OpenSpan }): void {
    const active = config ?? [...this.#config.filter(id => !exited.includes(id)), ...entered]
    for (const id of [...this.#open.keys()].reverse()) {
      if (exited.includes(id) || entered.includes(id) || !active.includes(id)) this.#leave(id, ts, false)
    }
    this.#config = active
    for (const id of active) {
      if (this.#open.has(id)) continue
      const told = run.chart.visits.states.find(state => state.id === id)?.parent
      const parent = this.#open.get(told ?? active[0] ?? "") ?? root
      const attributes = { "opentui_sidecar.state": id }
      const span = this.trace.begin({ of: ["state", id], name: `state ${id}`, parent, start: ts, attributes })
      this.#open.set(id, span)
    }
  }

  close(ts: number, isCut: boolean): void {
    for (const id of [...this.#open.keys()].reverse()) this.#leave(id, ts, isCut)
  }

  #leave(id: string, ts: number, isCut: boolean): void {
    const span = this.#open.get(id)
    this.#open.delete(id)
    if (span !== undefined) this.trace.end(span, ts, isCut)
  }
}

export interface SpanFoldOptions {
  /** Whether spans have messages, and the inputs and results of tools. */
  readonly content: boolean
  /** Applied to each text of a span: removes secrets. */
  readonly clean: (text: string) => string
}

/** The spans of a run in the order they end. Rows come in the order of the log; a late one may be left out. */
export class SpanFold {
  #epoch: EpochSpans | null = null
  /** The latest closed epoch: its later events are left out. */
  #closed = -1
  /** The usage of no session so far. */
  #unowned = noAccount
  /** The latest time of an event so far, epoch ms. */
  #lastTs: number | null = null

  constructor(private readonly options: SpanFoldOptions) {}

  /** Adds rows of `run`, and returns the spans that have ended. */
  add(run: Run, rows: readonly Row[]): TraceSpan[] {
    const spans: TraceSpan[] = []
    for (const row of rows) {
      if (row.what.kind !== "event" || row.epoch <= this.#closed || row.epoch < (this.#epoch?.epoch ?? 0)) continue
      if (this.#epoch?.epoch !== row.epoch) {
        spans.push(...this.close())
        this.#epoch = new EpochSpans(row.epoch, this.options, this.#unowned, this.#lastTs)
      }
      this.#lastTs = this.#epoch.add(run, row, row.what)
    }
    this.#epoch?.reach(run)
    this.#unowned = run.facts.ledger.unowned
    return [...spans, ...(this.#epoch?.take() ?? [])]
  }

  /** True once the run has reported its end. */
  get isOver(): boolean {
    return this.#epoch?.isOver ?? false
  }

  /** Ends the open spans: as cut, unless the run is over. Later events of this start are left out. */
  close(): TraceSpan[] {
    const epoch = this.#epoch
    this.#epoch = null
    this.#closed = epoch?.epoch ?? this.#closed
    return epoch?.close() ?? []
  }
}

type MoveType = "runner/start-config" | "runner/event-processed"

class EpochSpans {
  readonly #trace: Trace
  readonly #states: StateSpans
  readonly #sessions: SessionSpans
  #runSpan: OpenSpan | null = null
  /** The session id that names the run: the one that its start reported, else the first. */
  #key: string | null = null
  /** When the run reported its end, epoch ms. */
  #over: number | null = null
  #lastTs: number | null = null
  #reached = 0
  #run: Run = emptyRun

  constructor(
    readonly epoch: number,
    { content, clean }: SpanFoldOptions,
    private readonly unownedBefore: Account,
    /** When the epoch before it ended, epoch ms. */
    private readonly since: number | null,
  ) {
    this.#trace = new Trace(epoch, () => withoutColon(this.#key ?? ""), clean)
    this.#states = new StateSpans(this.#trace)
    this.#sessions = new SessionSpans(this.#trace, content)
  }

  /** Returns the latest time so far. An event without a time has that one, or the run's first. */
  add(run: Run, row: Row, frame: EventFrame): number {
    const ts = row.ts ?? this.#lastTs ?? this.since ?? run.firstTs ?? 0
    this.#lastTs = Math.max(this.#lastTs ?? ts, ts)
    const name = "invoke_workflow"
    const attributes = { "gen_ai.operation.name": name }
    this.#runSpan ??= this.#trace.begin({ of: ["run"], name, parent: null, start: ts, attributes })
    this.#key ??= frame.sessionId
    if (frame.body.type.startsWith("runner/")) this.#runner(this.#runSpan, frame, ts, run)
    else this.#sessions.add({ run, row, frame, ts, parent: this.#states.innermost() ?? this.#runSpan })
    return this.#lastTs
  }

  get isOver(): boolean {
    return this.#over !== null
  }

  take(): TraceSpan[] {
    return this.#trace.take()
  }

  /** Notes how far the run has come; texts that stream make no rows. */
  reach(run: Run): void {
    this.#run = run
    this.#reached = Math.max(this.#reached, run.lastTs ?? 0)
  }

  close(): TraceSpan[] {
    const last = Math.max(this.#lastTs ?? 0, this.#over === null ? this.#reached : 0)
    const end = this.#over ?? last
    const run = withClosedAccounts(this.#run)
    this.#sessions.close(last, run, this.#over !== null)
    this.#states.close(end, this.#over === null)
    if (this.#runSpan !== null) tellAccount(this.#runSpan, this.#accountIn(run))
    if (this.#runSpan !== null) this.#trace.end(this.#runSpan, end, this.#over === null)
    return this.#trace.take()
  }

  /** The usage of this start of the run, of its sessions and beside them. */
  #accountIn({ sessions, facts }: Run): Account {
    const unowned = differenceOf(facts.ledger.unowned, this.unownedBefore)
    return sessions.reduce((sum, one) => (one.epoch === this.epoch ? sumOfAccounts(sum, one.account) : sum), unowned)
  }

  #runner(span: OpenSpan, { body, sessionId }: EventFrame, ts: number, run: Run): void {
    switch (body.type) {
      case "runner/started":
        this.#key = sessionId ?? this.#key
        if (body.chartId !== null) span.name = `invoke_workflow ${body.chartId}`
        setAttributes(span, { "gen_ai.workflow.name": body.chartId, "gen_ai.conversation.id": sessionId })
        break
      case "runner/start-config":
      case "runner/event-processed":
        this.#moved(span, body, ts, run)
        break
      case "runner/done":
        this.#over = ts
        break
      case "runner/error":
        this.#over = ts
        fail(span, body.message)
        break
      case "runner/aborted":
        this.#over = ts
        fail(span, body.reason, "aborted")
        break
    }
  }

  #moved(span: OpenSpan, body: EventBody<MoveType>, ts: number, run: Run): void {
    const [exited, entered, config] =
      body.type === "runner/start-config" ? [[], [], body.config] : [body.exited, body.entered, body.after]
    this.#states.move({ exited, entered, config }, ts, { run, root: span })
    const state = this.#states.innermost()
    if (state !== null) this.#sessions.adopt(span, state)
  }
}

/** Session ids of one run are spelled with and without a colon. */
function withoutColon(id: string): string {
  return id.startsWith(":") ? id.slice(1) : id
}
