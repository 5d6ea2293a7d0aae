// Defines segments of model text and the three events of each: start, content, end.

/** A segment's kind, by AutoByteus' names (docs/decisions.md 7.10). The parser never makes `media`; callers may. */
export enum SegmentType {
  TEXT = "text",
  TOOL_CALL = "tool_call",
  WRITE_FILE = "write_file",
  EDIT_FILE = "edit_file",
  RUN_BASH = "run_bash",
  REASONING = "reasoning",
  MEDIA = "media",
}

export enum SegmentEventType {
  START = "SEGMENT_START",
  CONTENT = "SEGMENT_CONTENT",
  END = "SEGMENT_END",
}

/** Display data of a segment, such as its path or tool name. Keys are untrusted, so they are always own properties. */
export type Metadata = { readonly [key: string]: unknown }

/** START has `metadata`, CONTENT `delta`. END has only metadata that START could not know, and `complete: false`. */
export interface SegmentPayload {
  readonly metadata?: Metadata
  readonly delta?: string
  /** False if the stream ended or was aborted before the segment closed. Never true. */
  readonly complete?: false
}

/** An event as plain JSON. */
export interface SegmentEventDict {
  readonly type: SegmentEventType
  readonly segment_id: string
  readonly segment_type?: SegmentType
  readonly payload: SegmentPayload
}

const EMPTY: SegmentPayload = Object.freeze({})

/** One event of a segment. Deltas are never empty and never contain half a tag or half a surrogate pair. */
export class SegmentEvent {
  readonly event_type: SegmentEventType
  readonly segment_id: string
  /** Only in a START. */
  readonly segment_type: SegmentType | undefined
  readonly payload: SegmentPayload

  constructor(event: {
    readonly event_type: SegmentEventType
    readonly segment_id: string
    readonly segment_type?: SegmentType | undefined
    readonly payload?: SegmentPayload
  }) {
    this.event_type = event.event_type
    this.segment_id = event.segment_id
    this.segment_type = event.segment_type
    this.payload = event.payload ?? EMPTY
  }

  static start(segment_id: string, segment_type: SegmentType, metadata?: Metadata): SegmentEvent {
    const payload = metadata === undefined ? EMPTY : { metadata }
    return new SegmentEvent({ event_type: SegmentEventType.START, segment_id, segment_type, payload })
  }

  static content(segment_id: string, delta: string): SegmentEvent {
    return new SegmentEvent({ event_type: SegmentEventType.CONTENT, segment_id, payload: { delta } })
  }

  /** `truncated` marks a segment that the stream's end cut off. */
  static end(segment_id: string, metadata?: Metadata, truncated = false): SegmentEvent {
    const given = metadata === undefined ? {} : { metadata }
    const payload: SegmentPayload = truncated ? { ...given, complete: false } : given
    return new SegmentEvent({ event_type: SegmentEventType.END, segment_id, payload })
  }

  /** The event as plain JSON: `event_type` is called `type`, and only a START has `segment_type`. */
  toDict(): SegmentEventDict {
    const { event_type, segment_id, segment_type, payload } = this
    if (segment_type === undefined) return { type: event_type, segment_id, payload }
    return { type: event_type, segment_id, segment_type, payload }
  }
}

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
    if (event_type === SegmentEventType.START && type !== undefined) {
      parts.set(id, { id, type, metadata: payload.metadata ?? {}, deltas: [] })
    }
    if (event_type === SegmentEventType.CONTENT) parts.get(id)?.deltas.push(payload.delta ?? "")
  }
  return [...parts.values()].map(({ id, type, metadata, deltas }) => ({ id, type, content: deltas.join(""), metadata }))
}
