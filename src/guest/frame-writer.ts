// Writes the entries of a guest as frames of the wire protocol, so that a guest's run is shown like any other.
import { LOG_LINE, noteFrame } from "../protocol/encode.ts"
import type { Json, JsonObject } from "../protocol/json.ts"
import { type CliName, isCliName } from "./box/names.ts"
import { GuestEvents, warningNotes } from "./guest-events.ts"
import type { GuestParser, TimedLine } from "./guest-parser.ts"
import { shortId, usageText, wireUsage } from "./run-result-words.ts"
import type { TranscriptEntry } from "./transcript-entry.ts"

/** A longer block is ended early, UTF-16 units, because its text is held in memory until its response. */
const MAX_BLOCK_UNITS = 1024 * 1024
/** The most calls remembered until their results. */
const MAX_CALLS = 4096

/** How a command ended; one of the two is null. */
export interface GuestOutcome {
  readonly code: number | null
  readonly signal: string | null
}

/** Adjacent entries of one kind. Deltas are concatenated; whole entries are separated by line ends. */
interface Block {
  readonly kind: "assistant" | "thinking"
  readonly delta: boolean
  text: string
  /** True if the last entry had several lines. */
  isParagraph: boolean
}

type Result = Extract<TranscriptEntry, { kind: "tool_result" }>
type RunResult = Extract<TranscriptEntry, { kind: "result" }>

/**
 * Writes one run of a guest as one session of an invocation with the guest's name. A turn begins at each `user` and
 * `init` (docs/decisions.md 8.7). Every method returns the next lines to fold. `ts` is the time of the line that is
 * read, epoch ms.
 */
export class FrameWriter {
  readonly #events: GuestEvents
  #parserName: string | null = null
  /** The CLI that a parser in the box reads. */
  #cli: CliName | null = null
  /** The line number of a saved log where the current reply began. */
  #replyLine: number | null = null
  #inTurn = false
  /** True until the model says something in the turn. */
  #isNewTurn = false
  #model: string | null = null
  /** The blocks of the current reply. They were streamed as deltas; the response repeats them in full. */
  #reply: Block[] = []
  #lastText = ""
  /** How the run ended by its own result, if nothing but lines has followed that. */
  #ending: readonly [event: "runner/done" | "runner/error", data: JsonObject] | null = null
  /** True if the run has been ended after a result; what follows begins it again. */
  #isOver = false
  /** A tool result whose deltas are still coming. */
  #openResult: { readonly entry: Result; readonly ts: number } | null = null
  readonly #calls = new Map<string, { readonly name: string; readonly ts: number }>()

  constructor(name: string) {
    this.#events = new GuestEvents(name)
  }

  get hasBegun(): boolean {
    return this.#events.hasBegun
  }

  begin(ts: number): readonly string[] {
    return [this.#events.begin(ts)]
  }

  entry(entry: TranscriptEntry, lineTs: number): readonly string[] {
    const ts = entry.ts ?? lineTs
    const begun = this.#isOver ? this.begin(ts) : []
    this.#isOver = false
    if (entry.kind !== "line") this.#ending = null
    const ended = this.#continuesResult(entry) ? [] : this.#endResult()
    return [...begun, ...ended, ...this.#write(entry, ts)]
  }

  /** The frames for these lines, and notes for warnings of the parser. */
  async write(parser: GuestParser, lines: readonly TimedLine[]): Promise<readonly string[]> {
    const parsed = await parser.read(lines)
    const notes = this.parserNotes(parser, lines[0]?.ts ?? 0)
    const frames = parsed.flatMap(({ entries, warnings }, index) => {
      const { ts = 0, line = null } = lines[index] ?? {}
      this.#events.line = line
      return [...warningNotes(warnings, ts), ...entries.flatMap(entry => this.entry(entry, ts))]
    })
    return [...notes, ...frames]
  }

  /** Notes about the parser: its name once that changes, and its warnings. */
  parserNotes(parser: GuestParser, ts: number): readonly string[] {
    const warnings = warningNotes(parser.takeWarnings(), ts)
    const { name } = parser
    if (name === this.#parserName) return warnings
    this.#parserName = name
    this.#cli = name !== null && isCliName(name) ? name : this.#cli
    if (this.#cli !== null && !this.#events.hasSession) this.#events.session.invokeid = this.#cli
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
    return [...this.#endResult(), ...this.#endReply(ts)]
  }

  #write(entry: TranscriptEntry, ts: number): readonly string[] {
    switch (entry.kind) {
      case "assistant":
      case "thinking":
        return this.#writeText(entry, ts)
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
    const isNamed = sessionId && sessionId !== this.#events.session.id
    if (isNamed && this.#cli !== null) {
      this.#events.session = { invokeid: `${this.#cli} ${shortId(sessionId)}`, id: sessionId }
      this.#isNewTurn = false
    }
    const started = this.#startTurn(ts)
    // A turn that has begun without its model.
    const named = started.length === 0 && isOther ? [this.#events.ofSession("llm/request", ts, { model })] : []
    const told = isNamed ? [this.#events.ofSession("adapter/init", ts, { text: `session ${sessionId}` })] : []
    return [...ended, ...started, ...named, ...told]
  }

  #writeText(entry: Extract<TranscriptEntry, { kind: "assistant" | "thinking" }>, ts: number): readonly string[] {
    const { kind, delta } = entry
    // An empty line separates text within a block, and doesn't begin one.
    if (entry.text === "" && this.#reply.at(-1)?.kind !== kind) return []
    const last = this.#reply.at(-1)
    // A change between deltas and whole entries begins a new reply.
    const isFull = last !== undefined && last.text.length >= MAX_BLOCK_UNITS
    const endsReply = last?.kind === kind && (last.delta !== delta || isFull)
    const lines = [...(endsReply ? this.#endReply(ts) : []), ...this.#ensureTurn(ts)]
    const block = this.#reply.at(-1)
    const isParagraph = !delta && entry.text.includes("\n")
    const joins = block?.kind === kind
    // Whole entries are separated by a line end, those of several lines by an empty line.
    const gap = delta || !joins ? "" : block.isParagraph || isParagraph ? "\n\n" : "\n"
    const text = gap + entry.text
    if (joins) Object.assign(block, { text: block.text + text, isParagraph })
    else {
      if (this.#reply.length === 0) this.#replyLine = this.#events.line
      this.#reply.push({ kind, delta, text, isParagraph })
    }
    const type = kind === "thinking" ? "thinking-delta" : "text-delta"
    // A guest's pieces of text are not tokens: only its results count them.
    const usage = { "output-tokens": 0 }
    return [...lines, this.#events.ofSession("llm/delta", ts, { type, text, usage })]
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
    return content.length < MAX_BLOCK_UNITS ? lines : [...lines, ...this.#endResult()]
  }

  #writeRunResult(entry: RunResult, ts: number): readonly string[] {
    const usage = wireUsage(entry, this.#cli !== null && entry.turns !== 1)
    const lastText = this.#reply.findLast(block => block.kind === "assistant")?.text ?? this.#lastText
    const newText = entry.text.trim() === lastText.trim() ? "" : entry.text
    const message = entry.errors.join("\n") || newText || entry.subtype || "the run failed"
    const text = [usageText(entry), entry.isError ? "" : newText].filter(Boolean).join("\n")
    const turn = this.#ensureTurn(ts)
    const stop = entry.subtype === null ? {} : { "stop-reason": entry.subtype }
    if (entry.durationMs !== null) this.#events.took(entry.durationMs)
    const response = this.#response(ts, [], { usage, ...(entry.costUsd && { "cost-usd": entry.costUsd }), ...stop })
    this.#ending = entry.isError ? ["runner/error", { message }] : ["runner/done", { status: "done" }]
    return [
      ...turn,
      response,
      ...(entry.isError ? [this.#events.ofSession("llm/error", ts, { message })] : []),
      ...(text === "" ? [] : [this.#events.ofSession("adapter/result", ts, { text })]),
    ]
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
    return [this.#events.ofSession("llm/start", ts, this.#model === null ? {} : { model: this.#model })]
  }

  #endReply(ts: number): readonly string[] {
    return this.#reply.length === 0 ? [] : [this.#response(ts, [], {})]
  }

  /** The response that ends the current reply: its streamed blocks, then `more`. */
  #response(ts: number, more: readonly Json[], data: JsonObject): string {
    const streamed = this.#reply.map(({ kind, text }) =>
      kind === "thinking" ? { type: "thinking", thinking: text } : { type: "text", text },
    )
    this.#lastText = this.#reply.findLast(block => block.kind === "assistant")?.text ?? this.#lastText
    this.#reply = []
    const content = [...streamed, ...more]
    const [first, last] = [streamed.length > 0 ? this.#replyLine : this.#events.line, this.#events.line]
    const lines = first === null || last === null ? {} : { [LOG_LINE]: first === last ? first : [first, last] }
    return this.#events.ofSession("llm/response", ts, { ...(content.length > 0 && { content }), ...data, ...lines })
  }
}
