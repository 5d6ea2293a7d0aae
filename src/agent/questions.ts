// Asks people questions, and settles each with its answer (docs/contract.md sections 2 and 9).
import type { Answer } from "../../packages/wire/src/command.ts"
import { isList, isObject, type Json, type JsonObject } from "../../packages/wire/src/json.ts"

interface AnyQuestion {
  readonly prompt: string
  /** Whose question it is: a session's `invokeid`. By default a name of its own. */
  readonly invokeid?: string | undefined
  /** True to show the answer nowhere, and to write it to no file: neither here nor on the screen's side. */
  readonly secret?: boolean
}

/** An option to choose: a value, or a value with the label that is shown for it. */
export type QuestionOption<T extends Json> = T | { readonly label: string; readonly value: T }

export interface TextQuestion extends AnyQuestion {
  readonly type?: "text"
  /** Why an answer is refused; null if it is not. A refused question stays open and shows the reason. */
  readonly refuse?: (answer: string) => string | null
}

export interface ConfirmQuestion extends AnyQuestion {
  readonly type: "confirm"
  /** What Enter alone answers. */
  readonly default?: boolean
}

export interface SelectQuestion<T extends Json> extends AnyQuestion {
  readonly type: "select"
  readonly options: readonly QuestionOption<T>[]
}

export interface MultiQuestion<T extends Json> extends AnyQuestion {
  readonly type: "multi"
  readonly options: readonly QuestionOption<T>[]
}

export type Question = TextQuestion | ConfirmQuestion | SelectQuestion<Json> | MultiQuestion<Json>

/** The person cancelled the question. */
export class CancelledError extends Error {
  override readonly name = "CancelledError"
}

interface OpenQuestion {
  readonly question: Question
  readonly invokeid: string
  readonly frame: JsonObject
  readonly resolve: (value: Json) => void
  readonly reject: (reason: unknown) => void
}

interface QuestionHost {
  send(frame: JsonObject): void
  /** The prompt with which new clients are greeted. */
  greetWith(prompt: JsonObject | null): void
}

/** The open questions of an agent. */
export class Questions {
  readonly #open = new Map<string, OpenQuestion>()
  #count = 0

  constructor(private readonly host: QuestionHost) {}

  /** Resolves with the answer. Rejects with `CancelledError`, or with the signal's reason. */
  async ask(question: Question, signal: AbortSignal): Promise<Json> {
    signal.throwIfAborted()
    this.#count += 1
    const { invokeid = `question-${this.#count}`, prompt } = question
    const id = `${invokeid}#${this.#count}`
    const interrupt = (): void => this.#close(id, "interrupted", {}, one => one.reject(signal.reason))
    try {
      return await new Promise((resolve, reject) => {
        this.#open.set(id, { question, invokeid, frame: promptFrame(id, invokeid, question), resolve, reject })
        this.host.send(inputEvent("start", { kind: kindOf(question), invokeid, prompt }))
        this.#prompt(id)
        signal.addEventListener("abort", interrupt)
      })
    } finally {
      signal.removeEventListener("abort", interrupt)
    }
  }

  /** Takes a person's answer. The first one counts; one that can't be the answer is refused, and the question stays. */
  receive(answer: Answer): void {
    const { promptId } = answer
    const open = this.#open.get(promptId)
    if (open === undefined) {
      this.#greet()
    } else if (answer.type === "cancel") {
      this.#close(promptId, "cancelled", {}, one => one.reject(new CancelledError(`cancelled: ${one.question.prompt}`)))
    } else {
      const { question, invokeid } = open
      const refusal = refusalOf(question, answer.value)
      if (refusal !== null) {
        this.#prompt(promptId)
        this.host.send(inputEvent("validation-failed", { invokeid, errors: [refusal] }))
        return
      }
      const told = question.secret === true ? {} : { answer: answer.value }
      this.#close(promptId, "answer", { kind: kindOf(question), ...told }, one => one.resolve(answer.value))
    }
  }

  #close(id: string, event: string, data: JsonObject, settle: (question: OpenQuestion) => void): void {
    const open = this.#open.get(id)
    if (open === undefined) return
    this.#open.delete(id)
    this.#greet()
    this.host.send(inputEvent(event, { invokeid: open.invokeid, ...data }))
    settle(open)
  }

  #prompt(id: string): void {
    const open = this.#open.get(id)
    if (open !== undefined) this.host.send(open.frame)
  }

  /** An answer makes the hub forget the newest prompt; another one may still be open. */
  #greet(): void {
    this.host.greetWith([...this.#open.values()].at(-1)?.frame ?? null)
  }
}

function promptFrame(id: string, invokeid: string, question: Question): JsonObject {
  const { type = "text", prompt } = question
  const options = "options" in question ? { options: question.options } : {}
  const preset = "default" in question ? { default: question.default } : {}
  const secret = question.secret === true ? { secret: true } : {}
  return { kind: "prompt", "prompt-id": id, invokeid, type, opts: { prompt, ...options, ...preset, ...secret } }
}

function inputEvent(name: string, data: JsonObject): JsonObject {
  return { kind: "event", event: `human-input/${name}`, data }
}

/** The kind as events spell it. */
function kindOf({ type = "text" }: Question): string {
  return type === "multi" ? "multi-select" : type
}

/** Why a value can't be the answer; null if it can. */
function refusalOf(question: Question, value: Json): string | null {
  switch (question.type) {
    case "confirm":
      return typeof value === "boolean" ? null : "expected yes or no"
    case "select":
      return isOption(question.options, value) ? null : "expected one of the options"
    case "multi":
      return isList(value) && value.every(one => isOption(question.options, one))
        ? null
        : "expected some of the options"
    default:
      return typeof value === "string" ? (question.refuse?.(value) ?? null) : "expected text"
  }
}

function isOption(options: readonly QuestionOption<Json>[], value: Json): boolean {
  return options.some(option => JSON.stringify(optionValue(option)) === JSON.stringify(value))
}

function optionValue(option: QuestionOption<Json>): Json {
  return isObject(option) && option.value !== undefined ? option.value : option
}
