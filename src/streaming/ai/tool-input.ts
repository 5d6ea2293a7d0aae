// Makes the AI SDK's parts of a tool call: its input as JSON while the arguments stream, and the call.
import type { LanguageModelMiddleware } from "ai"
import type { ArgumentDelta, ToolArguments, ToolInvocation } from "../index.ts"

type Stream = Required<LanguageModelMiddleware>["wrapStream"]
export type CallOptions = Parameters<Stream>[0]["params"]
export type StreamPart = Awaited<ReturnType<Stream>>["stream"] extends ReadableStream<infer Each> ? Each : never

/** Types of arguments by name, from the schema of a call's tool; undefined if it says nothing. */
type TypeOf = (argument: string) => unknown

/** The parts of the calls in one text. */
export class CallParts {
  readonly #inputs = new Map<string, InputText>()

  constructor(private readonly tools: CallOptions["tools"]) {}

  /** The parts for the next characters of an argument; none while the name of its call is unknown. */
  stream(argument: ArgumentDelta): StreamPart[] {
    const { id, name } = argument
    if (name === "") return []
    const known = this.#inputs.get(id)
    const input = known ?? new InputText(typesOf(this.tools, name))
    this.#inputs.set(id, input)
    const next = inputDelta(id, input.add(argument))
    return known === undefined ? [{ type: "tool-input-start", id, toolName: name }, ...next] : next
  }

  /** The rest of the call's input, and the call. */
  call({ id, name, arguments: args }: ToolInvocation): StreamPart[] {
    const typeOf = typesOf(this.tools, name)
    const typed = Object.fromEntries(
      Object.entries(args).map(([each, value]) => [each, typedValue(value, typeOf(each))]),
    )
    const known = this.#inputs.get(id)
    this.#inputs.delete(id)
    return [
      ...(known === undefined ? [{ type: "tool-input-start", id, toolName: name } as const] : []),
      ...inputDelta(id, (known ?? new InputText(typeOf)).end(typed)),
      { type: "tool-input-end", id },
      { type: "tool-call", toolCallId: id, toolName: name, input: JSON.stringify(typed) },
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
  #open: { readonly argument: string; readonly form: "text" | "json" | "whole" } | null = null
  /** A value that is written once it is whole, because the schema wants another type than text. */
  #waiting: string[] = []

  constructor(private readonly typeOf: TypeOf) {}

  /** The text for the next characters of an argument. */
  add({ argument, delta, isJson }: ArgumentDelta): string {
    const form = isJson ? "json" : isText(this.typeOf(argument)) ? "text" : "whole"
    const isOpen = this.#open?.argument === argument && this.#open.form === form
    const before = isOpen ? "" : this.#close() + this.#key(argument) + (form === "text" ? '"' : "")
    this.#open = { argument, form }
    if (form === "json") return before + delta
    if (form === "text") return before + JSON.stringify(delta).slice(1, -1)
    this.#waiting.push(delta)
    return before
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
    if (this.#open === null) return ""
    const { argument, form } = this.#open
    this.#open = null
    if (form !== "whole") return form === "text" ? '"' : ""
    const value = typedValue(this.#waiting.join(""), this.typeOf(argument))
    this.#waiting = []
    return JSON.stringify(value)
  }
}

function inputDelta(id: string, delta: string): StreamPart[] {
  return delta === "" ? [] : [{ type: "tool-input-delta", id, delta }]
}

function typesOf(tools: CallOptions["tools"], name: string): TypeOf {
  const tool = tools?.find(each => each.type === "function" && each.name === name)
  const properties: unknown = tool?.type === "function" ? tool.inputSchema.properties : undefined
  return argument => {
    if (typeof properties !== "object" || properties === null || !Object.hasOwn(properties, argument)) return undefined
    const schema: unknown = Reflect.get(properties, argument)
    return typeof schema === "object" && schema !== null && "type" in schema ? schema.type : undefined
  }
}

/** Whether an argument of this type is written as its text. */
function isText(type: unknown): boolean {
  return typeof type !== "string" || type === "string"
}

/** Arguments in tags are text: those that the tool's schema wants as another type are read as JSON. */
function typedValue(value: unknown, type: unknown): unknown {
  if (typeof value !== "string" || isText(type)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}
