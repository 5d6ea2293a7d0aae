// Tells what is known of a call's arguments while its segment still streams.
import { type Metadata, type SegmentEvent, SegmentEventType, SegmentType } from "../parse/segment.ts"
import { JsonArguments, NamedArguments, type PartialArguments } from "./partial-arguments.ts"

/** The next characters of one argument of a call. */
export interface ArgumentDelta {
  /** The id that the call's invocation will have. */
  readonly id: string
  readonly argument: string
  readonly delta: string
  /** False for text, decoded. True for any other value: its deltas join to JSON. */
  readonly isJson: boolean
}

/** The argument that is a segment's content. */
const CONTENT_OF: ReadonlyMap<SegmentType, string> = new Map([
  [SegmentType.WRITE_FILE, "content"],
  [SegmentType.EDIT_FILE, "patch"],
  [SegmentType.RUN_BASH, "command"],
])
const METADATA: readonly string[] = ["path", "background", "timeout_seconds"]

/**
 * Follows tool segments from START to END. The invocation at the END is what counts: a value that consists of elements
 * is an object there, and a name that repeats has its last value.
 */
export class ArgumentReader {
  readonly #open = new Map<string, PartialArguments | string>()

  /** What this event adds to the arguments of its call. */
  processEvent({ event_type, segment_id: id, segment_type: type, payload }: SegmentEvent): ArgumentDelta[] {
    if (event_type === SegmentEventType.START) return this.#start(id, type, payload.metadata ?? {})
    const reader = this.#open.get(id)
    if (reader === undefined) return []
    if (event_type === SegmentEventType.END) {
      this.#open.delete(id)
      return typeof reader === "string" ? known(id, payload.metadata ?? {}, METADATA) : []
    }
    if (typeof reader === "string") return [{ id, argument: reader, delta: payload.delta, isJson: false }]
    return reader.feed(payload.delta).map(({ call, ...part }) => ({
      id: call === 0 ? id : `${id}.${call + 1}`,
      ...part,
    }))
  }

  #start(id: string, type: SegmentType, metadata: Metadata): ArgumentDelta[] {
    const content = CONTENT_OF.get(type)
    if (content !== undefined) {
      this.#open.set(id, content)
      return known(id, metadata, METADATA)
    }
    if (type !== SegmentType.TOOL_CALL) return []
    const given = metadata.arguments
    if (typeof given === "object" && given !== null) return known(id, { ...given }, Object.keys(given))
    const isNamed = typeof (metadata.tool_name ?? metadata.name) === "string"
    this.#open.set(id, isNamed ? new NamedArguments() : new JsonArguments(false))
    return []
  }
}

function known(id: string, metadata: Metadata, names: readonly string[]): ArgumentDelta[] {
  return names.flatMap(argument => {
    const value = Object.hasOwn(metadata, argument) ? metadata[argument] : undefined
    if (value === undefined) return []
    const isJson = typeof value !== "string"
    return [{ id, argument, delta: isJson ? JSON.stringify(value) : value, isJson }]
  })
}
