// Talks to `claude -p --input-format stream-json --permission-prompt-tool stdio` by its control protocol. Tried with
// Claude Code 2.1.331.
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import type { GuestOption, TakeAnswer } from "../common/asking.ts"
import { countOf, listOf, objectOf, textOf } from "../common/fields.ts"
import type { Owner } from "../common/output.ts"
import { type Choice, slashOptions, Talk } from "../common/talk.ts"
import { askForTool, denied } from "./claude-permission.ts"
import { ClaudeStream } from "./claude-stream.ts"

const GONE = "The person who could answer has left."
/** Our hook, which the CLI calls before every tool; `timeout` is how long it waits for the reply, s. */
const GATE = { PreToolUse: [{ matcher: null, hookCallbackIds: ["gate"], timeout: 30 * 86_400 }] }
const REQUEST = "sidecar-"
/** The id of our first request, which begins the conversation. */
const FIRST = `${REQUEST}1`
const MODES: readonly GuestOption[] = [
  { label: "default – asks before it changes anything", value: "default" },
  { label: "acceptEdits – edits files without asking", value: "acceptEdits" },
  { label: "plan – reads only, and makes a plan", value: "plan" },
  { label: "bypassPermissions – asks nothing", value: "bypassPermissions" },
]

export class ClaudeTalk extends Talk {
  /** Until it has answered for the first time. */
  isStarting = true
  isBusy = false
  /** From the first prompt on. */
  #reader: ClaudeStream | null = null
  #count = 0
  #offers: JsonObject = {}
  #model = ""
  #mode = ""
  /** The open question of each request that the CLI waits for. */
  readonly #open = new Map<string, string>()

  get failure(): string | null {
    const ending = this.#reader?.ending ?? null
    return ending?.failed === true ? ending.message : null
  }

  heard(line: JsonObject): void {
    this.isStarting = false
    const { request_id, request } = line
    if (line.type === "control_request") this.#requested(textOf(request_id), objectOf(request))
    else if (line.type === "control_cancel_request") this.#takeBack(textOf(request_id))
    else if (line.type === "control_response") this.#replied(objectOf(line.response))
    else this.#read(line)
  }

  exit(reason: string, failed: boolean): void {
    this.asking.endAll()
    this.#reader?.pause()
    this.#reader?.exit(reason, failed)
  }

  protected start(): void {
    const { asks, prompt } = this.options
    if (asks) this.#control({ subtype: "initialize", hooks: GATE })
    if (prompt !== null) this.prompt(this.#owner, prompt)
  }

  protected interrupt(): boolean {
    if (this.isBusy) this.#control({ subtype: "interrupt" })
    return this.isBusy
  }

  protected refuseAll(): void {
    for (const id of [...this.#open.keys()]) {
      this.#takeBack(id)
      this.#respond(id, denied(GONE))
    }
  }

  protected prompt(_owner: Owner, text: string): void {
    this.isBusy = true
    const line = { type: "user", message: { role: "user", content: text }, parent_tool_use_id: null, session_id: "" }
    if (this.#reader === null) this.#reader = new ClaudeStream(this.out, { session: null, prompt: text })
    else this.#reader.read(line)
    this.say(line)
  }

  protected slashCommands(): readonly GuestOption[] {
    return slashOptions(listOf(this.#offers.commands).map(objectOf))
  }

  protected choose({ what }: Choice): boolean {
    const models = listOf(this.#offers.models).map(objectOf)
    if (what === "mode") {
      const question = { prompt: "Which permission mode?", options: MODES, current: this.#mode }
      this.askWhich(this.#owner, question, mode => this.#control({ subtype: "set_permission_mode", mode }))
    } else if (what === "model" && models.length > 0) {
      const options = models.map(({ value, displayName, description }) => ({
        label: [textOf(displayName) || textOf(value), textOf(description)].filter(Boolean).join(" – "),
        value: textOf(value),
      }))
      const current = textOf(models.find(({ resolvedModel }) => resolvedModel === this.#model)?.value)
      const question = { prompt: "Which model?", options, current }
      this.askWhich(this.#owner, question, model => this.#control({ subtype: "set_model", model }))
    } else return false
    return true
  }

  get #owner(): Owner {
    return this.#reader?.owner ?? { invokeid: "claude", id: "run" }
  }

  #read(line: JsonObject): void {
    this.#model = textOf(line.model) || this.#model
    this.#mode = textOf(line.permissionMode) || this.#mode
    const unknown = this.#reader?.read(line) ?? null
    if (unknown !== null) this.out.ofRun("adapter/unknown", { text: `${unknown} (not read)` })
    if (line.type !== "result") return
    const isFurther = this.isBusy
    this.isBusy = false
    if (!this.options.once && this.options.asks) this.#control({ subtype: "get_context_usage" })
    if (isFurther) this.ended(this.#owner)
  }

  #requested(id: string, request: JsonObject): void {
    const { subtype } = request
    if (subtype === "hook_callback") this.#respond(id, this.asking.isHeld ? HELD : {})
    else if (subtype !== "can_use_tool") {
      const error = `${textOf(subtype) || "a request without a subtype"} is not offered here`
      this.say({ type: "control_response", response: { subtype: "error", request_id: id, error } })
    } else if (this.options.asks) this.#ask(id, request)
    else this.#respond(id, denied(GONE))
  }

  #ask(id: string, request: JsonObject): void {
    this.#takeBack(id)
    const owner = this.#owner
    askForTool(request, {
      ask: (question, take: TakeAnswer) => {
        const isFirst = !this.#open.has(id)
        const prompt = isFirst
          ? this.asking.askPermission(owner, question, take)
          : this.asking.ask(owner, question, take)
        this.#open.set(id, prompt)
      },
      reply: response => {
        this.#open.delete(id)
        this.#respond(id, response)
      },
      edited: input => this.#tell("edited", `it runs with this input instead: ${JSON.stringify(input)}`),
    })
  }

  /** The CLI needs no answer any more. */
  #takeBack(id: string): void {
    const prompt = this.#open.get(id)
    this.#open.delete(id)
    if (prompt !== undefined) this.asking.end(prompt, "interrupted")
  }

  #replied({ request_id, subtype, error, response }: JsonObject): void {
    const { commands, model, mode, totalTokens, maxTokens } = objectOf(response)
    const [used, most] = [countOf(totalTokens), countOf(maxTokens)]
    if (subtype === "error") this.#tell("control", textOf(error))
    else if (used !== null && most !== null)
      this.#tell("context", contextWords(used, most, this.#reader?.counted ?? null))
    else if (typeof model === "string") this.#tell("model", model)
    else if (typeof mode === "string") this.#tell("mode", mode)
    else if (Array.isArray(commands)) {
      this.#offers = objectOf(response)
      this.#mode = textOf(this.#offers.current_permission_mode)
    }
    if (request_id === FIRST && this.options.prompt === null) this.askNext(this.#owner, true)
  }

  #tell(name: string, text: string): void {
    this.out.ofSession(this.#owner, `adapter/${name}`, { text })
  }

  #respond(id: string, response: JsonObject): void {
    this.say({ type: "control_response", response: { subtype: "success", request_id: id, response } })
  }

  #control(request: JsonObject): void {
    this.#count++
    this.say({ type: "control_request", request_id: `${REQUEST}${this.#count}`, request })
  }
}

/** The reply of our hook that makes the CLI ask, whatever its mode and rules allow. */
const HELD: JsonObject = {
  hookSpecificOutput: {
    hookEventName: "PreToolUse",
    permissionDecision: "ask",
    permissionDecisionReason: "held by the person",
  },
}

function contextWords(used: number, most: number, counted: number | null): string {
  const [tokens, size] = [used, most].map(count => count.toLocaleString("en-US"))
  const beside = counted === null ? "" : `; the model counted ${counted.toLocaleString("en-US")}`
  return `${tokens} of ${size} tokens by the CLI's own estimate${beside}`
}
