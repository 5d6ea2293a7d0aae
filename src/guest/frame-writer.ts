// Writes the entries of a guest as lines of the wire, so that everything which shows a run shows a guest's too.
import { encodeNote, LOG_LINE } from "../protocol/encode.ts"
import type { Json, JsonObject } from "../protocol/json.ts"
import type { GuestParser } from "./guest-parser.ts"
import type { TimedLine } from "./timed-line.ts"
import type { TranscriptEntry } from "./transcript-entry.ts"

/** UTF-16 units after which a block is written out though it goes on: what a response holds is kept until then. */
const BLOCK_UNITS = 1024 * 1024
/** Calls whose results are awaited. */
const CALLS_KEPT = 4096

/** How a command ended: one of the two is known. */
export interface GuestOutcome {
  readonly code: number | null
  readonly signal: string | null
}

/** Adjacent entries of one kind. Deltas are joined as they are, whole ones stand on lines of their own. */
interface Block {
  readonly kind: "assistant" | "thinking"
  readonly delta: boolean
  text: string
  /** What came last was of several lines. */
  paragraph: boolean
}

type Result = Extract<TranscriptEntry, { kind: "tool_result" }>

/**
 * One run of one guest, as one session of an invocation of that name; a turn begins at each `user` and `init`
 * (docs/decisions.md 8.7). Every method gives the lines to be folded next. `ts` is epoch ms, of the line that is read.
 */
export class FrameWriter {
  readonly #name: string
  #seq = 0
  /** The line of a saved log that is read, and the one with which the reply under way began. */
  #line: number | null = null
  #replyLine: number | null = null
  #spoke = false
  #inTurn = false
  #model: string | null = null
  /** What the reply under way has said: it streamed, and the response that ends it says it again, whole. */
  #reply: Block[] = []
  #lastText = ""
  /** Deltas that were counted as tokens: of this reply, and of those before it. */
  #tokens = 0
  #counted = 0
  /** Result deltas of one call that have not ended. */
  #result: { readonly entry: Result; readonly ts: number } | null = null
  readonly #calls = new Map<string, { readonly name: string; readonly ts: number }>()

  constructor(name: string) {
    this.#name = name
  }

  get began(): boolean {
    return this.#seq > 0
  }

  begin(ts: number): readonly string[] {
    return [this.#event("runner/started", ts, { "chart-id": this.#name, "session-id": "run" })]
  }

  entry(entry: TranscriptEntry, lineTs: number): readonly string[] {
    const ts = entry.ts ?? lineTs
    const ended = this.#continuesResult(entry) ? [] : this.#endResult()
    return [...ended, ...this.#write(entry, ts)]
  }

  /** What these lines say, and as bookkeeping of the recording what the parser could not do. */
  async write(parser: GuestParser, lines: readonly TimedLine[]): Promise<readonly string[]> {
    const readings = await parser.read(lines)
    return readings.flatMap(({ entries, complaints }, index) => {
      const { ts = 0, line = null } = lines[index] ?? {}
      this.#line = line
      return [...notes(complaints, ts), ...entries.flatMap(entry => this.entry(entry, ts))]
    })
  }

  /** Writes out what is only waiting for more: nothing more is there for now. */
  flush(ts: number): readonly string[] {
    return [...this.#endResult(), ...this.#endReply(ts)]
  }

  end({ code, signal }: GuestOutcome, ts: number): readonly string[] {
    const words = signal === null ? `exit code ${code ?? "unknown"}` : `ended by ${signal}`
    const lines = [...this.flush(ts)]
    const failed = signal !== null || code !== 0
    if (this.#spoke)
      lines.push(this.#own("llm/worker-exit", ts, { reason: words, ...(failed && { "is-error": true }) }))
    if (signal !== null) return [...lines, this.#event("runner/aborted", ts, { reason: words })]
    if (code === 0) return [...lines, this.#event("runner/done", ts, { status: "done" })]
    return [...lines, this.#event("runner/error", ts, { message: words })]
  }

  #write(entry: TranscriptEntry, ts: number): readonly string[] {
    switch (entry.kind) {
      case "assistant":
      case "thinking":
        return this.#say(entry, ts)
      case "init":
        this.#model = entry.model === "" ? this.#model : entry.model
        return [...this.#endReply(ts), this.#turn(ts, entry.sessionId)]
      case "user":
        return [...this.#endReply(ts), this.#turn(ts, null), this.#own("llm/user-message", ts, { text: entry.text })]
      case "tool_call":
        return this.#call(entry, ts)
      case "tool_result":
        return this.#hear(entry, ts)
      case "result":
        return this.#conclude(entry, ts)
      case "line": {
        const { name, text, isError } = entry
        return [...this.#endReply(ts), this.#own(`adapter/${name}`, ts, { text, ...(isError && { "is-error": true }) })]
      }
      default:
        return entry satisfies never
    }
  }

  #say(entry: Extract<TranscriptEntry, { kind: "assistant" | "thinking" }>, ts: number): readonly string[] {
    const { kind, delta } = entry
    // An empty line parts what is said, and begins nothing.
    if (entry.text === "" && this.#reply.at(-1)?.kind !== kind) return []
    const before = this.#reply.at(-1)
    // A whole entry behind deltas, or deltas behind it, say something anew.
    const full = before !== undefined && before.text.length >= BLOCK_UNITS
    const anew = before?.kind === kind && (before.delta !== delta || full)
    const lines = [...(anew ? this.#endReply(ts) : []), ...this.#enter(ts)]
    const block = this.#reply.at(-1)
    const paragraph = !delta && entry.text.includes("\n")
    const joins = block?.kind === kind
    // Whole entries stand below each other, those of several lines apart.
    const gap = delta || !joins ? "" : block.paragraph || paragraph ? "\n\n" : "\n"
    const text = gap + entry.text
    if (joins) Object.assign(block, { text: block.text + text, paragraph })
    else {
      if (this.#reply.length === 0) this.#replyLine = this.#line
      this.#reply.push({ kind, delta, text, paragraph })
    }
    if (delta) this.#tokens++
    const type = kind === "thinking" ? "thinking-delta" : "text-delta"
    // A line is no token: only what came as a delta counts as one.
    const usage = delta ? {} : { usage: { "output-tokens": this.#tokens } }
    return [...lines, this.#own("llm/delta", ts, { type, text, ...usage })]
  }

  #call(entry: Extract<TranscriptEntry, { kind: "tool_call" }>, ts: number): readonly string[] {
    const { name, input, id } = entry
    if (id !== null) {
      this.#calls.set(id, { name, ts })
      const [oldest] = this.#calls.keys()
      if (this.#calls.size > CALLS_KEPT && oldest !== undefined) this.#calls.delete(oldest)
    }
    const call = { type: "tool_use", ...(id !== null && { id }), name, input }
    return [...this.#enter(ts), this.#respond(ts, [call], { "stop-reason": "tool_use" })]
  }

  #hear(entry: Result, ts: number): readonly string[] {
    if (!entry.delta) return [...this.#endReply(ts), this.#resultLine(entry, ts)]
    const lines = this.#result === null ? this.#endReply(ts) : []
    const content = (this.#result?.entry.content ?? "") + entry.content
    this.#result = { entry: { ...entry, content }, ts }
    return content.length < BLOCK_UNITS ? lines : [...lines, ...this.#endResult()]
  }

  #conclude(entry: Extract<TranscriptEntry, { kind: "result" }>, ts: number): readonly string[] {
    const usage = {
      "input-tokens": entry.input,
      // The whole run's: what was counted as it streamed is in the run's sum already.
      "output-tokens": entry.output === null ? null : Math.max(0, entry.output - this.#counted),
      "cached-tokens": entry.cached,
    }
    const said = this.#reply.findLast(block => block.kind === "assistant")?.text ?? this.#lastText
    const news = entry.text.trim() === said.trim() ? "" : entry.text
    const failed = entry.errors.join("\n") || news || entry.subtype || "the run failed"
    const text = [figures(entry), entry.isError ? "" : news].filter(Boolean).join("\n")
    const began = this.#enter(ts)
    const stop = entry.subtype === null ? {} : { "stop-reason": entry.subtype }
    const response = this.#respond(ts, [], { usage, ...stop })
    this.#counted = 0
    return [
      ...began,
      response,
      ...(entry.isError ? [this.#own("llm/error", ts, { message: failed })] : []),
      ...(text === "" ? [] : [this.#own("adapter/result", ts, { text })]),
    ]
  }

  #continuesResult(entry: TranscriptEntry): boolean {
    return entry.kind === "tool_result" && entry.delta && entry.id === this.#result?.entry.id
  }

  #endResult(): readonly string[] {
    if (this.#result === null) return []
    const { entry, ts } = this.#result
    this.#result = null
    return [this.#resultLine(entry, ts)]
  }

  #resultLine({ id, name, content, isError }: Result, ts: number): string {
    const call = this.#calls.get(id)
    this.#calls.delete(id)
    const tool = name ?? call?.name ?? null
    const took = call === undefined || ts <= call.ts ? {} : { "elapsed-ms": ts - call.ts }
    return this.#own("llm/tool-result", ts, {
      "tool-use-id": id,
      ...(tool !== null && { tool }),
      "is-error": isError,
      "content-preview": content,
      ...took,
    })
  }

  /** A turn, where the guest speaks without having begun one. */
  #enter(ts: number): readonly string[] {
    return this.#inTurn ? [] : [this.#turn(ts, null)]
  }

  #turn(ts: number, session: string | null): string {
    this.#inTurn = true
    const model = this.#model === null ? {} : { model: this.#model }
    return this.#own("llm/start", ts, { ...model, ...(session !== null && { "adapter-session": session }) })
  }

  #endReply(ts: number): readonly string[] {
    return this.#reply.length === 0 ? [] : [this.#respond(ts, [], {})]
  }

  /** The response that ends the reply under way: what streamed, and these blocks behind it. */
  #respond(ts: number, more: readonly Json[], data: JsonObject): string {
    const said = this.#reply.map(({ kind, text }) =>
      kind === "thinking" ? { type: "thinking", thinking: text } : { type: "text", text },
    )
    this.#lastText = this.#reply.findLast(block => block.kind === "assistant")?.text ?? this.#lastText
    this.#reply = []
    this.#counted += this.#tokens
    this.#tokens = 0
    const content = [...said, ...more]
    const [first, last] = [said.length > 0 ? this.#replyLine : this.#line, this.#line]
    const lines = first === null || last === null ? {} : { [LOG_LINE]: first === last ? first : [first, last] }
    return this.#own("llm/response", ts, { ...(content.length > 0 && { content }), ...data, ...lines })
  }

  /** An event of the guest's session. */
  #own(event: string, ts: number, data: JsonObject): string {
    this.#spoke = true
    // A reply tells its deltas again.
    const line = this.#line === null || event === "llm/delta" ? {} : { [LOG_LINE]: this.#line }
    return this.#event(event, ts, { invokeid: this.#name, "session-id": "run", ...line, ...data })
  }

  #event(event: string, ts: number, data: JsonObject): string {
    this.#seq++
    return JSON.stringify({ kind: "event", seq: this.#seq, ts, event, data })
  }
}

/** What the run took, in words. */
function figures({ input, output, cached, costUsd }: Extract<TranscriptEntry, { kind: "result" }>): string {
  const counts = [input && `${input} in`, output && `${output} out`, cached && `${cached} cached`]
  return [...counts, costUsd && `$${costUsd.toFixed(4)}`].filter(Boolean).join(" · ")
}

/** Bookkeeping of a recording: what a parser could not do. */
export function notes(complaints: readonly string[], ts: number): readonly string[] {
  return complaints.map(why => encodeNote(ts, "parser", { why }))
}
