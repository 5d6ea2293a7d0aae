// Reads the calls of tool segments: their arguments while they stream, and the invocations that they join to.

import { parametersIn, TEXT_ELEMENTS } from "../parse/argument-scan.ts"
import {
  ARGUMENT_KEYS,
  DefaultJsonToolParsingStrategy,
  type JsonToolCall,
  type JsonToolParsingStrategy,
  NAME_KEYS,
  objectFrom,
  type ToolArguments,
} from "../parse/json-call.ts"
import { asciiLower } from "../parse/marker.ts"
import {
  isTool,
  type Metadata,
  type SegmentEvent,
  SegmentEventType,
  type SegmentPayloads,
  SegmentType,
} from "../parse/segment.ts"
import { type ArgumentPart, jsonOf, TagArguments } from "../parse/tag-arguments.ts"
import type { ArgumentStyle, StringFormat, TagFormat, TagFormats } from "../parse/tag-formats.ts"
import { type JsonArgumentPart, JsonArguments } from "./json-arguments.ts"
import { argumentsInGemma, callsInPython } from "./literal.ts"
import { castsOf, type ToolList } from "./schema-types.ts"
import { getToolSyntaxSpec } from "./tool-syntax.ts"

/** A call that is ready to be approved and run. `id` is its segment's, with `.2` and so on for its further calls. */
export interface ToolInvocation {
  readonly id: string
  readonly name: string
  readonly arguments: ToolArguments
}

/** The next characters of one argument of a call. */
export interface ArgumentDelta {
  /** The id that the call's invocation will have. */
  readonly id: string
  /** The call's name; empty if JSON has it only after the arguments. */
  readonly name: string
  readonly argument: string
  readonly delta: string
  /** False for text, decoded. True for any other value: its deltas join to JSON. */
  readonly isJson: boolean
  /** The call repeats the argument: what came of it before no longer counts. */
  readonly isAgain?: true
}

export interface InvocationOptions {
  /** Reads calls in JSON. */
  readonly jsonParser?: JsonToolParsingStrategy | undefined
  /** Also invokes incomplete calls. Default false. */
  readonly invokeTruncated?: boolean | undefined
  /** The caller's formats, as the parser has them. */
  readonly tags?: TagFormats | undefined
  /** The tools that may be called: arguments in tags get the types of their schemas. Default: all are text. */
  readonly tools?: ToolList | undefined
}

/** A tool segment that has started. */
interface OpenCall {
  readonly id: string
  readonly type: SegmentType
  /** Empty if the content has it. */
  readonly name: string
  readonly metadata: Metadata
  readonly deltas: string[]
  /** Reads the content while it streams; null until its first character that is no blank. */
  reader: TagArguments | JsonArguments | null
  /** Only its end tells what the arguments are. */
  isLate: boolean
  /** The arguments that were told, each after the position of its call. */
  readonly told: Set<string>
}

/** The argument that is a segment's content. */
const CONTENT_OF: ReadonlyMap<SegmentType, string> = new Map([
  [SegmentType.WRITE_FILE, "content"],
  [SegmentType.EDIT_FILE, "patch"],
  [SegmentType.RUN_BASH, "command"],
])
const METADATA: readonly string[] = ["path", "background", "timeout_seconds"]

const NONE: readonly never[] = []

type Listener = (delta: ArgumentDelta) => unknown
type End = SegmentPayloads[SegmentEventType.END]

/** Follows tool segments from START to END (docs/decisions.md 7.10). Ignores text and reasoning. */
export class CallReader {
  readonly #open = new Map<string, OpenCall>()
  readonly #jsonParser: JsonToolParsingStrategy
  readonly #tags: ReadonlyMap<string, TagFormat | StringFormat>

  constructor(private readonly options: InvocationOptions = {}) {
    this.#tags = new Map(Object.entries(options.tags ?? {}).map(([name, format]) => [asciiLower(name), format]))
    this.#jsonParser = options.jsonParser ?? new DefaultJsonToolParsingStrategy()
  }

  /** The ids of tool segments that have started but not ended. */
  get openIds(): string[] {
    return [...this.#open.keys()]
  }

  reset(): void {
    this.#open.clear()
  }

  /** Takes an event: returns the invocations that it completes, and tells `onArgument` what it adds to arguments. */
  read(event: SegmentEvent, onArgument?: Listener | null): readonly ToolInvocation[] {
    const { event_type, segment_id: id, segment_type: type, payload } = event
    if (event_type === SegmentEventType.START) {
      if (type !== undefined && isTool(type)) this.#start(id, type, payload.metadata ?? {}, onArgument)
      return NONE
    }
    const call = this.#open.get(id)
    if (call === undefined) return NONE
    if (event_type === SegmentEventType.CONTENT) {
      call.deltas.push(payload.delta)
      if (onArgument) this.#content(call, payload.delta, onArgument)
      return NONE
    }
    this.#open.delete(id)
    return this.#end(call, payload, onArgument)
  }

  #start(id: string, type: SegmentType, metadata: Metadata, onArgument?: Listener | null): void {
    const name = textOf(metadata.tool_name) ?? getToolSyntaxSpec(type)?.toolName ?? textOf(metadata.name) ?? ""
    const call: OpenCall = { id, type, name, metadata, deltas: [], reader: null, isLate: false, told: new Set() }
    this.#open.set(id, call)
    if (!onArgument) return
    const { arguments: given } = metadata
    tellKnown(call, metadata, CONTENT_OF.has(type) ? METADATA : [], onArgument)
    if (typeof given === "object" && given !== null) tellKnown(call, { ...given }, Object.keys(given), onArgument)
  }

  /** Tells what the content of an open call says next. */
  #content(call: OpenCall, delta: string, onArgument: Listener): void {
    const { id, type, name, metadata, deltas } = call
    const content = CONTENT_OF.get(type)
    if (content !== undefined) onArgument({ id, name, argument: content, delta, isJson: false })
    if (content !== undefined || call.isLate || (metadata.arguments ?? null) !== null) return
    if (this.#isForeign(metadata)) return
    const format = this.#formatOf(metadata)
    if (format !== undefined && typeof format === "object" && "open" in format && format.reads !== "arguments") return
    if (call.reader !== null) {
      tell(call, call.reader.feed(delta), onArgument)
      return
    }
    const text = deltas.join("")
    if (name !== "" && isJsonText(text)) {
      // Until its first key it may be the arguments, or a call that contains them.
      const [, key] = /^\s*\{\s*"([^"]*)"/.exec(text) ?? []
      call.isLate = key === undefined ? !/^\s*\{\s*("[^"]{0,64})?$/.test(text) : isCallKey(key)
      if (key === undefined || call.isLate) return
    } else if (text.trim() === "") return
    call.reader = name !== "" && !isJsonText(text) ? this.#tagsOf(name, metadata) : new JsonArguments(name !== "")
    tell(call, call.reader.feed(text), onArgument)
  }

  #formatOf({ call_format }: Metadata): TagFormat | StringFormat | undefined {
    return typeof call_format === "string" ? this.#tags.get(asciiLower(call_format)) : undefined
  }

  /** True for a call in a format that this reader was not given. */
  #isForeign(metadata: Metadata): boolean {
    return metadata.call_format !== undefined && this.#formatOf(metadata) === undefined
  }

  #tagsOf(name: string, metadata: Metadata): TagArguments {
    const { tools } = this.options
    const format = this.#formatOf(metadata)
    return new TagArguments(styleOf(format), tools === undefined ? undefined : castsOf(tools, name))
  }

  #end(call: OpenCall, { complete, metadata: late }: End, onArgument?: Listener | null): readonly ToolInvocation[] {
    const { id, type, deltas } = call
    const metadata = { ...call.metadata, ...late }
    if (onArgument && late !== undefined && CONTENT_OF.has(type)) tellKnown(call, late, METADATA, onArgument)
    const content = deltas.join("")
    // A native call may get its name late.
    const name = call.name || (textOf(metadata.tool_name) ?? "")
    const args = name === "" ? null : this.#argumentsOf(call, name, metadata, content, onArgument)
    if ((complete === false && !this.options.invokeTruncated) || this.#isForeign(metadata)) return NONE
    if (name !== "") return args === null ? NONE : [{ id, name, arguments: args }]
    const format = this.#formatOf(metadata)
    const reads = typeof format === "object" && "open" in format ? format.reads : "json"
    const calls =
      reads === "python"
        ? callsInPython(content)
        : reads === "keyed"
          ? keyedCalls(content)
          : this.#jsonParser.parse(content)
    return calls.map((each, index) => ({ id: index === 0 ? id : `${id}.${index + 1}`, ...each }))
  }

  /** The arguments of a named call; null if it is none. Tells those that were not told yet. */
  #argumentsOf(
    call: OpenCall,
    name: string,
    metadata: Metadata,
    content: string,
    onArgument?: Listener | null,
  ): ToolArguments | null {
    const spec = getToolSyntaxSpec(call.type)
    if (spec !== undefined) return spec.buildArguments(metadata, content)
    const given = metadata.arguments ?? null
    if (given !== null) return objectFrom(given)
    const format = this.#formatOf(metadata)
    if (typeof format === "object" && "open" in format && format.reads === "gemma") {
      const args = argumentsInGemma(content, format.quote ?? "")
      if (onArgument && args !== null) tellKnown(call, args, Object.keys(args), onArgument)
      return args
    }
    if (isJsonText(content)) {
      const args = this.#jsonArguments(name, content)
      if (onArgument && call.isLate && args !== null) tellKnown(call, args, Object.keys(args), onArgument)
      return args
    }
    const reader = call.reader instanceof TagArguments ? call.reader : this.#tagsOf(name, metadata)
    if (reader !== call.reader) reader.feed(content)
    const { parts, isWhole } = reader.end()
    if (onArgument) tell(call, parts, onArgument)
    return isWhole ? Object.fromEntries(reader.values) : null
  }

  /** The object itself, or the arguments of the call of that name that it is. */
  #jsonArguments(name: string, content: string): ToolArguments | null {
    const [, key] = /^\s*[{[][\s{]*"([^"]*)"/.exec(content) ?? []
    const [first] = key !== undefined && isCallKey(key) ? this.#jsonParser.parse(content) : []
    return first?.name === name ? first.arguments : objectFrom(content)
  }
}

/** How a format writes arguments; null if their tags tell. */
function styleOf(format: TagFormat | StringFormat | undefined): ArgumentStyle | null {
  if (format === "element") return TEXT_ELEMENTS
  if (typeof format !== "object") return null
  return "open" in format ? (format.style ?? null) : parametersIn(format.parameter)
}

/** The calls of `[{"name": {…}}]`. */
function keyedCalls(content: string): JsonToolCall[] {
  const list = jsonOf(content)
  const calls = (Array.isArray(list) ? list : []).map(each => Object.entries(objectFrom(each) ?? {}))
  return calls.every(([first, second]) => first !== undefined && second === undefined && objectFrom(first[1]) !== null)
    ? calls.flatMap(entries => entries.map(([name, args]) => ({ name, arguments: objectFrom(args) ?? {} })))
    : []
}

function isJsonText(content: string): boolean {
  return /^\s*[{[]/.test(content)
}

/** True for a key that an object with a call in it may begin with. */
function isCallKey(key: string): boolean {
  return NAME_KEYS.includes(key) || ARGUMENT_KEYS.includes(key) || key === "tool_calls" || key === "tools"
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null
}

/** Tells more of a call's arguments. */
function tell(
  call: OpenCall,
  parts: readonly (ArgumentPart & Partial<JsonArgumentPart>)[],
  onArgument: Listener,
): void {
  for (const { argument, delta, isJson, isFirst, call: index = 0, name = "" } of parts) {
    const key = `${index} ${argument}`
    const isAgain = isFirst && call.told.has(key)
    call.told.add(key)
    if (delta === "" && !isAgain) continue
    const id = index === 0 ? call.id : `${call.id}.${index + 1}`
    const told = { id, name: call.name || name, argument, delta, isJson }
    onArgument(isAgain ? { ...told, isAgain } : told)
  }
}

/** Tells those of the arguments `names` that are among what is known. */
function tellKnown(call: OpenCall, known: Metadata, names: readonly string[], onArgument: Listener): void {
  for (const argument of names) {
    const value = Object.hasOwn(known, argument) ? known[argument] : undefined
    if (value === undefined) continue
    const isJson = typeof value !== "string"
    tell(call, [{ argument, delta: isJson ? JSON.stringify(value) : value, isJson, isFirst: true }], onArgument)
  }
}
