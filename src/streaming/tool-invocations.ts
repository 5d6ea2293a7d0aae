// Turns each finished tool segment into a tool invocation with the segment's id.
import {
  DefaultJsonToolParsingStrategy,
  type JsonToolParsingStrategy,
  objectFrom,
  type ToolArguments,
} from "../parse/json-call.ts"
import { type Metadata, type SegmentEvent, SegmentEventType, SegmentType } from "../parse/segment.ts"
import { readXmlArguments } from "../parse/xml-arguments.ts"
import { getToolSyntaxSpec } from "./tool-syntax.ts"

/** A call that is ready to be approved and run. `id` is the id of its segment. */
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

/** Follows tool segments from START to END (docs/decisions.md 7.10). Ignores text and reasoning. */
export class ToolInvocationAdapter {
  readonly #active = new Map<string, OpenToolSegment>()

  /** `invokeTruncated`: also invokes incomplete calls. Default false. */
  constructor(
    private readonly jsonParser: JsonToolParsingStrategy = new DefaultJsonToolParsingStrategy(),
    private readonly options: { readonly invokeTruncated?: boolean | undefined } = {},
  ) {}

  /** The invocation that this event completes, or null. Ignores events of unknown segments. */
  processEvent(event: SegmentEvent): ToolInvocation | null {
    const { segment_id: id, segment_type: type, payload } = event
    if (event.event_type === SegmentEventType.START) {
      if (type !== undefined && isTool(type)) {
        this.#active.set(id, { type, metadata: payload.metadata ?? {}, deltas: [] })
      }
      return null
    }
    const active = this.#active.get(id)
    if (active === undefined) return null
    if (event.event_type === SegmentEventType.CONTENT) {
      active.deltas.push(payload.delta ?? "")
      return null
    }
    this.#active.delete(id)
    if (payload.complete === false && !this.options.invokeTruncated) return null
    return this.#invocation(id, active.type, { ...active.metadata, ...payload.metadata }, active.deltas.join(""))
  }

  processEvents(events: readonly SegmentEvent[]): ToolInvocation[] {
    return events.flatMap(event => this.processEvent(event) ?? [])
  }

  /** The ids of tool segments that have started but not ended. */
  getActiveSegmentIds(): string[] {
    return [...this.#active.keys()]
  }

  reset(): void {
    this.#active.clear()
  }

  #invocation(id: string, type: SegmentType, metadata: Metadata, content: string): ToolInvocation | null {
    const spec = getToolSyntaxSpec(type)
    const toolName = textOf(metadata.tool_name)
    if (spec !== undefined) {
      const args = spec.buildArguments(metadata, content)
      return args === null ? null : { id, name: toolName ?? spec.toolName, arguments: args }
    }
    const name = toolName ?? textOf(metadata.name)
    if (name === null) {
      const [call] = this.jsonParser.parse(content)
      return call === undefined ? null : { id, ...call }
    }
    const args = this.#argumentsOf(metadata, content)
    return args === null ? null : { id, name, arguments: args }
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
