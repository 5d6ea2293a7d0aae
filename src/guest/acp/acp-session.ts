// Reads the updates of one session of an agent that speaks the Agent Client Protocol.
import type { Json, JsonObject } from "../../../packages/wire/src/json.ts"
import { countOf, listOf, objectOf, partsText, textOf } from "../common/fields.ts"
import type { GuestSession, Words } from "../common/guest-session.ts"
import type { Output } from "../common/output.ts"
import { type Kinds, readKind } from "../common/reader.ts"
import { type Tokens, wireUsage } from "../common/token-usage.ts"
import { optionsOf, type SessionOption } from "./session-options.ts"
import { ToolCall } from "./tool-call.ts"

const MAX_CALLS = 4096
const MARKS: { readonly [status: string]: string } = { completed: "[x]", in_progress: "[>]" }

export class AcpSession {
  commands: readonly JsonObject[] = []
  options: readonly SessionOption[] = []
  isBusy = false
  readonly #calls = new Map<string, ToolCall>()
  readonly #unknown = new Set<string>()
  /** A prompt of the past, which a loaded session repeats in pieces. */
  #repeated = ""
  #contextWindow: number | null = null
  #costUsd: number | null = null
  /** Whether a tool has answered since the model spoke. */
  #isAnswered = false
  /** A person has answered a permission since then; some agents report no result of a refused tool. */
  isSettled = false
  #hasPlan = false
  #requests = 0

  constructor(
    private readonly out: Output,
    readonly session: GuestSession,
  ) {}

  prompt(text: string): void {
    this.#endPieces()
    this.isBusy = true
    this.#requests = 1
    this.#isAnswered = this.isSettled = false
    this.session.prompt(text)
    this.session.ask()
  }

  /** Reads an update; one of an unknown kind is noted once. */
  update(update: JsonObject): void {
    const kind = textOf(update.sessionUpdate)
    if (kind !== "user_message_chunk") this.#endRepeated()
    const unknown = readKind(this.#kinds, kind, update)
    if (unknown === null || this.#unknown.has(unknown)) return
    this.#unknown.add(unknown)
    this.session.note("unknown", `${unknown} (not read)`)
  }

  readonly #kinds: Kinds = {
    user_message_chunk: ({ content }) => {
      this.#repeated += partsText([content ?? ""])
    },
    agent_message_chunk: ({ content }) => this.#say("text", content),
    agent_thought_chunk: ({ content }) => this.#say("thinking", content),
    tool_call: update => this.toolCall(update),
    tool_call_update: update => this.toolCall(update),
    plan: ({ entries }) => this.#plan(listOf(entries).map(objectOf)),
    usage_update: update => this.#usage(update),
    current_mode_update: ({ currentModeId }) => this.choose("mode", textOf(currentModeId)),
    available_commands_update: ({ availableCommands }) => {
      this.commands = listOf(availableCommands).map(objectOf)
    },
    session_info_update: null,
    session_message: ({ recipientSessionId, senderSessionId, content }) => {
      const text = partsText(content ?? "")
      const isTask = recipientSessionId === this.session.id && this.session.isSubagent
      if (isTask) this.prompt(text)
      else this.session.note(senderSessionId === this.session.id ? "sent" : "handed-back", text)
    },
    config_option_update: update => this.configure(update),
  }

  /** Takes the agent's choices and their current values. */
  configure(offers: JsonObject): void {
    this.#endRepeated()
    const told = optionsOf(offers)
    const rest = this.options.filter(({ kind, id }) => !told.some(one => one.kind === kind && one.id === id))
    for (const one of told) this.#tellMode(one)
    this.options = [...told, ...rest]
    this.session.model = this.options.find(({ kind }) => kind === "model")?.current ?? ""
  }

  choose(kind: "model" | "mode", current: string): void {
    const chosen = this.options.find(one => one.kind === kind)
    if (kind === "model") this.session.model = current
    else if (chosen === undefined) this.session.note("mode", current)
    else this.#tellMode({ ...chosen, current })
    this.options = this.options.map(one => (one === chosen ? { ...one, current } : one))
  }

  #tellMode({ kind, current }: SessionOption): void {
    const before = this.options.find(one => one.kind === kind)
    if (kind === "mode" && before !== undefined && before.current !== current) this.session.note("mode", current)
  }

  works(state: string): void {
    if (state === "idle" && this.isBusy) this.end("", null, false)
    else if (state === "running") this.isBusy = true
  }

  /** Takes an update of a tool call, or its request for a permission. Returns the call so far. */
  toolCall(update: JsonObject, asks = false): ToolCall {
    const id = textOf(update.toolCallId)
    const known = this.#calls.get(id)
    const call = known ?? new ToolCall(id)
    if (known === undefined) {
      this.#goOn()
      this.#calls.set(id, call)
      const [oldest] = this.#calls.keys()
      if (this.#calls.size > MAX_CALLS && oldest !== undefined) this.#calls.delete(oldest)
    }
    call.add(update, asks)
    if (asks || call.hasBegun || call.isOver) this.#tell(call)
    if (call.isOver) {
      this.session.result(id, call.result, call.failed, { name: call.name })
      this.#calls.delete(id)
      this.#isAnswered = true
    }
    return call
  }

  /** The prompt is over: the reason, and the usage by the agent's count. `isLast`: of the last request alone. */
  end(stop: string, usage: Tokens | null, isLast: boolean): void {
    this.#endPieces()
    const summed = this.#requests > 1 && !isLast
    // The agent reports a cut reply as zero tokens, though it was paid for.
    const isCut = usage === null || (usage.input === 0 && usage.output === 0)
    const told = isCut ? null : wireUsage(usage, { summed })
    this.session.reply({ usage: told, stop, contextWindow: summed ? null : this.#contextWindow })
    this.#endWork()
    if (stop === "cancelled") this.session.note("interrupted", "the turn was interrupted")
  }

  /** The history that a loaded session repeats is over. */
  loaded(): void {
    this.#endPieces()
    this.session.reply()
    this.#endWork()
  }

  fail(message: string): void {
    this.#endWork()
    this.session.error(message)
  }

  exit(reason: string, failed: boolean): void {
    this.#endWork()
    this.session.exit(reason, failed)
  }

  /** Writes the calls whose input can no longer change, because something else came. */
  #endPieces(): void {
    this.#endRepeated()
    for (const call of this.#calls.values()) this.#tell(call)
  }

  #endRepeated(): void {
    if (this.#repeated === "") return
    const text = this.#repeated
    this.#repeated = ""
    this.session.prompt(text)
  }

  /** The cost of the session so far, after the reply that it includes. */
  #tellCost(): void {
    if (this.#costUsd !== null) this.session.used(null, this.#costUsd)
    this.#costUsd = null
  }

  /** The turn is over: calls without a result get none. */
  #endWork(): void {
    this.#endPieces()
    this.isBusy = false
    this.#tellCost()
    for (const call of this.#calls.values()) this.session.result(call.id, call.result, true, { name: call.name })
    this.#calls.clear()
    if (this.#hasPlan) this.#progress("end", {})
    this.#hasPlan = false
  }

  #tell(call: ToolCall): void {
    if (call.isTold) return
    this.session.call(call.id, call.name, call.tell())
    this.session.reply()
  }

  /** Text after a tool's result belongs to the next request. */
  #goOn(): void {
    if (!this.#isAnswered) return
    this.#isAnswered = this.isSettled = false
    this.#requests++
    this.session.ask()
  }

  #say(kind: Words, content: Json | undefined): void {
    const text = partsText([content ?? ""])
    if (text === "") return
    for (const call of this.#calls.values()) this.#tell(call)
    this.#isAnswered ||= this.isSettled
    this.#goOn()
    this.session.say(kind, text)
  }

  #plan(entries: readonly JsonObject[]): void {
    const done = entries.filter(({ status }) => status === "completed").length
    const at =
      entries.find(({ status }) => status === "in_progress") ?? entries.find(({ status }) => status !== "completed")
    const lines = entries.map(({ content, status }) => `${MARKS[textOf(status)] ?? "[ ]"} ${textOf(content)}`)
    this.session.note("plan", lines.join("\n"))
    if (entries.length === 0) return
    const label = textOf(at?.content) || "done"
    this.#progress(this.#hasPlan ? "update" : "start", { label, pct: done / entries.length })
    this.#hasPlan = true
  }

  #progress(phase: "start" | "update" | "end", data: JsonObject): void {
    this.out.frame({ kind: "progress", phase, invokeid: this.session.invokeid, ...data })
  }

  #usage({ size, cost, _meta }: JsonObject): void {
    this.#contextWindow = countOf(size) ?? this.#contextWindow
    // A reply is whole that was counted.
    for (const call of this.#calls.values()) this.#tell(call)
    this.session.model = textOf(objectOf(_meta)["_claude/model"])
    const { amount, currency } = objectOf(cost)
    if (currency === "USD") this.#costUsd = countOf(amount) ?? this.#costUsd
    if (!this.isBusy) this.#tellCost()
  }
}
