// Writes one session of a CLI as events of the wire: its turns, prompts, replies, calls and results.
import type { Json, JsonObject } from "../../../packages/wire/src/json.ts"
import { given } from "./fields.ts"
import type { Output, Owner } from "./output.ts"

const MAX_CALLS = 4096
/** Longer text is put into a response early, UTF-16 units, because it is held in memory until then. */
const MAX_TEXT_UNITS = 1024 * 1024

/** The usage of a reply whose tokens the CLI reports later, or never. */
const UNCOUNTED = { "output-tokens": 0 }

export type Words = "text" | "thinking"

/** The facts that the CLI reports at the end of a reply. */
export interface ReplyReport {
  readonly usage?: JsonObject | null
  readonly stop?: string | null
  readonly costUsd?: number | null
  readonly tps?: number | null
  readonly contextWindow?: number | null
  /** How many requests it answers, of a CLI that counts them itself. */
  readonly requests?: number
}

/** A session of a run. A request to the model is a turn; a reply may be written in several parts. */
export class GuestSession implements Owner {
  readonly #calls = new Map<string, { readonly name: string; readonly ts: number | null }>()
  #blocks: { readonly kind: Words | "call"; text: string; readonly call?: JsonObject }[] = []
  #from: number | null = null
  /** True if some of these came in pieces, which count as tokens until the CLI reports a number. */
  #hasStreamed = false
  #model = ""
  #toldModel = ""
  /** `none` before the first turn, `asked` once a turn has begun, `replied` once a part of its reply was written. */
  #turn: "none" | "asked" | "replied" = "none"
  #hasFailed = false

  /** `begins` is added to the beginning of each turn: it names the caller of a subagent. */
  constructor(
    private readonly out: Output,
    readonly invokeid: string,
    readonly id: string,
    private readonly begins: JsonObject = {},
  ) {}

  get isSubagent(): boolean {
    return "parent-session-id" in this.begins
  }

  /** True if text or calls came that no response has repeated yet. */
  get isSpeaking(): boolean {
    return this.#blocks.length > 0
  }

  /** True if the model was asked and has not replied yet. */
  get isAsked(): boolean {
    return this.#turn === "asked" && !this.isSpeaking
  }

  get hasOpenCalls(): boolean {
    return this.#calls.size > 0
  }

  /** Names the model of the next turn, and of a turn that has begun without one. */
  set model(model: string) {
    if (model !== "") this.#model = model
    if (this.#turn === "asked" && this.#toldModel !== this.#model)
      this.#event("llm/request", { model: this.#tellModel() })
  }

  /** The model is asked, at `ts` if that was earlier: a turn begins, unless one has begun and has no reply yet. */
  ask(ts: number | null = null): void {
    if (this.isAsked) return
    this.reply()
    this.#turn = "asked"
    this.#hasFailed = false
    const model = this.#tellModel()
    const now = this.out.ts
    this.out.ts = ts ?? now
    this.#event("llm/start", { ...given({ model }), ...this.begins })
    this.out.ts = now
  }

  prompt(text: string): void {
    if (text === "") return
    // A turn that failed is over, also if nothing came of it.
    if (this.#hasFailed) this.#turn = "replied"
    this.ask()
    this.#event("llm/user-message", { text })
  }

  /** A piece of the reply, or a `whole` block that did not come in pieces. `tokens` is the CLI's running count. */
  say(kind: Words, text: string, { whole = false, tokens }: { whole?: boolean; tokens?: number | null } = {}): void {
    if (text === "") return
    if (this.#turn === "none") this.ask()
    const last = this.#blocks.at(-1)
    const goesOn = last?.kind === kind && !whole
    if (goesOn) last.text += text
    else this.#push({ kind, text })
    this.#hasStreamed ||= !whole
    const usage = typeof tokens === "number" ? { "output-tokens": tokens } : null
    this.#event("llm/delta", given({ type: `${kind}-delta`, text, whole, usage }))
    // After its own delta: a response that came first would tell this piece twice.
    if (goesOn && last.text.length > MAX_TEXT_UNITS) this.reply()
  }

  /** A tool call of the reply. It shows once `reply` is called. */
  call(id: string, name: string, input: Json): void {
    if (this.#turn === "none") this.ask()
    if (id !== "") this.#calls.set(id, { name, ts: this.out.ts })
    const [oldest] = this.#calls.keys()
    if (this.#calls.size > MAX_CALLS && oldest !== undefined) this.#calls.delete(oldest)
    this.#push({ kind: "call", text: "", call: { type: "tool_use", ...given({ id }), name, input } })
  }

  /** Writes the reply so far, or its end. Further parts are of the same request until `ask` is called. */
  reply(end: ReplyReport = {}): void {
    const { usage = null, stop = null, costUsd = null, tps = null, contextWindow = null } = end
    const tells = usage !== null || stop !== null || costUsd !== null
    if (this.#blocks.length === 0 && !tells) return
    if (this.#turn === "none") this.ask()
    const content = this.#blocks.map(({ kind, text, call }) =>
      call !== undefined ? call : kind === "thinking" ? { type: kind, thinking: text } : { type: "text", text },
    )
    const from = this.#blocks.length === 0 ? this.out.line : this.#from
    const data = given({
      content: content.length > 0 && content,
      requests: end.requests ?? (this.#turn === "replied" ? 0 : 1),
      usage: usage ?? (this.#hasStreamed && UNCOUNTED),
      "stop-reason": stop,
      "cost-usd": costUsd,
      "output-tps": tps,
      "context-window": contextWindow,
    })
    this.#blocks = []
    this.#hasStreamed = false
    this.#turn = "replied"
    this.#event("llm/response", data, from)
  }

  /** The result of a tool. `name` is needed only if its call wasn't seen. */
  result(id: string, text: string, failed: boolean, { name = "", elapsedMs = null as number | null } = {}): void {
    this.reply()
    const call = this.#calls.get(id)
    this.#calls.delete(id)
    const tool = name || call?.name
    const now = this.out.ts
    const passed = call?.ts == null || now === null || now <= call.ts ? null : now - call.ts
    const details = given({ tool, "elapsed-ms": elapsedMs ?? passed })
    this.#event("llm/tool-result", { "tool-use-id": id, "is-error": failed, "content-preview": text, ...details })
  }

  retry(attempt: number | null, max: number | null, category: string): void {
    this.ask()
    this.#event("llm/retry", { ...given({ attempt, "max-retries": max }), category })
  }

  error(message: string): void {
    this.reply()
    this.#hasFailed = true
    this.#event("llm/error", { message })
  }

  note(name: string, text: string, isError = false): void {
    if (text === "") return
    this.reply()
    this.#event(`adapter/${name}`, { text, ...given({ "is-error": isError }) })
  }

  /** The session's usage so far, by the CLI's count. */
  used(usage: JsonObject | null, costUsd: number | null): void {
    this.reply()
    this.#event("llm/usage", given({ usage, "cost-usd": costUsd }))
  }

  exit(reason: string, failed: boolean): void {
    this.reply()
    this.#calls.clear()
    this.#event("llm/worker-exit", { reason, ...given({ "is-error": failed }) })
  }

  #push(block: { readonly kind: Words | "call"; text: string; readonly call?: JsonObject }): void {
    if (this.#blocks.length === 0) this.#from = this.out.line
    this.#blocks.push(block)
  }

  #tellModel(): string {
    this.#toldModel = this.#model
    return this.#model
  }

  #event(event: string, data: JsonObject, from?: number | null): void {
    this.out.ofSession(this, event, data, from)
  }
}
