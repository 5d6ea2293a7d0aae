// Feeds what a model writes to the streaming parser, and keeps the segments that come of it.

import type { ParseState } from "../parse/parser-state.ts"
import { type SegmentEvent, SegmentEventType, SegmentType } from "../parse/segment.ts"
import { endParse, initialParse, stepParse } from "../parse/step.ts"
import type { ParserName } from "../parse/syntax-rules.ts"
import { type ChunkedList, emptyList, pushed, slice } from "./model/chunked-list.ts"
import type { Mutable } from "./model/mutable.ts"
import type { SegmentPart, TurnBuffer } from "./model/session.ts"

/** Characters after which a segment goes on in another part: appending then costs what is new. */
const PART = 4096

/** The parser of a new reply; none where calls come beside the text, so that plain text costs nothing extra. */
export function beginSegments(strategy: ParserName): ParseState | null {
  return strategy === "api_tool_call" ? null : initialParse(strategy)
}

type Parsed = Pick<Mutable<TurnBuffer>, "parser" | "parts" | "part">

/** Takes more text of a reply. Thinking comes marked as such and is a segment by itself. */
export function feedSegments(stream: Parsed, text: string, thinking: boolean): void {
  if (stream.parser === null || text === "") return
  if (thinking) {
    addThinking(stream, text)
    return
  }
  const { state, events } = stepParse(stream.parser, text)
  stream.parser = state
  take(stream, events)
}

function take(stream: Parsed, events: readonly SegmentEvent[]): void {
  for (const { event_type, segment_id: id, segment_type: type, payload } of events) {
    const { part } = stream
    if (event_type === SegmentEventType.START) {
      close(stream)
      stream.part = { id, type: type ?? SegmentType.TEXT, label: labelOf(payload.metadata), text: "", end: "open" }
    } else if (event_type === SegmentEventType.CONTENT) addText(stream, id, payload.delta ?? "")
    else if (part?.id === id) {
      const label = part.label === "" ? labelOf(payload.metadata) : part.label
      stream.part = { ...part, label, end: payload.complete === false ? "cut" : "whole" }
      close(stream)
    }
  }
}

function addText(stream: Parsed, id: string, text: string): void {
  const { part } = stream
  if (part?.id === id && part.text.length < PART) {
    stream.part = { ...part, text: part.text + text }
    return
  }
  const begun = part?.id === id ? part : lastOf(stream.parts, id)
  close(stream)
  if (begun !== null) stream.part = { ...begun, text, end: "open" }
}

function addThinking(stream: Parsed, text: string): void {
  const { part } = stream
  if (part?.type === SegmentType.REASONING && part.text.length < PART) {
    stream.part = { ...part, text: part.text + text }
    return
  }
  close(stream)
  stream.part = { id: "thinking", type: SegmentType.REASONING, label: "", text, end: "open" }
}

function close(stream: Parsed): void {
  if (stream.part === null) return
  stream.parts = pushed(stream.parts, stream.part)
  stream.part = null
}

/** The latest part of a segment: thinking may have come in between. */
function lastOf(parts: ChunkedList<SegmentPart>, id: string): SegmentPart | null {
  return slice(parts, parts.length - 2, parts.length).findLast(part => part.id === id) ?? null
}

/** What names a segment: the path of its file, or its tool. */
function labelOf(metadata: { readonly [key: string]: unknown } | undefined): string {
  const label = metadata?.path ?? metadata?.tool_name
  return typeof label === "string" ? label : ""
}

/** The parts of a whole text. */
export function parseSegments(strategy: ParserName, text: string): readonly SegmentPart[] {
  const parse = beginSegments(strategy)
  if (parse === null) return [{ id: "text", type: SegmentType.TEXT, label: "", text, end: "whole" }]
  const stream: Parsed = { parser: parse, parts: emptyList, part: null }
  feedSegments(stream, text, false)
  take(stream, endParse(stream.parser ?? parse).events)
  close(stream)
  return slice(stream.parts, 0, stream.parts.length)
}
