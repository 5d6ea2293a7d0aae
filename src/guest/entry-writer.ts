// Writes the entries that a foreign parser returns as events of one session.
import { LOG_LINE } from "../../packages/wire/src/encode.ts"
import type { Json, JsonObject } from "../../packages/wire/src/json.ts"
import type { GuestEvents } from "./guest-events.ts"
import { GuestReply, isWords, MAX_RESULT_UNITS, type SaidWords } from "./guest-reply.ts"
import { RequestCount } from "./request-count.ts"
import { knownResult, stopReason, usageText, wireUsage } from "./run-result-words.ts"
import type { TranscriptEntry } from "./transcript-entry.ts"

/** The most calls remembered until their results. */
const MAX_CALLS = 4096

/** The event that says how a run ended. */
export type EndEvent = readonly [event: "runner/done" | "runner/error" | "runner/aborted", data: JsonObject]

type Result = Extract<TranscriptEntry, { kind: "tool_result" }>
type RunResult = Extract<TranscriptEntry, { kind: "result" }>

/**
 * Writes the entries of a run as one session, in which a turn begins at each `user` and `init` (docs/decisions.md 8.7).
 * Methods return lines. `ts` is the time of the line that is read, epoch ms; null if unknown.
 */
export class EntryWriter {
  readonly #events: GuestEvents
  /** True if the parser counts cached tokens within the input. */
  isExact = false
  readonly #requests = new RequestCount()
  #inTurn = false
  /** True until the model says something in the turn. */
  #isNewTurn = false
  #model: string | null = null
  /** The current reply. It was streamed as deltas; the response repeats it in full. */
  readonly #reply = new GuestReply()
  /** How the run ended by its own result, if nothing but lines has followed that. */
  #ending: EndEvent | null = null
  /** A tool result whose deltas are still coming. */
  #openResult: { readonly entry: Result; readonly ts: number | null } | null = null
  readonly #calls = new Map<string, { readonly name: string; readonly ts: number | null }>()
  /** The session's id that a line has told last. */
  #toldSession: string | null = null

  constructor(events: GuestEvents) {
    this.#events = events
  }

  get ending(): EndEvent | null {
    return this.#ending
  }

  entry(entry: TranscriptEntry, ts: number | null): readonly string[] {
    if (entry.kind !== "line") this.#ending = null
    const ended = this.#continuesResult(entry) ? [] : this.#endResult()
    return [...(isWords(entry) ? [] : this.tell()), ...ended, ...this.#write(entry, ts)]
  }

  /** The text that no delta has told yet, as one. */
  tell(untold = this.#reply.takeUntold()): readonly string[] {
    if (untold === null) return []
    const type = untold.kind === "thinking" ? "thinking-delta" : "text-delta"
    // A guest's pieces of text are not tokens: only its results count them.
    const usage = { "output-tokens": 0 }
    return [this.#events.ofSession("llm/delta", untold.ts, { type, text: untold.text, usage })]
  }

  /** Ends what is open of a reply and a result. */
  flush(ts: number | null): readonly string[] {
    return [...this.tell(), ...this.#endResult(), ...this.#endReply(ts)]
  }

  #write(entry: TranscriptEntry, ts: number | null): readonly string[] {
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
        return [...this.#endReply(ts), this.#events.ofSession(`adapter/${name}`, ts, data)]
      }
      default:
        return entry satisfies never
    }
  }

  #writeInit({ model, sessionId }: Extract<TranscriptEntry, { kind: "init" }>, ts: number | null): readonly string[] {
    const ended = this.#endReply(ts)
    const isOther = model !== "" && model !== this.#model
    this.#model = model === "" ? this.#model : model
    const started = this.#startTurn(ts)
    // A turn that has begun without its model.
    const named = started.length === 0 && isOther ? [this.#events.ofSession("llm/request", ts, { model })] : []
    return [...ended, ...started, ...named, ...this.#tellSession(sessionId, ts)]
  }

  /** A line with the session's id, unless one has told it. */
  #tellSession(id: string | null, ts: number | null): readonly string[] {
    if (!id || id === this.#toldSession) return []
    this.#toldSession = id
    return [this.#events.ofSession("adapter/init", ts, { text: `session ${id}` })]
  }

  #writeText(entry: SaidWords, ts: number | null): readonly string[] {
    if (this.#reply.ignores(entry)) return []
    const ended = this.#reply.endsBefore(entry) ? this.flush(ts) : []
    return [...ended, ...this.#ensureTurn(ts), ...this.tell(this.#reply.add(entry, this.#events.line, ts))]
  }

  #writeToolCall(entry: Extract<TranscriptEntry, { kind: "tool_call" }>, ts: number | null): readonly string[] {
    const { name, input, id } = entry
    if (id !== null) {
      this.#calls.set(id, { name, ts })
      const [oldest] = this.#calls.keys()
      if (this.#calls.size > MAX_CALLS && oldest !== undefined) this.#calls.delete(oldest)
    }
    const call = { type: "tool_use", ...(id !== null && { id }), name, input }
    return [...this.#ensureTurn(ts), this.#response(ts, [call], { "stop-reason": "tool_use" })]
  }

  #writeToolResult(entry: Result, ts: number | null): readonly string[] {
    if (!entry.delta) return [...this.#endReply(ts), this.#resultLine(entry, ts)]
    const lines = this.#openResult === null ? this.#endReply(ts) : []
    const content = (this.#openResult?.entry.content ?? "") + entry.content
    this.#openResult = { entry: { ...entry, content }, ts }
    return content.length < MAX_RESULT_UNITS ? lines : [...lines, ...this.#endResult()]
  }

  #writeRunResult(told: RunResult, ts: number | null): readonly string[] {
    const entry = knownResult(told, this.isExact)
    const newText = entry.text.trim() === this.#reply.lastText.trim() ? "" : entry.text
    const message = entry.errors.join("\n") || newText || entry.subtype || "the run failed"
    const text = [usageText(entry), entry.isError ? "" : newText].filter(Boolean).join("\n")
    const replied = this.#endRun(entry, ts)
    this.#ending = entry.isError ? ["runner/error", { message }] : ["runner/done", { status: "done" }]
    return [
      ...replied,
      ...(entry.isError ? [this.#events.ofSession("llm/error", ts, { message })] : []),
      ...(text === "" ? [] : [this.#events.ofSession("adapter/result", ts, { text })]),
    ]
  }

  /** The response with what the run has used, as far as its result tells. */
  #endRun(entry: RunResult, ts: number | null): readonly string[] {
    const turn = this.#ensureTurn(ts)
    const requests = this.#requests.next(!this.#reply.isEmpty)
    const usage = wireUsage(entry, this.#requests.sinceResult > 1)
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

  #resultLine({ id, name, content, isError }: Result, ts: number | null): string {
    const call = this.#calls.get(id)
    this.#calls.delete(id)
    const tool = name ?? call?.name ?? null
    const passed = call?.ts == null || ts === null ? 0 : ts - call.ts
    const took = passed > 0 ? { "elapsed-ms": passed } : {}
    this.#requests.answer()
    return this.#events.ofSession("llm/tool-result", ts, {
      "tool-use-id": id,
      ...(tool !== null && { tool }),
      "is-error": isError,
      "content-preview": content,
      ...took,
    })
  }

  /** Begins a turn if none has begun. */
  #ensureTurn(ts: number | null): readonly string[] {
    const started = this.#inTurn ? [] : this.#startTurn(ts)
    this.#isNewTurn = false
    return started
  }

  /** Begins a turn, unless the one that has begun is still empty. */
  #startTurn(ts: number | null): readonly string[] {
    if (this.#isNewTurn) return []
    this.#inTurn = true
    this.#isNewTurn = true
    this.#requests.beginTurn()
    return [this.#events.ofSession("llm/start", ts, this.#model === null ? {} : { model: this.#model })]
  }

  #endReply(ts: number | null): readonly string[] {
    return this.#reply.isEmpty ? [] : [this.#response(ts, [], {})]
  }

  /** The response that ends the current reply, or a part of it: its streamed blocks, then `more`. */
  #response(ts: number | null, more: readonly Json[], data: JsonObject, requests = this.#requests.next(true)): string {
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
