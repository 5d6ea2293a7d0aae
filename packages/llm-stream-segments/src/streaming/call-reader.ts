// Reads the calls of tool segments: their arguments while they stream, and the invocations that they join to.

import type { ToolList } from "../parse/formats/schema-types.ts"
import type { TagFormats } from "../parse/formats/tag-format.ts"
import {
  ARGUMENT_KEYS,
  type CallsReader,
  DefaultJsonToolParsingStrategy,
  type JsonToolCall,
  type JsonToolParsingStrategy,
  NAME_KEYS,
  objectFrom,
  type ToolArguments,
} from "../parse/json-call.ts"
import { asciiLower } from "../parse/marker.ts"
import type { ArgumentStyle } from "../parse/rules.ts"
import {
  isTool,
  type Metadata,
  type SegmentEvent,
  SegmentEventType,
  type SegmentPayloads,
  type SegmentType,
} from "../parse/segment.ts"
import { kitOf } from "../parse/syntax-rules.ts"
import { type ArgumentPart, type TagArguments, written } from "../parse/tag-arguments.ts"
import type { ToolSyntaxSpec } from "../parse/tool-syntax.ts"
import type { Kit } from "../parse/working-copy.ts"
import { type JsonArgumentPart, JsonArguments } from "./json-arguments.ts"

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
  /** Also invokes incomplete calls, unless `safe`. Default false. */
  readonly invokeTruncated?: boolean | undefined
  /** Tags in Markdown code are text, and nothing truncated is invoked. */
  readonly safe?: boolean | undefined
  /** The caller's formats, as the parser has them. */
  readonly tags?: TagFormats | undefined
  /** The tools that may be called: arguments in tags get the types of their schemas. Default: all are text. */
  readonly tools?: ToolList | undefined
  /** Readers beside those of `tags`. */
  readonly kit?: Kit | undefined
}

/** How the content of a call is read: by a function at its end, in tags of this style, or (null) as it looks. */
type Reading = CallsReader | ArgumentStyle | null

/** A tool segment that has started. */
interface OpenCall {
  readonly id: string
  /** Of a segment whose content is an argument. */
  readonly spec: ToolSyntaxSpec | undefined
  /** Empty if the content has it. */
  readonly name: string
  readonly metadata: Metadata
  /** Undefined for a format that this reader was not given. */
  readonly reading: Reading | undefined
  readonly deltas: string[]
  /** Reads the content while it streams; null until its first character that is no blank. */
  reader: TagArguments | JsonArguments | null
  /** Only its end tells what the arguments are. */
  isLate: boolean
  /** The arguments that were told, each after the position of its call. */
  readonly told: Set<string>
}

const NONE: readonly never[] = []

type Listener = (delta: ArgumentDelta) => unknown
type End = SegmentPayloads[SegmentEventType.END]

/** Follows tool segments from START to END (docs/decisions.md 7.10). Ignores text and reasoning. */
export class CallReader {
  readonly #open = new Map<string, OpenCall>()
  readonly #jsonParser: JsonToolParsingStrategy
  readonly #readings: ReadonlyMap<string, Reading>
  readonly #kit: Kit

  constructor(private readonly options: InvocationOptions = {}) {
    const { tags = {}, kit, jsonParser } = options
    this.#readings = new Map(Object.entries(tags).map(([name, format]) => [asciiLower(name), readingOf(format)]))
    this.#kit = { ...kitOf(tags), ...kit }
    this.#jsonParser = jsonParser ?? new DefaultJsonToolParsingStrategy()
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
    const spec = this.#kit.specOf?.(type)
    const name = textOf(metadata.tool_name) ?? spec?.toolName ?? textOf(metadata.name) ?? ""
    const { arguments: given, call_format } = metadata
    const reading = call_format === undefined ? null : this.#readings.get(asciiLower(String(call_format)))
    const isLate = reading === undefined || typeof reading === "function" || (given ?? null) !== null
    const call = { id, spec, name, metadata, reading, deltas: [], reader: null, isLate, told: new Set<string>() }
    this.#open.set(id, call)
    if (!onArgument) return
    tellKnown(call, metadata, onArgument, spec?.options ?? [])
    if (typeof given === "object" && given !== null) tellKnown(call, { ...given }, onArgument)
  }

  /** Tells what the content of an open call says next. */
  #content(call: OpenCall, delta: string, onArgument: Listener): void {
    const { id, spec, name, deltas } = call
    if (spec !== undefined) onArgument({ id, name, argument: spec.content, delta, isJson: false })
    if (spec !== undefined || call.isLate) return
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
    call.reader = name !== "" && !isJsonText(text) ? this.#inTags(call) : new JsonArguments(name !== "")
    if (call.reader === null) call.isLate = true
    else tell(call, call.reader.feed(text), onArgument)
  }

  #inTags({ reading, name }: OpenCall): TagArguments | null {
    const style = typeof reading === "object" ? reading : null
    return this.#kit.inTags?.reader(style, this.options.tools ?? [], name) ?? null
  }

  #end(open: OpenCall, { complete, metadata: late }: End, onArgument?: Listener | null): readonly ToolInvocation[] {
    const { id, spec, reading } = open
    const metadata = { ...open.metadata, ...late }
    if (onArgument && late !== undefined) tellKnown(open, late, onArgument, spec?.options ?? [])
    // A native call may get its name late.
    const call = { ...open, metadata, name: open.name || (textOf(metadata.tool_name) ?? "") }
    const calls = this.#callsOf(call, onArgument)
    const { invokeTruncated, safe } = this.options
    if ((complete === false && (safe || !invokeTruncated)) || reading === undefined) return NONE
    return calls.map((each, index) => ({ id: index === 0 ? id : `${id}.${index + 1}`, ...each }))
  }

  /** The calls of a whole content. Tells those of their arguments that were not told yet. */
  #callsOf(open: OpenCall, onArgument?: Listener | null): readonly JsonToolCall[] {
    const { name, reading, deltas } = open
    const content = deltas.join("")
    if (typeof reading === "function") {
      const calls = reading(content, name)
      calls.forEach(({ name, arguments: args }, call) => {
        if (onArgument) tellKnown(open, args, onArgument, undefined, { call, name })
      })
      return calls
    }
    if (name === "") return this.#jsonParser.parse(content)
    const args = this.#argumentsOf(open, content, onArgument)
    return args === null ? NONE : [{ name, arguments: args }]
  }

  /** The arguments of a named call; null if it is none. */
  #argumentsOf(call: OpenCall, content: string, onArgument?: Listener | null): ToolArguments | null {
    const { spec, name, metadata } = call
    if (spec !== undefined) return spec.buildArguments(metadata, content)
    const given = metadata.arguments ?? null
    if (given !== null) return objectFrom(given)
    if (isJsonText(content)) {
      const args = this.#jsonArguments(name, content)
      if (onArgument && call.isLate && args !== null) tellKnown(call, args, onArgument)
      return args
    }
    const begun = call.reader instanceof JsonArguments ? null : call.reader
    const reader = begun ?? this.#inTags(call)
    if (begun === null) reader?.feed(content)
    const { parts, isWhole } = reader?.end() ?? { parts: NONE, isWhole: false }
    if (onArgument) tell(call, parts, onArgument)
    return isWhole && reader !== null ? Object.fromEntries(reader.values) : null
  }

  /** The object itself, or the arguments of the call of that name that it is. */
  #jsonArguments(name: string, content: string): ToolArguments | null {
    const [, key] = /^\s*[{[][\s{]*"([^"]*)"/.exec(content) ?? []
    const [first] = key !== undefined && isCallKey(key) ? this.#jsonParser.parse(content) : []
    return first?.name === name ? first.arguments : objectFrom(content)
  }
}

/** How a format of the caller's reads the content of its calls. */
function readingOf(format: TagFormats[string]): Reading {
  const reads = typeof format === "object" && "open" in format ? format.reads : format
  if (typeof reads === "function") return reads
  return typeof reads === "object" ? (reads.style ?? null) : null
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

/** Tells those of the arguments `names` that are among what is known of a call. */
function tellKnown(
  open: OpenCall,
  known: Metadata,
  onArgument: Listener,
  names = Object.keys(known),
  part: Partial<JsonArgumentPart> = {},
): void {
  for (const argument of names) {
    const value = Object.hasOwn(known, argument) ? known[argument] : undefined
    if (value !== undefined) tell(open, [{ argument, ...written(value), isFirst: true, ...part }], onArgument)
  }
}
