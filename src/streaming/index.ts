// Exports the library `opentui-sidecar/streaming`, which runs in any JavaScript host.

export { TOOL_NAME_EDIT_FILE, TOOL_NAME_RUN_BASH, TOOL_NAME_WRITE_FILE } from "../parse/content-tools.ts"
export {
  DefaultJsonToolParsingStrategy,
  GeminiJsonToolParsingStrategy,
  getJsonToolParsingProfile,
  type JsonToolCall,
  type JsonToolParsingProfile,
  type JsonToolParsingStrategy,
  LLMProvider,
  OpenAiJsonToolParsingStrategy,
  parseJsonToolCall,
  type ToolArguments,
} from "../parse/json-call.ts"
export type { ParseState, ToolShape } from "../parse/parser-state.ts"
export {
  extractSegments,
  type Metadata,
  type Segment,
  SegmentEvent,
  type SegmentEventDict,
  SegmentEventType,
  type SegmentPayload,
  type SegmentPayloads,
  SegmentType,
} from "../parse/segment.ts"
export * from "../parse/step.ts"
export type { ParserName } from "../parse/syntax-rules.ts"
export { parseXmlArguments } from "../parse/tag-arguments.ts"
export type { ArgumentStyle, StringFormat, TagFormat, TagFormats } from "../parse/tag-formats.ts"
export * as TAG_PROFILES from "../parse/tag-profiles.ts"
export { type ArgumentDelta, ArgumentReader, type InvocationOptions, type ToolInvocation } from "./call-reader.ts"
export { ENV_PARSER_NAME } from "./host-environment.ts"
export * from "./json-field.ts"
export { ParserConfig, type ParserConfigOptions, resolveParserName } from "./parser-config.ts"
export { ChunkResponse, type ChunkResponseOptions, type ToolCallDelta } from "./provider-chunk.ts"
export * from "./response-handler.ts"
export * from "./scanner.ts"
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
export * from "./state-classes.ts"
export { registerXmlToolParsingState, XmlToolParsingStateRegistry, type XmlToolStateClass } from "./state-classes.ts"
export * from "./state-context.ts"
export * from "./streaming-parser.ts"
export * from "./tool-invocations.ts"
export * from "./tool-schema.ts"
export * from "./tool-syntax.ts"
