// Defines segments of model text and the three events of each: start, content, end.

/** A segment's kind, by AutoByteus' names (docs/decisions.md 7.10). The parser never makes `media`; callers may. */
export const SegmentType = {
  TEXT: "text",
  TOOL_CALL: "tool_call",
  WRITE_FILE: "write_file",
  EDIT_FILE: "edit_file",
  RUN_BASH: "run_bash",
  REASONING: "reasoning",
  MEDIA: "media",
} as const
export type SegmentType = (typeof SegmentType)[keyof typeof SegmentType]

/** True for the segments that ask for a call. */
export function isTool(type: SegmentType): boolean {
  return type !== "text" && type !== "reasoning" && type !== "media"
}

export const SegmentEventType = {
  START: "SEGMENT_START",
  CONTENT: "SEGMENT_CONTENT",
  END: "SEGMENT_END",
} as const
export type SegmentEventType = (typeof SegmentEventType)[keyof typeof SegmentEventType]

/** Display data of a segment, such as its path or tool name. Keys are untrusted, so they are always own properties. */
export type Metadata = { readonly [key: string]: unknown }

/** What each kind of event says. The other kinds' fields are absent, so `payload.delta` narrows by `event_type`. */
export interface SegmentPayloads {
  readonly SEGMENT_START: {
    readonly metadata?: Metadata
    readonly delta?: undefined
    readonly complete?: undefined
  }
  readonly SEGMENT_CONTENT: {
    readonly delta: string
    readonly metadata?: undefined
    readonly complete?: undefined
  }
  readonly SEGMENT_END: {
    /** Only what START could not know. */
    readonly metadata?: Metadata
    /** False if the stream ended or was aborted before the segment closed. Never true. */
    readonly complete?: false
    readonly delta?: undefined
  }
}

export type SegmentPayload = SegmentPayloads[SegmentEventType]

/** An event as plain JSON. */
export interface SegmentEventDict {
  readonly type: SegmentEventType
  readonly segment_id: string
  readonly segment_type?: SegmentType
  readonly payload: SegmentPayload
}

/** Only a START has a segment type. */
type SegmentTypeOf<Type> = Type extends "SEGMENT_START" ? SegmentType : undefined

const EMPTY = Object.freeze({})

class EventOf<Type extends SegmentEventType> {
  readonly event_type: Type
  readonly segment_id: string
  readonly segment_type: SegmentTypeOf<Type>
  readonly payload: SegmentPayloads[Type]

  constructor(event: {
    readonly event_type: Type
    readonly segment_id: string
    readonly segment_type?: SegmentType | undefined
    readonly payload?: SegmentPayloads[Type]
  }) {
    this.event_type = event.event_type
    this.segment_id = event.segment_id
    this.segment_type = event.segment_type as SegmentTypeOf<Type>
    this.payload = event.payload ?? (EMPTY as SegmentPayloads[Type])
  }

  static start(segment_id: string, segment_type: SegmentType, metadata?: Metadata): EventOf<"SEGMENT_START"> {
    const payload = metadata === undefined ? EMPTY : { metadata }
    return new EventOf({ event_type: "SEGMENT_START", segment_id, segment_type, payload })
  }

  static content(segment_id: string, delta: string): EventOf<"SEGMENT_CONTENT"> {
    return new EventOf({ event_type: "SEGMENT_CONTENT", segment_id, payload: { delta } })
  }

  /** `truncated` marks a segment that the stream's end cut off. */
  static end(segment_id: string, metadata?: Metadata, truncated = false): EventOf<"SEGMENT_END"> {
    const given = metadata === undefined ? EMPTY : { metadata }
    const payload = truncated ? { ...given, complete: false as const } : given
    return new EventOf({ event_type: "SEGMENT_END", segment_id, payload })
  }

  /** The event as plain JSON: `event_type` is called `type`, and only a START has `segment_type`. */
  toDict(): SegmentEventDict {
    const { event_type: type, segment_id, segment_type, payload } = this
    return segment_type === undefined ? { type, segment_id, payload } : { type, segment_id, segment_type, payload }
  }
}

/** One event of a segment. Deltas are never empty and never contain half a tag or half a surrogate pair. */
export type SegmentEvent = { [Type in SegmentEventType]: EventOf<Type> }[SegmentEventType]
export const SegmentEvent = EventOf

export interface Segment {
  readonly id: string
  readonly type: SegmentType
  readonly content: string
  readonly metadata: Metadata
}

/** Joins events into segments, in the order of their STARTs. Drops the content of a segment that never started. */
export function extractSegments(events: readonly SegmentEvent[]): Segment[] {
  const parts = new Map<string, { id: string; type: SegmentType; metadata: Metadata; deltas: string[] }>()
  for (const { event_type, segment_id: id, segment_type: type, payload } of events) {
    if (event_type === "SEGMENT_START" && type !== undefined) {
      parts.set(id, { id, type, metadata: payload.metadata ?? {}, deltas: [] })
    }
    if (event_type === "SEGMENT_CONTENT") parts.get(id)?.deltas.push(payload.delta)
  }
  return [...parts.values()].map(({ id, type, metadata, deltas }) => ({ id, type, content: deltas.join(""), metadata }))
}
