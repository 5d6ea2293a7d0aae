// The open questions of a conversation with an agent, as frames of the wire.
import type { Answer } from "../../../packages/wire/src/command.ts"
import { type Json, type JsonObject, printJson } from "../../../packages/wire/src/json.ts"
import type { Output, Owner } from "./output.ts"

export interface GuestOption {
  readonly label: string
  readonly value: Json
}

/** Takes the answer once the question is over; undefined if the person cancelled. */
export type TakeAnswer = (answer: Json | undefined) => void

export interface GuestQuestion {
  readonly type: "text" | "select" | "multi" | "confirm"
  readonly prompt: string
  /** Completions of a text that is typed. */
  readonly options?: readonly GuestOption[]
  readonly default?: Json
  /** Why an answer is refused; null if it is not. */
  readonly refuses?: (answer: Json) => string | null
  /** True for a question that nothing waits for: it stays on its line until a person opens it. */
  readonly waits?: boolean
  /** True for a question that makes way for any other of its asker, and is asked again then. */
  readonly yields?: boolean
}

/** UTF-16 units of a value in a tool's input that a question shows. */
const MAX_INPUT = 20_000

interface Asked {
  readonly id: string
  readonly owner: Owner
  readonly question: GuestQuestion
  readonly take: TakeAnswer
}

const HELD = "**Held by your pause.** Your answer lets it go; *continue* holds no more."

/** How a question ended: answered, cancelled by a person, or no longer needed. */
export type Ending = { readonly answer: Json } | "cancelled" | "interrupted"

/**
 * Asks one question at a time of each asker, because on the wire who asks anew has no earlier question left. One that
 * nothing waits for makes way for any other.
 */
export class Asking {
  /** True while a person holds the agent before its next tool. */
  isHeld = false
  /** In the order in which they are asked; the first of each asker is open. */
  #asked: readonly Asked[] = []
  #count = 0

  constructor(private readonly out: Output) {}

  /** Asks, at once or after the questions before. Returns the id under which it is answered. */
  ask(owner: Owner, question: GuestQuestion, take: TakeAnswer = () => undefined): string {
    this.#count++
    const asked = { id: `${owner.invokeid}#${this.#count}`, owner, question, take }
    const open = this.#openOf(owner)
    if (open?.question.yields === true) {
      this.#tell(open, "interrupted", {})
      this.#asked = [asked, ...this.#asked]
      this.#open(asked)
    } else {
      this.#asked = [...this.#asked, asked]
      if (open === undefined) this.#open(asked)
    }
    return asked.id
  }

  /** Asks whether a tool may run, and says so if it is held. */
  askPermission(owner: Owner, question: GuestQuestion, take?: TakeAnswer): string {
    const prompt = this.isHeld ? `${HELD}\n\n${question.prompt}` : question.prompt
    return this.ask(owner, { ...question, prompt }, take)
  }

  /** Holds the agent before its next tool, or lets it go on. */
  hold(isHeld: boolean): void {
    this.isHeld = isHeld
    this.out.frame({ kind: "debug", paused: isHeld, "step-budget": 0 })
  }

  /** Takes a person's answer. One that is refused is asked for again under the same id. False without the question. */
  answered(answer: Answer): boolean {
    const asked = this.#asked.find(({ id }) => id === answer.promptId)
    if (asked === undefined) return false
    const value = answer.type === "cancel" ? undefined : answer.value
    const refusal = value === undefined ? null : (asked.question.refuses?.(value) ?? null)
    if (refusal === null) {
      this.end(asked.id, value === undefined ? "cancelled" : { answer: value })
      asked.take(value)
    } else {
      this.out.frame(promptFrame(asked))
      this.#tell(asked, "validation-failed", { errors: [refusal] })
    }
    return true
  }

  endAll(): void {
    for (const one of this.#asked) if (this.#openOf(one.owner) === one) this.#tell(one, "interrupted", {})
    this.#asked = []
  }

  /** The question is over. Another of the same asker may be open then. An unknown id changes nothing. */
  end(id: string, ending: Ending): void {
    const asked = this.#asked.find(one => one.id === id)
    if (asked === undefined) return
    const wasOpen = this.#openOf(asked.owner) === asked
    this.#asked = this.#asked.filter(one => one !== asked)
    if (!wasOpen) return
    if (typeof ending === "string") this.#tell(asked, ending, {})
    else this.#tell(asked, "answer", { kind: kindOf(asked.question), answer: ending.answer })
    const next = this.#openOf(asked.owner)
    if (next !== undefined) this.#open(next)
  }

  #openOf({ invokeid }: Owner): Asked | undefined {
    return this.#asked.find(({ owner }) => owner.invokeid === invokeid)
  }

  #open(asked: Asked): void {
    const { question } = asked
    this.#tell(asked, "start", { kind: kindOf(question), prompt: question.prompt })
    this.out.frame(promptFrame(asked))
  }

  #tell({ owner }: Asked, event: string, data: JsonObject): void {
    this.out.ofSession(owner, `human-input/${event}`, data)
  }
}

function promptFrame({ id, owner, question }: Asked): JsonObject {
  const { type, prompt, options, default: preset, waits } = question
  const opts = {
    prompt,
    ...(options !== undefined && { options: options.map(option => ({ ...option })) }),
    ...(preset !== undefined && { default: preset }),
    ...(waits === true && { waits }),
  }
  return { kind: "prompt", "prompt-id": id, invokeid: owner.invokeid, type, opts }
}

function kindOf({ type }: GuestQuestion): string {
  return type === "multi" ? "multi-select" : type
}

/** A tool's input as a block of Markdown; empty if there is none. */
export function inputText(input: JsonObject): string {
  const lines = Object.entries(input).map(([name, value]) => {
    const text = typeof value === "string" ? value : printJson(value, MAX_INPUT)
    return name === "command" ? text : `${name}: ${text.includes("\n") ? `\n${text}` : text}`
  })
  if (lines.length === 0) return ""
  const text = lines.join("\n")
  const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)))
  return `${fence}\n${text}\n${fence}`
}
