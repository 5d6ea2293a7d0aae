// Talks to `claude -p --input-format stream-json --permission-prompt-tool stdio` by its control protocol. Tried with
// Claude Code 2.1.331.
import type { Answer, Command } from "../../../packages/wire/src/command.ts"
import type { JsonObject } from "../../../packages/wire/src/json.ts"
import { Asking } from "../common/asking.ts"
import { countOf, objectOf, textOf } from "../common/fields.ts"
import type { Output, Owner } from "../common/output.ts"
import type { Talk, TalkOptions } from "../common/talk.ts"
import { DENIED, denied, requestOf, type ToolRequest } from "./claude-permission.ts"
import { ClaudeStream } from "./claude-stream.ts"

/** A request that the CLI waits for, and its open question. */
interface Open {
  readonly request: ToolRequest
  prompt: string
}

const GONE = "The person who could answer has left."

export class ClaudeTalk implements Talk {
  isOver = false
  readonly #out: Output
  readonly #say: (line: JsonObject) => void
  readonly #options: TalkOptions
  readonly #asking: Asking
  /** From the first prompt on. */
  #reader: ClaudeStream | null = null
  #isBusy = false
  #count = 0
  /** The question for a further prompt; null while there is none. */
  #next: string | null = null
  readonly #open = new Map<string, Open>()

  constructor(out: Output, say: (line: JsonObject) => void, options: TalkOptions) {
    this.#out = out
    this.#say = say
    this.#options = options
    this.#asking = new Asking(out)
  }

  get failure(): string | null {
    const ending = this.#reader?.ending ?? null
    return ending?.failed === true ? ending.message : null
  }

  begin(): void {
    if (this.#options.prompt === null) this.#askNext("What shall it do?", false)
    else this.#prompt(this.#options.prompt)
  }

  heard(line: JsonObject): void {
    const { request_id, request } = line
    if (line.type === "control_request") this.#requested(textOf(request_id), objectOf(request))
    else if (line.type === "control_cancel_request") this.#settle(textOf(request_id), "interrupted", null)
    else if (line.type === "control_response") this.#replied(objectOf(line.response))
    else this.#read(line)
  }

  command(command: Command): boolean {
    if (command.type === "answer" || command.type === "cancel") return this.#answered(command)
    if (command.type !== "ui-interrupt") return false
    if (this.#isBusy) this.#control({ subtype: "interrupt" })
    return true
  }

  leave(): void {
    for (const id of [...this.#open.keys()]) this.#settle(id, "interrupted", denied(GONE))
    this.isOver = true
  }

  exit(reason: string, failed: boolean): void {
    if (this.#next !== null) this.#asking.end(this.#next, "interrupted")
    for (const id of [...this.#open.keys()]) this.#settle(id, "interrupted", null)
    this.#reader?.pause()
    this.#reader?.exit(reason, failed)
  }

  get #owner(): Owner {
    return this.#reader?.owner ?? { invokeid: "claude", id: "run" }
  }

  #read(line: JsonObject): void {
    const unknown = this.#reader?.read(line) ?? null
    if (unknown !== null) this.#out.ofRun("adapter/unknown", { text: `${unknown} (not read)` })
    if (line.type !== "result") return
    this.#isBusy = false
    if (this.#options.once) this.isOver = true
    else if (this.#next === null) {
      this.#control({ subtype: "get_context_usage" })
      this.#askNext("What shall it do next?", true)
    }
  }

  #prompt(text: string): void {
    this.#isBusy = true
    const line = { type: "user", message: { role: "user", content: text }, parent_tool_use_id: null, session_id: "" }
    if (this.#reader === null) this.#reader = new ClaudeStream(this.#out, { session: null, prompt: text })
    else this.#reader.read(line)
    this.#say(line)
  }

  #askNext(prompt: string, waits: boolean): void {
    this.#next = this.#asking.ask(this.#owner, { type: "text", prompt, waits })
  }

  #requested(id: string, request: JsonObject): void {
    if (request.subtype !== "can_use_tool") {
      const error = `${textOf(request.subtype)} is not offered here`
      this.#say({ type: "control_response", response: { subtype: "error", request_id: id, error } })
      return
    }
    this.#settle(id, "interrupted", null)
    const open = requestOf(request)
    this.#open.set(id, { request: open, prompt: this.#asking.ask(this.#owner, open.first) })
  }

  #answered(answer: Answer): boolean {
    const { promptId } = answer
    if (promptId === this.#next) {
      const text = answer.type === "answer" ? textOf(answer.value).trim() : ""
      this.#next = null
      this.#asking.end(promptId, text === "" ? "cancelled" : { answer: text })
      if (text === "") this.#askNext("What shall it do?", true)
      else this.#prompt(text)
      return true
    }
    const [id, open] = [...this.#open].find(([, one]) => one.prompt === promptId) ?? []
    if (id === undefined || open === undefined) return false
    if (answer.type === "cancel") this.#settle(id, "cancelled", denied(DENIED))
    else this.#take(id, open, answer)
    return true
  }

  #take(id: string, open: Open, { value }: Extract<Answer, { type: "answer" }>): void {
    const step = open.request.take(value)
    if ("refused" in step) this.#asking.refuse(open.prompt, step.refused)
    else if ("ask" in step) {
      this.#asking.end(open.prompt, { answer: value })
      open.prompt = this.#asking.ask(this.#owner, step.ask)
    } else {
      this.#settle(id, { answer: value }, step.reply)
      if (step.edited !== undefined)
        this.#out.ofSession(this.#owner, "adapter/edited", { text: editWords(step.edited) })
    }
  }

  /** Ends the question of a request; with a reply, the CLI gets it. */
  #settle(id: string, ending: Parameters<Asking["end"]>[1], reply: JsonObject | null): void {
    const open = this.#open.get(id)
    if (open === undefined) return
    this.#open.delete(id)
    this.#asking.end(open.prompt, ending)
    if (reply === null) return
    this.#say({ type: "control_response", response: { subtype: "success", request_id: id, response: reply } })
  }

  #replied({ subtype, error, response }: JsonObject): void {
    const { totalTokens, maxTokens } = objectOf(response)
    const [used, most] = [countOf(totalTokens), countOf(maxTokens)]
    const tell = (name: string, text: string): void => this.#out.ofSession(this.#owner, `adapter/${name}`, { text })
    if (subtype === "error") tell("control", textOf(error))
    else if (used !== null && most !== null) {
      const [tokens, size] = [used, most].map(count => count.toLocaleString("en-US"))
      tell("context", `${tokens} of ${size} tokens, as the CLI itself estimates`)
    }
  }

  #control(request: JsonObject): void {
    this.#count++
    this.#say({ type: "control_request", request_id: `sidecar-${this.#count}`, request })
  }
}

function editWords(input: JsonObject): string {
  return `it runs with this input instead: ${JSON.stringify(input)}`
}
