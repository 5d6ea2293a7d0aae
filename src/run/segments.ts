// Feeds streamed text to the streaming parser and collects the segments it finds.

import type { ParserName } from "../../packages/llm-stream-segments/src/parse/rules.ts"
import {
  type Metadata,
  type SegmentEvent,
  SegmentEventType,
  SegmentType,
} from "../../packages/llm-stream-segments/src/parse/segment.ts"
import { endParse, initialParse, stepParse } from "../../packages/llm-stream-segments/src/parse/step.ts"
import { at, type ChunkedList, emptyList, pushed, slice } from "./model/chunked-list.ts"
import type { Mutable, SegmentPart, Segments } from "./model/session.ts"

/** UTF-16 units after which a segment continues in another part, so that appending costs only what is new. */
const PART_UNITS = 4096
/** The id of all parts of thinking. */
const THINKING = "thinking"

/** A parser for a new reply. Null if tool calls come beside the text, so that plain text costs nothing extra. */
export function beginSegments(strategy: ParserName): Segments | null {
  if (strategy === "api_tool_call") return null
  return { parser: initialParse(strategy, { safe: true }), parts: emptyList, part: null }
}

type OwnSegments = Mutable<Segments>

/** The segments after more text of a reply. Thinking is marked as such and forms segments of its own. */
export function feedSegments(segments: Segments, text: string, thinking: boolean): Segments {
  const own: OwnSegments = { ...segments }
  if (thinking) addThinking(own, text)
  else {
    const { state, events } = stepParse(own.parser, text)
    own.parser = state
    take(own, events)
  }
  return own
}

function take(own: OwnSegments, events: readonly SegmentEvent[]): void {
  for (const { event_type, segment_id: id, segment_type: type, payload } of events) {
    const { part } = own
    if (event_type === SegmentEventType.START) {
      close(own)
      own.part = { id, type: type ?? SegmentType.TEXT, ...labelled(payload.metadata), text: "", end: "open" }
    } else if (event_type === SegmentEventType.CONTENT) addText(own, id, payload.delta ?? "")
    else if (part?.id === id) {
      const end = payload.complete === false ? "cut" : "whole"
      own.part = { ...part, more: { ...part.more, ...payload.metadata }, end }
      close(own)
    }
  }
}

function addText(own: OwnSegments, id: string, text: string): void {
  const { part } = own
  if (part?.id === id && part.text.length < PART_UNITS) {
    own.part = { ...part, text: part.text + text }
    return
  }
  const begun = part?.id === id ? part : lastOf(own.parts, id)
  close(own)
  if (begun !== null) own.part = { ...begun, text, end: "open" }
}

function addThinking(own: OwnSegments, text: string): void {
  const { part } = own
  if (part?.type === SegmentType.REASONING && part.text.length < PART_UNITS) {
    own.part = { ...part, text: part.text + text }
    return
  }
  close(own)
  own.part = { id: THINKING, type: SegmentType.REASONING, label: "", text, more: {}, end: "open" }
}

function close(own: OwnSegments): void {
  if (own.part === null) return
  own.parts = pushed(own.parts, own.part)
  own.part = null
}

/** The last part, if it belongs to this segment and only thinking came after it; else null. */
function lastOf(parts: ChunkedList<SegmentPart>, id: string): SegmentPart | null {
  let place = parts.length - 1
  while (at(parts, place)?.id === THINKING) place--
  const part = at(parts, place)
  return part?.id === id ? part : null
}

/** The label of a segment, its file path or tool name, and its other metadata. */
function labelled(metadata: Metadata = {}): Pick<SegmentPart, "label" | "more"> {
  const named = ["path", "tool_name"].find(key => typeof metadata[key] === "string")
  const more = Object.fromEntries(Object.entries(metadata).filter(([key]) => key !== named))
  return { label: named === undefined ? "" : String(metadata[named]), more }
}

/** The segments of a whole text. */
export function parseSegments(strategy: ParserName, text: string): readonly SegmentPart[] {
  const segments = beginSegments(strategy)
  if (segments === null) return [{ id: "text", type: SegmentType.TEXT, label: "", text, more: {}, end: "whole" }]
  const own: OwnSegments = { ...feedSegments(segments, text, false) }
  take(own, endParse(own.parser).events)
  close(own)
  return slice(own.parts, 0, own.parts.length)
}
