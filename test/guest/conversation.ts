// A conversation with an agent that says what a test tells it to: what a person sees, and what the agent hears.
import type { Answer } from "../../packages/wire/src/command.ts"
import { isObject, type Json, type JsonObject, parseJson } from "../../packages/wire/src/json.ts"
import { startTalk, type TalkChoice } from "../../src/guest/choose-talk.ts"
import type { TalkOptions } from "../../src/guest/common/talk.ts"
import type { TalkWriter } from "../../src/guest/talk-writer.ts"
import type { Run } from "../../src/run/model/run.ts"
import { runFrom } from "./reading.ts"

export class Conversation {
  readonly #talk: TalkWriter
  readonly #wire: string[] = []
  /** What the agent heard and has not looked at. */
  #heard: JsonObject[] = []
  /** The requests that it has not replied to. */
  #requests: JsonObject[] = []

  constructor(protocol: TalkChoice["protocol"], options: Partial<TalkOptions> = {}) {
    const all = { name: "agent", cwd: "/work", prompt: "Make it.", once: false, asks: true, ...options }
    this.#talk = startTalk(protocol, all)
    this.#take(this.#talk.begin(0))
  }

  get run(): Run {
    return runFrom(this.#wire)
  }

  /** The open questions, in words. */
  get questions(): readonly string[] {
    return this.run.prompts.filter(({ state }) => state === "open").map(({ frame }) => frame.question)
  }

  /** What the agent has heard since the last call. */
  heard(): readonly JsonObject[] {
    return this.#heard.splice(0)
  }

  /** The agent's reply to the latest request of this method. */
  reply(method: string, result: JsonObject): void {
    const request = this.#requests.findLast(one => one.method === method)
    if (request === undefined) throw new Error(`expected ${method}`)
    this.#requests = this.#requests.filter(one => one !== request)
    this.#heard = this.#heard.filter(one => one !== request)
    this.says({ jsonrpc: "2.0", id: request.id ?? null, result })
  }

  says(...lines: readonly JsonObject[]): void {
    this.prints(...lines.map(line => JSON.stringify(line)))
  }

  prints(...texts: readonly string[]): void {
    this.#take(this.#talk.write(texts.map(text => ({ stream: "stdout", text, ts: 1 }))))
  }

  /** Answers the open question; undefined cancels it. */
  answers(value?: Json): void {
    const open = this.run.prompts.findLast(({ state }) => state === "open")
    if (open === undefined) throw new Error("no question is open")
    const { promptId } = open.frame
    const answer: Answer = value === undefined ? { type: "cancel", promptId } : { type: "answer", promptId, value }
    this.#take(this.#talk.command(answer, 2) ?? [])
  }

  interrupts(): void {
    this.#take(this.#talk.command({ type: "ui-interrupt" }, 2) ?? [])
  }

  leaves(): void {
    this.#take(this.#talk.leave(3))
  }

  /** The command ends. */
  ends(code: number): Run {
    this.#take(this.#talk.end({ code, signal: null }, 4))
    return this.run
  }

  #take(lines: readonly string[]): void {
    this.#wire.push(...lines)
    for (const line of this.#talk.takeSaid()) {
      const said = parseJson(line)
      if (!isObject(said) || line.includes("\n")) throw new Error(`not a line of JSON: ${line}`)
      this.#heard.push(said)
      if (said.method !== undefined) this.#requests.push(said)
    }
  }
}
