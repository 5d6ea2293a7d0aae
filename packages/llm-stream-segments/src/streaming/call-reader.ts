// Reads the calls of tool segments: the invocations that their events join to.

import type { ToolList } from "../parse/formats/schema-types.ts"
import type { TagFormats } from "../parse/formats/tag-format.ts"
import type { ToolSyntaxSpec } from "../parse/formats/tool-syntax.ts"
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
import { isTool, type Metadata, type SegmentEvent, type SegmentPayloads, type SegmentType } from "../parse/segment.ts"
import { kitOf } from "../parse/syntax-rules.ts"
import type { TagArguments } from "../parse/tag-arguments.ts"
import type { Kit } from "../parse/working-copy.ts"

/** A call that is ready to be approved and run. `id` is its segment's, with `.2` and so on for its further calls. */
export interface ToolInvocation {
  readonly id: string
  readonly name: string
  readonly arguments: ToolArguments
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
export interface OpenCall {
  readonly id: string
  /** Of a segment whose content is an argument. */
  readonly spec: ToolSyntaxSpec | undefined
  /** Empty if the content has it. */
  readonly name: string
  readonly metadata: Metadata
  /** Undefined for a format that this reader was not given. */
  readonly reading: Reading | undefined
  readonly deltas: string[]
  /** Reads arguments in tags, if something has fed it while they came. */
  inTags: TagArguments | null
}

const NONE: readonly never[] = []

/** Follows tool segments from START to END (docs/decisions.md 7.10). Ignores text and reasoning. */
export class CallReader {
  /** The tool segments that have started but not ended, by their ids. */
  readonly open = new Map<string, OpenCall>()
  readonly #jsonParser: JsonToolParsingStrategy
  readonly #readings: ReadonlyMap<string, Reading>
  protected readonly kit: Kit

  constructor(private readonly options: InvocationOptions = {}) {
    const { tags = {}, kit, jsonParser } = options
    this.#readings = new Map(Object.entries(tags).map(([name, format]) => [asciiLower(name), readingOf(format)]))
    this.kit = { ...kitOf(tags), ...kit }
    this.#jsonParser = jsonParser ?? new DefaultJsonToolParsingStrategy()
  }

  /** Takes an event, and returns the invocations that it completes. */
  read({ event_type, segment_id: id, segment_type: type, payload }: SegmentEvent): readonly ToolInvocation[] {
    // Most events are of text while no call is open.
    const call = this.open.size === 0 ? undefined : this.open.get(id)
    if (event_type === "SEGMENT_START") {
      if (type !== undefined && isTool(type)) this.open.set(id, this.#started(id, type, payload.metadata ?? {}))
    } else if (event_type === "SEGMENT_CONTENT") call?.deltas.push(payload.delta)
    else if (call !== undefined) {
      this.open.delete(id)
      return this.#end(call, payload)
    }
    return NONE
  }

  #started(id: string, type: SegmentType, metadata: Metadata): OpenCall {
    const spec = this.kit.specOf?.(type)
    const name = textOf(metadata.tool_name) ?? spec?.toolName ?? textOf(metadata.name) ?? ""
    const { call_format } = metadata
    const reading = call_format === undefined ? null : this.#readings.get(asciiLower(String(call_format)))
    return { id, spec, name, metadata, reading, deltas: [], inTags: null }
  }

  /** What reads the arguments of a call in tags, and tells them; null if no format brought it. */
  protected tagsOf({ reading, name }: OpenCall, tell: TagArguments["tell"] = null): TagArguments | null {
    const style = typeof reading === "object" ? reading : null
    return this.kit.inTags?.reader(style, this.options.tools ?? NONE, name, tell) ?? null
  }

  #end(open: OpenCall, { complete, metadata: late }: SegmentPayloads["SEGMENT_END"]): readonly ToolInvocation[] {
    const { id, reading } = open
    const { invokeTruncated, safe } = this.options
    if ((complete === false && (safe || !invokeTruncated)) || reading === undefined) return NONE
    // A native call may get its name late.
    const name = textOf(open.name || late?.tool_name) ?? ""
    const calls = this.#callsOf(late ? { ...open, metadata: { ...open.metadata, ...late }, name } : open)
    return calls.map((each, index) => ({ id: index === 0 ? id : `${id}.${index + 1}`, ...each }))
  }

  /** The calls of a whole content. */
  #callsOf(call: OpenCall): readonly JsonToolCall[] {
    const { name, reading, deltas } = call
    const content = deltas.join("")
    if (typeof reading === "function") return reading(content, name)
    if (name === "") return this.#jsonParser.parse(content)
    const args = this.#argumentsOf(call, content)
    return args === null ? NONE : [{ name, arguments: args }]
  }

  /** The arguments of a named call; null if it is none. */
  #argumentsOf(call: OpenCall, content: string): ToolArguments | null {
    const { spec, name, metadata } = call
    if (spec !== undefined) return spec.buildArguments(metadata, content)
    const given = metadata.arguments ?? null
    if (given !== null) return objectFrom(given)
    if (isJsonText(content)) return this.#jsonArguments(name, content)
    const reader = call.inTags ?? this.tagsOf(call)
    if (call.inTags === null) reader?.feed(content)
    return reader?.end() ? Object.fromEntries(reader.values) : null
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

/** True for a content that is JSON if it is anything. */
export function isJsonText(content: string): boolean {
  return /^\s*[{[]/.test(content)
}

/** True for a key that an object with a call in it may begin with. */
export function isCallKey(key: string): boolean {
  return [...NAME_KEYS, ...ARGUMENT_KEYS, "tool_calls", "tools"].includes(key)
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null
}
