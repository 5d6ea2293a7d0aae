// Turns each finished tool segment into a tool invocation with the segment's id.
import {
  DefaultJsonToolParsingStrategy,
  type JsonToolParsingStrategy,
  objectFrom,
  type ToolArguments,
} from "../parse/json-call.ts"
import {
  type Metadata,
  type SegmentEvent,
  SegmentEventType,
  type SegmentPayloads,
  SegmentType,
} from "../parse/segment.ts"
import { readXmlArguments } from "../parse/xml-arguments.ts"
import { getToolSyntaxSpec } from "./tool-syntax.ts"

/** A call that is ready to be approved and run. `id` is its segment's, with `.2` and so on for its further calls. */
export interface ToolInvocation {
  readonly id: string
  readonly name: string
  readonly arguments: ToolArguments
}

interface OpenToolSegment {
  readonly type: SegmentType
  readonly metadata: Metadata
  readonly deltas: string[]
}

const NONE: readonly ToolInvocation[] = []

/** Follows tool segments from START to END (docs/decisions.md 7.10). Ignores text and reasoning. */
export class ToolInvocationAdapter {
  readonly #active = new Map<string, OpenToolSegment>()

  /** `invokeTruncated`: also invokes incomplete calls. Default false. */
  constructor(
    private readonly jsonParser: JsonToolParsingStrategy = new DefaultJsonToolParsingStrategy(),
    private readonly options: { readonly invokeTruncated?: boolean | undefined } = {},
  ) {}

  /** The first invocation that this event completes, or null. Ignores events of unknown segments. */
  processEvent(event: SegmentEvent): ToolInvocation | null {
    return this.invocationsOf(event)[0] ?? null
  }

  /** All invocations that these events complete. JSON may hold several calls. */
  processEvents(events: readonly SegmentEvent[]): ToolInvocation[] {
    return events.flatMap(event => this.invocationsOf(event))
  }

  /** All invocations that this event completes. */
  invocationsOf(event: SegmentEvent): readonly ToolInvocation[] {
    if (event.event_type === SegmentEventType.END) return this.#end(event.segment_id, event.payload)
    if (event.event_type === SegmentEventType.START) this.#start(event.segment_id, event.segment_type, event.payload)
    else this.#active.get(event.segment_id)?.deltas.push(event.payload.delta)
    return NONE
  }

  #start(id: string, type: SegmentType, { metadata = {} }: SegmentPayloads[SegmentEventType.START]): void {
    if (isTool(type)) this.#active.set(id, { type, metadata, deltas: [] })
  }

  #end(id: string, { complete, metadata }: SegmentPayloads[SegmentEventType.END]): readonly ToolInvocation[] {
    const active = this.#active.get(id)
    this.#active.delete(id)
    if (active === undefined || (complete === false && !this.options.invokeTruncated)) return NONE
    return this.#invocations(id, active.type, { ...active.metadata, ...metadata }, active.deltas.join(""))
  }

  /** The ids of tool segments that have started but not ended. */
  getActiveSegmentIds(): string[] {
    return [...this.#active.keys()]
  }

  reset(): void {
    this.#active.clear()
  }

  #invocations(id: string, type: SegmentType, metadata: Metadata, content: string): readonly ToolInvocation[] {
    const spec = getToolSyntaxSpec(type)
    const name = textOf(metadata.tool_name) ?? spec?.toolName ?? textOf(metadata.name)
    if (name === null) {
      const calls = this.jsonParser.parse(content)
      return calls.map((call, index) => ({ id: index === 0 ? id : `${id}.${index + 1}`, ...call }))
    }
    const args = spec === undefined ? this.#argumentsOf(metadata, content) : spec.buildArguments(metadata, content)
    return args === null ? NONE : [{ id, name, arguments: args }]
  }

  /** The arguments of a named tool: from the metadata, else from JSON in the content, else from XML. */
  #argumentsOf(metadata: Metadata, content: string): ToolArguments | null {
    const given = metadata.arguments ?? null
    if (given !== null) return objectFrom(given)
    if (/^\s*[{[]/.test(content)) return this.jsonParser.parse(content)[0]?.arguments ?? objectFrom(content)
    const { args, unclosed } = readXmlArguments(content)
    return unclosed === "" ? args : null
  }
}

function isTool(type: SegmentType): boolean {
  return type !== SegmentType.TEXT && type !== SegmentType.REASONING && type !== SegmentType.MEDIA
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null
}
