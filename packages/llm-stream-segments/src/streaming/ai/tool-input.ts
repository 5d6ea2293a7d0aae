// Makes the AI SDK's parts of a tool call: its input as JSON while the arguments stream, and the call.
import type { LanguageModelMiddleware } from "ai"
import type { ArgumentDelta, ToolArguments, ToolInvocation } from "../index.ts"

type Stream = Required<LanguageModelMiddleware>["wrapStream"]
export type CallOptions = Parameters<Stream>[0]["params"]
export type StreamPart = Awaited<ReturnType<Stream>>["stream"] extends ReadableStream<infer Each> ? Each : never

/** The parts of the calls in one text. */
export class CallParts {
  readonly #inputs = new Map<string, InputText>()

  /** The parts for the next characters of an argument; none while the name of its call is unknown. */
  stream(argument: ArgumentDelta): StreamPart[] {
    const { id, name } = argument
    if (name === "") return []
    const known = this.#inputs.get(id)
    const input = known ?? new InputText()
    this.#inputs.set(id, input)
    const next = inputDelta(id, input.add(argument))
    return known === undefined ? [{ type: "tool-input-start", id, toolName: name }, ...next] : next
  }

  /** The rest of the call's input, and the call. */
  call({ id, name, arguments: args }: ToolInvocation): StreamPart[] {
    const known = this.#inputs.get(id)
    this.#inputs.delete(id)
    return [
      ...(known === undefined ? [{ type: "tool-input-start", id, toolName: name } as const] : []),
      ...inputDelta(id, (known ?? new InputText()).end(args)),
      { type: "tool-input-end", id },
      { type: "tool-call", toolCallId: id, toolName: name, input: JSON.stringify(args) },
    ]
  }

  /** Ends the inputs of what turned out to be no call. */
  drop(): StreamPart[] {
    const ends = [...this.#inputs.keys()].map(id => ({ type: "tool-input-end", id }) as const)
    this.#inputs.clear()
    return ends
  }
}

/** Writes arguments as the text of a JSON object. */
class InputText {
  readonly #written = new Set<string>()
  /** The argument whose value is being written. */
  #open: { readonly argument: string; readonly isJson: boolean } | null = null

  /** The text for the next characters of an argument. */
  add({ argument, delta, isJson, isAgain }: ArgumentDelta): string {
    const isOpen = this.#open?.argument === argument && isAgain !== true
    const before = isOpen ? "" : this.#close() + this.#key(argument) + (isJson ? "" : '"')
    this.#open = { argument, isJson }
    return before + (isJson ? delta : JSON.stringify(delta).slice(1, -1))
  }

  /** The rest of the text, with the arguments that did not stream. */
  end(args: ToolArguments): string {
    const closed = this.#close()
    const late = Object.entries(args).filter(([argument]) => !this.#written.has(argument))
    const rest = late.map(([argument, value]) => this.#key(argument) + JSON.stringify(value))
    return `${closed}${rest.join("")}${this.#written.size === 0 ? "{" : ""}}`
  }

  #key(argument: string): string {
    const before = this.#written.size === 0 ? "{" : ","
    this.#written.add(argument)
    return `${before}${JSON.stringify(argument)}:`
  }

  #close(): string {
    const end = this.#open === null || this.#open.isJson ? "" : '"'
    this.#open = null
    return end
  }
}

function inputDelta(id: string, delta: string): StreamPart[] {
  return delta === "" ? [] : [{ type: "tool-input-delta", id, delta }]
}
