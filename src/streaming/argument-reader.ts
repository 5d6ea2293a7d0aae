// Tells what is known of a call's arguments while its segment still streams.
import { type Metadata, type SegmentEvent, SegmentEventType, SegmentType } from "../parse/segment.ts"
import { JsonArguments, NamedArguments, type PartialArguments } from "./partial-arguments.ts"

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
}

/** The argument that is a segment's content. */
const CONTENT_OF: ReadonlyMap<SegmentType, string> = new Map([
  [SegmentType.WRITE_FILE, "content"],
  [SegmentType.EDIT_FILE, "patch"],
  [SegmentType.RUN_BASH, "command"],
])
const METADATA: readonly string[] = ["path", "background", "timeout_seconds"]

/** A tool segment that has started. */
interface OpenCall {
  readonly id: string
  readonly name: string
  /** Reads the content; or the argument that it is. */
  readonly content: PartialArguments | string
}

/**
 * Follows tool segments from START to END. The invocation at the END is what counts: a value that consists of elements
 * is an object there, and a name that repeats has its last value.
 */
export class ArgumentReader {
  readonly #open = new Map<string, OpenCall>()

  /** What this event adds to the arguments of its call. */
  processEvent({ event_type, segment_id: id, segment_type: type, payload }: SegmentEvent): ArgumentDelta[] {
    if (event_type === SegmentEventType.START) return this.#start(id, type, payload.metadata ?? {})
    const call = this.#open.get(id)
    if (call === undefined) return []
    const { name, content } = call
    if (event_type === SegmentEventType.END) {
      this.#open.delete(id)
      return typeof content === "string" ? known(call, payload.metadata ?? {}, METADATA) : []
    }
    if (typeof content === "string") return [{ id, name, argument: content, delta: payload.delta, isJson: false }]
    return content.feed(payload.delta).map(({ call: index, name: own, ...part }) => ({
      id: index === 0 ? id : `${id}.${index + 1}`,
      name: name || own,
      ...part,
    }))
  }

  #start(id: string, type: SegmentType, metadata: Metadata): ArgumentDelta[] {
    const content = CONTENT_OF.get(type)
    const given = metadata.tool_name ?? (content === undefined ? metadata.name : type)
    const name = typeof given === "string" ? given : ""
    if (content !== undefined) {
      this.#open.set(id, { id, name, content })
      return known({ id, name }, metadata, METADATA)
    }
    if (type !== SegmentType.TOOL_CALL) return []
    const { arguments: args } = metadata
    if (typeof args === "object" && args !== null) return known({ id, name }, { ...args }, Object.keys(args))
    this.#open.set(id, { id, name, content: name === "" ? new JsonArguments(false) : new NamedArguments() })
    return []
  }
}

function known({ id, name }: Pick<OpenCall, "id" | "name">, metadata: Metadata, names: readonly string[]) {
  return names.flatMap((argument): ArgumentDelta[] => {
    const value = Object.hasOwn(metadata, argument) ? metadata[argument] : undefined
    if (value === undefined) return []
    const isJson = typeof value !== "string"
    return [{ id, name, argument, delta: isJson ? JSON.stringify(value) : value, isJson }]
  })
}
