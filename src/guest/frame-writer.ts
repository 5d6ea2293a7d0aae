// Writes the entries of a guest as frames of the wire protocol, so that a guest's run is shown like any other.
import { LOG_LINE, noteFrame } from "../protocol/encode.ts"
import type { Json, JsonObject } from "../protocol/json.ts"
import { type CliName, isCliName, isTurnReply, OWN_PARSER } from "./box/names.ts"
import { GuestEvents, warningNotes } from "./guest-events.ts"
import type { GuestParser, TimedLine } from "./guest-parser.ts"
import { GuestReply, isWords, MAX_RESULT_UNITS, type Words } from "./guest-reply.ts"
import type { GuestOutcome } from "./launch.ts"
import { RequestCount } from "./request-count.ts"
import { knownResult, stopReason, usageText, wireUsage } from "./run-result-words.ts"
import type { TranscriptEntry } from "./transcript-entry.ts"

/** The most calls remembered until their results. */
const MAX_CALLS = 4096

type Result = Extract<TranscriptEntry, { kind: "tool_result" }>
type RunResult = Extract<TranscriptEntry, { kind: "result" }>

/**
 * Writes one run of a guest as one session of an invocation with the guest's name. A turn begins at each `user` and
 * `init` (docs/decisions.md 8.7). Every method returns the next lines to fold. `ts` is the time of the line that is
 * read, epoch ms.
 */
export class FrameWriter {
  readonly #events: GuestEvents
  readonly #requests = new RequestCount()
  #parserName: string | null = null
  /** The CLI that a parser in the box reads. */
  #cli: CliName | null = null
  #inTurn = false
  /** True until the model says something in the turn. */
  #isNewTurn = false
  #model: string | null = null
  /** The current reply. It was streamed as deltas; the response repeats it in full. */
  readonly #reply = new GuestReply()
  /** How the run ended by its own result, if nothing but lines has followed that. */
  #ending: readonly [event: "runner/done" | "runner/error", data: JsonObject] | null = null
  /** True if the run has been ended after a result; what follows begins it again. */
  #isOver = false
  /** A tool result whose deltas are still coming. */
  #openResult: { readonly entry: Result; readonly ts: number } | null = null
  readonly #calls = new Map<string, { readonly name: string; readonly ts: number }>()
  /** The session's id that a line has told last. */
  #toldSession: string | null = null

  /** `session`: the id that a CLI's log is known to tell at its end; null if none is. */
  constructor(
    name: string,
    private readonly session: string | null = null,
  ) {
    this.#events = new GuestEvents(name)
  }

  /** The id of the session, if a CLI has told it only after the session's first events. */
  get lateSession(): string | null {
    return this.#cli !== null && this.#events.isUnnamed ? this.#toldSession : null
  }

  get hasBegun(): boolean {
    return this.#events.hasBegun
  }

  begin(ts: number): readonly string[] {
    return [this.#events.begin(ts)]
  }

  entry(entry: TranscriptEntry, lineTs: number): readonly string[] {
    return [...this.#add(entry, lineTs), ...this.#tell()]
  }

  #add(entry: TranscriptEntry, lineTs: number): readonly string[] {
    const ts = entry.ts ?? lineTs
    const begun = this.#isOver ? this.begin(ts) : []
    this.#isOver = false
    if (entry.kind !== "line") this.#ending = null
    const ended = this.#continuesResult(entry) ? [] : this.#endResult()
    return [...begun, ...(isWords(entry) ? [] : this.#tell()), ...ended, ...this.#write(entry, ts)]
  }

  /** The frames for these lines, and notes for warnings of the parser. Text of one time is one delta. */
  async write(parser: GuestParser, lines: readonly TimedLine[]): Promise<readonly string[]> {
    const parsed = await parser.read(lines)
    const notes = this.parserNotes(parser, lines[0]?.ts ?? 0)
    const frames = parsed.flatMap(({ entries, warnings }, index) => {
      const { ts = 0, line = null } = lines[index] ?? {}
      this.#events.line = line
      return [...warningNotes(warnings, ts), ...entries.flatMap(entry => this.#add(entry, ts))]
    })
    return [...notes, ...frames, ...this.#tell()]
  }

  /** Notes about the parser: its name once that changes, and its warnings. */
  parserNotes(parser: GuestParser, ts: number): readonly string[] {
    const warnings = warningNotes(parser.takeWarnings(), ts)
    const { name } = parser
    if (name === this.#parserName) return warnings
    this.#parserName = name
    this.#cli = name !== null && isCliName(name) ? name : this.#cli
    if (this.#cli !== null && !this.#events.hasSession) this.#events.nameSession(this.#cli, this.session)
    return [noteFrame(ts, "guest", { parser: name ?? "" }).text, ...warnings]
  }

  /** Ends the current reply and, after a result, the run, because no more output is available for now. */
  pause(ts: number): readonly string[] {
    const lines = this.#flush(ts)
    if (this.#ending === null || this.#isOver) return lines
    const [event, data] = this.#ending
    this.#isOver = true
    return [...lines, this.#events.ofRun(event, ts, data)]
  }

  end({ code, signal }: GuestOutcome, ts: number): readonly string[] {
    const reason = signal === null ? `exit code ${code ?? "unknown"}` : `ended by ${signal}`
    const lines = [...this.#flush(ts)]
    const failed = signal !== null || code !== 0
    if (this.#events.hasSession)
      lines.push(this.#events.ofSession("llm/worker-exit", ts, { reason, ...(failed && { "is-error": true }) }))
    if (signal !== null) return [...lines, this.#events.ofRun("runner/aborted", ts, { reason })]
    if (code === 0) return [...lines, this.#events.ofRun("runner/done", ts, { status: "done" })]
    return [...lines, this.#events.ofRun("runner/error", ts, { message: reason })]
  }

  #flush(ts: number): readonly string[] {
    return [...this.#tell(), ...this.#endResult(), ...this.#endReply(ts)]
  }

  #write(entry: TranscriptEntry, ts: number): readonly string[] {
    if (isWords(entry)) return this.#writeText(entry, ts)
    switch (entry.kind) {
      case "init":
        return this.#writeInit(entry, ts)
      case "user":
        return [
          ...this.#endReply(ts),
          ...this.#startTurn(ts),
          this.#events.ofSession("llm/user-message", ts, { text: entry.text }),
        ]
      case "tool_call":
        return this.#writeToolCall(entry, ts)
      case "tool_result":
        return this.#writeToolResult(entry, ts)
      case "result":
        return this.#writeRunResult(entry, ts)
      case "line": {
        const { name, text, isError } = entry
        const data = { text, ...(isError && { "is-error": true }) }
        // What a CLI prints before it names its session belongs to the run.
        if (this.#cli !== null && !this.#events.hasSession) return [this.#events.ofRun(`adapter/${name}`, ts, data)]
        return [...this.#endReply(ts), this.#events.ofSession(`adapter/${name}`, ts, data)]
      }
      default:
        return entry satisfies never
    }
  }

  #writeInit({ model, sessionId }: Extract<TranscriptEntry, { kind: "init" }>, ts: number): readonly string[] {
    const ended = this.#endReply(ts)
    const isOther = model !== "" && model !== this.#model
    this.#model = model === "" ? this.#model : model
    if (sessionId && this.#cli !== null && sessionId !== this.#events.session.id) {
      this.#events.nameSession(this.#cli, sessionId)
      this.#isNewTurn = false
    }
    const started = this.#startTurn(ts)
    // A turn that has begun without its model.
    const named = started.length === 0 && isOther ? [this.#events.ofSession("llm/request", ts, { model })] : []
    return [...ended, ...started, ...named, ...this.#tellSession(sessionId, ts)]
  }

  /** A line with the session's id, unless one has told it. */
  #tellSession(id: string | null, ts: number): readonly string[] {
    if (!id || id === this.#toldSession) return []
    this.#toldSession = id
    return [this.#events.ofSession("adapter/init", ts, { text: `session ${id}` })]
  }

  #writeText(entry: Words, ts: number): readonly string[] {
    if (this.#reply.ignores(entry)) return []
    const ended = this.#reply.endsBefore(entry) ? this.#flush(ts) : []
    return [...ended, ...this.#ensureTurn(ts), ...this.#tell(this.#reply.add(entry, this.#events.line, ts))]
  }

  #tell(untold = this.#reply.takeUntold()): readonly string[] {
    if (untold === null) return []
    const type = untold.kind === "thinking" ? "thinking-delta" : "text-delta"
    // A guest's pieces of text are not tokens: only its results count them.
    const usage = { "output-tokens": 0 }
    return [this.#events.ofSession("llm/delta", untold.ts, { type, text: untold.text, usage })]
  }

  #writeToolCall(entry: Extract<TranscriptEntry, { kind: "tool_call" }>, ts: number): readonly string[] {
    const { name, input, id } = entry
    if (id !== null) {
      this.#calls.set(id, { name, ts })
      const [oldest] = this.#calls.keys()
      if (this.#calls.size > MAX_CALLS && oldest !== undefined) this.#calls.delete(oldest)
    }
    const call = { type: "tool_use", ...(id !== null && { id }), name, input }
    return [...this.#ensureTurn(ts), this.#response(ts, [call], { "stop-reason": "tool_use" })]
  }

  #writeToolResult(entry: Result, ts: number): readonly string[] {
    if (!entry.delta) return [...this.#endReply(ts), this.#resultLine(entry, ts)]
    const lines = this.#openResult === null ? this.#endReply(ts) : []
    const content = (this.#openResult?.entry.content ?? "") + entry.content
    this.#openResult = { entry: { ...entry, content }, ts }
    return content.length < MAX_RESULT_UNITS ? lines : [...lines, ...this.#endResult()]
  }

  #writeRunResult(told: RunResult, ts: number): readonly string[] {
    const entry = knownResult(told, this.#cli !== null || this.#parserName === OWN_PARSER)
    const newText = entry.text.trim() === this.#reply.lastText.trim() ? "" : entry.text
    const message = entry.errors.join("\n") || newText || entry.subtype || "the run failed"
    const text = [usageText(entry), entry.isError ? "" : newText].filter(Boolean).join("\n")
    const replied = this.#endRun(entry, ts)
    this.#ending = entry.isError ? ["runner/error", { message }] : ["runner/done", { status: "done" }]
    const lines = [
      ...replied,
      ...(entry.isError ? [this.#events.ofSession("llm/error", ts, { message })] : []),
      ...(text === "" ? [] : [this.#events.ofSession("adapter/result", ts, { text })]),
      ...this.#tellSession(entry.sessionId, ts),
    ]
    if (entry.durationMs !== null) this.#events.took(entry.durationMs)
    return lines
  }

  /** The response with what the run has used, as far as its result tells. */
  #endRun(entry: RunResult, ts: number): readonly string[] {
    const turn = this.#ensureTurn(ts)
    if (entry.modelMs !== null) this.#events.took(entry.modelMs)
    const requests = this.#requests.next(!this.#reply.isEmpty, entry.requests)
    const usage = wireUsage(entry, this.#cli === null ? this.#requests.sinceResult > 1 : entry.turns !== 1)
    const stop = stopReason(entry)
    this.#requests.endRun()
    const tellsNothing = usage === null && stop === null && this.#reply.isEmpty
    if (tellsNothing) return turn
    const billed = { ...(usage !== null && { usage }), ...(entry.costUsd && { "cost-usd": entry.costUsd }) }
    return [...turn, this.#response(ts, [], { ...billed, ...(stop !== null && { "stop-reason": stop }) }, requests)]
  }

  #continuesResult(entry: TranscriptEntry): boolean {
    return entry.kind === "tool_result" && entry.delta && entry.id === this.#openResult?.entry.id
  }

  #endResult(): readonly string[] {
    if (this.#openResult === null) return []
    const { entry, ts } = this.#openResult
    this.#openResult = null
    return [this.#resultLine(entry, ts)]
  }

  #resultLine({ id, name, content, isError }: Result, ts: number): string {
    const call = this.#calls.get(id)
    this.#calls.delete(id)
    const tool = name ?? call?.name ?? null
    const took = call === undefined || ts <= call.ts ? {} : { "elapsed-ms": ts - call.ts }
    if (this.#cli === null || !isTurnReply(this.#cli)) this.#requests.answer()
    return this.#events.ofSession("llm/tool-result", ts, {
      "tool-use-id": id,
      ...(tool !== null && { tool }),
      "is-error": isError,
      "content-preview": content,
      ...took,
    })
  }

  /** Begins a turn if none has begun. */
  #ensureTurn(ts: number): readonly string[] {
    const started = this.#inTurn ? [] : this.#startTurn(ts)
    this.#isNewTurn = false
    return started
  }

  /** Begins a turn, unless the one that has begun is still empty. */
  #startTurn(ts: number): readonly string[] {
    if (this.#isNewTurn) return []
    this.#inTurn = true
    this.#isNewTurn = true
    this.#requests.beginTurn()
    return [this.#events.ofSession("llm/start", ts, this.#model === null ? {} : { model: this.#model })]
  }

  #endReply(ts: number): readonly string[] {
    return this.#reply.isEmpty ? [] : [this.#response(ts, [], {})]
  }

  /** The response that ends the current reply, or a part of it: its streamed blocks, then `more`. */
  #response(ts: number, more: readonly Json[], data: JsonObject, requests = this.#requests.next(true)): string {
    const first = this.#reply.line ?? this.#events.line
    const last = this.#events.line
    const content = [...this.#reply.take(), ...more]
    const lines = first === null || last === null ? {} : { [LOG_LINE]: first === last ? first : [first, last] }
    return this.#events.ofSession("llm/response", ts, {
      ...(content.length > 0 && { content }),
      requests,
      ...data,
      ...lines,
    })
  }
}
