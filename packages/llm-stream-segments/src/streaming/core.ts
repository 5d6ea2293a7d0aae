// Exports what `llm-stream-segments` is for. The names that AutoByteus' parser has too are in its `/compat`, index.ts.

export * as FORMATS from "../parse/formats/format.ts"
export * as TAG_PROFILES from "../parse/formats/profiles.ts"
export type { ToolList } from "../parse/formats/schema-types.ts"
export type { CallFormat, StringFormat, TagFormat, TagFormats } from "../parse/formats/tag-format.ts"
export type { CallsReader, JsonToolParsingStrategy, ToolArguments } from "../parse/json-call.ts"
export type { ArgumentStyle } from "../parse/rules.ts"
export {
  extractSegments,
  type Metadata,
  type Segment,
  SegmentEvent,
  SegmentEventType,
  SegmentType,
} from "../parse/segment.ts"
export { type ArgumentDelta, ArgumentReader } from "./argument-stream.ts"
export type { ToolInvocation } from "./call-reader.ts"
export type { ChunkResponseOptions, SegmentChunk, ToolCallDelta } from "./provider-chunk.ts"
export {
  type ProviderSource,
  type SegmentOptions,
  type SegmentSource,
  type StreamingSegment,
  segments,
  type WholeSegment,
} from "./segment-source.ts"
export { SegmentStream } from "./segment-stream.ts"
export { type EventSourceLike, fromAnthropic, fromChunks, fromOpenAI, fromSSE } from "./sources.ts"
