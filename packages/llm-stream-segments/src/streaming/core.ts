// Exports what `llm-stream-segments` is for. The names that AutoByteus' parser has too are in its `/compat`, index.ts.

export type { JsonToolParsingStrategy, ToolArguments } from "../parse/json-call.ts"
export {
  extractSegments,
  type Metadata,
  type Segment,
  SegmentEvent,
  SegmentEventType,
  SegmentType,
} from "../parse/segment.ts"
export type { ArgumentStyle, StringFormat, TagFormat, TagFormats } from "../parse/tag-formats.ts"
export * as TAG_PROFILES from "../parse/tag-profiles.ts"
export type { ArgumentDelta, ToolInvocation } from "./call-reader.ts"
export type { ChunkResponseOptions, ToolCallDelta } from "./provider-chunk.ts"
export type { ToolList } from "./schema-types.ts"
export {
  type SegmentChunk,
  type SegmentOptions,
  type SegmentSource,
  SegmentStream,
  type StreamingSegment,
  segments,
  type WholeSegment,
} from "./segment-source.ts"
export { type EventSourceLike, fromAnthropic, fromOpenAI, fromSSE } from "./sources.ts"
export { ArgumentReader } from "./tool-invocations.ts"
