// Feeds streamed text to the streaming parser and collects the segments it finds.
import type { ParseState } from "../../packages/llm-stream-segments/src/parse/parser-state.ts"
import {
  type Metadata,
  type SegmentEvent,
  SegmentEventType,
  SegmentType,
} from "../../packages/llm-stream-segments/src/parse/segment.ts"
import { endParse, initialParse, stepParse } from "../../packages/llm-stream-segments/src/parse/step.ts"
import type { ParserName } from "../../packages/llm-stream-segments/src/parse/syntax-rules.ts"
import { type ChunkedList, emptyList, pushed, slice } from "./model/chunked-list.ts"
import type { Mutable, SegmentPart, TurnBuffer } from "./model/session.ts"

/** UTF-16 units after which a segment continues in another part, so that appending costs only what is new. */
const PART_UNITS = 4096

/** A parser for a new reply. Null if tool calls come beside the text, so that plain text costs nothing extra. */
export function beginSegments(strategy: ParserName): ParseState | null {
  return strategy === "api_tool_call" ? null : initialParse(strategy, { safe: true })
}

type Parsed = Pick<Mutable<TurnBuffer>, "parser" | "parts" | "part">

/** Parses more text of a reply. Thinking is marked as such and forms segments of its own. */
export function feedSegments(buffer: Parsed, text: string, thinking: boolean): void {
  if (buffer.parser === null || text === "") return
  if (thinking) {
    addThinking(buffer, text)
    return
  }
  const { state, events } = stepParse(buffer.parser, text)
  buffer.parser = state
  take(buffer, events)
}

function take(buffer: Parsed, events: readonly SegmentEvent[]): void {
  for (const { event_type, segment_id: id, segment_type: type, payload } of events) {
    const { part } = buffer
    if (event_type === SegmentEventType.START) {
      close(buffer)
      buffer.part = { id, type: type ?? SegmentType.TEXT, ...labelled(payload.metadata), text: "", end: "open" }
    } else if (event_type === SegmentEventType.CONTENT) addText(buffer, id, payload.delta ?? "")
    else if (part?.id === id) {
      const { label, more } = labelled(payload.metadata)
      const end = payload.complete === false ? "cut" : "whole"
      buffer.part = { ...part, label: part.label || label, more: { ...part.more, ...more }, end }
      close(buffer)
    }
  }
}

function addText(buffer: Parsed, id: string, text: string): void {
  const { part } = buffer
  if (part?.id === id && part.text.length < PART_UNITS) {
    buffer.part = { ...part, text: part.text + text }
    return
  }
  const begun = part?.id === id ? part : lastOf(buffer.parts, id)
  close(buffer)
  if (begun !== null) buffer.part = { ...begun, text, end: "open" }
}

function addThinking(buffer: Parsed, text: string): void {
  const { part } = buffer
  if (part?.type === SegmentType.REASONING && part.text.length < PART_UNITS) {
    buffer.part = { ...part, text: part.text + text }
    return
  }
  close(buffer)
  buffer.part = { id: "thinking", type: SegmentType.REASONING, label: "", text, more: {}, end: "open" }
}

function close(buffer: Parsed): void {
  if (buffer.part === null) return
  buffer.parts = pushed(buffer.parts, buffer.part)
  buffer.part = null
}

/** The latest part of a segment. A thinking part may come between. */
function lastOf(parts: ChunkedList<SegmentPart>, id: string): SegmentPart | null {
  return slice(parts, parts.length - 2, parts.length).findLast(part => part.id === id) ?? null
}

/** The label of a segment, its file path or tool name, and its other metadata. */
function labelled(metadata: Metadata = {}): Pick<SegmentPart, "label" | "more"> {
  const named = ["path", "tool_name"].find(key => typeof metadata[key] === "string")
  const more = Object.fromEntries(Object.entries(metadata).filter(([key]) => key !== named))
  return { label: named === undefined ? "" : String(metadata[named]), more }
}

/** The segments of a whole text. */
export function parseSegments(strategy: ParserName, text: string): readonly SegmentPart[] {
  const parse = beginSegments(strategy)
  if (parse === null) return [{ id: "text", type: SegmentType.TEXT, label: "", text, more: {}, end: "whole" }]
  const buffer: Parsed = { parser: parse, parts: emptyList, part: null }
  feedSegments(buffer, text, false)
  take(buffer, endParse(buffer.parser ?? parse).events)
  close(buffer)
  return slice(buffer.parts, 0, buffer.parts.length)
}
