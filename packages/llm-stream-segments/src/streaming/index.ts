// Exports the library `opentui-sidecar/streaming`, which runs in any JavaScript host: core.ts, and AutoByteus' names.

export * as TAG_PROFILES from "../parse/formats/compat-profiles.ts"
export { TOOL_NAME_EDIT_FILE, TOOL_NAME_RUN_BASH, TOOL_NAME_WRITE_FILE } from "../parse/formats/content-tools.ts"
export {
  GeminiJsonToolParsingStrategy,
  getJsonToolParsingProfile,
  type JsonToolParsingProfile,
  LLMProvider,
  OpenAiJsonToolParsingStrategy,
  parseJsonToolCall,
} from "../parse/formats/json-profiles.ts"
export type { ToolShape } from "../parse/formats/tool-mode.ts"
export * from "../parse/formats/tool-syntax.ts"
export { DefaultJsonToolParsingStrategy, type JsonToolCall } from "../parse/json-call.ts"
export type { ParseState } from "../parse/parser-state.ts"
export type { ParserName } from "../parse/rules.ts"
export type { SegmentEventDict, SegmentPayload, SegmentPayloads } from "../parse/segment.ts"
export * from "../parse/step.ts"
export { parseXmlArguments } from "../parse/tag-arguments.ts"
export type { InvocationOptions } from "./call-reader.ts"
export {
  CompatArguments as ArgumentReader,
  type CompatOptions as SegmentOptions,
  CompatStream as SegmentStream,
  segments,
} from "./compat-segments.ts"
export * from "./core.ts"
export * from "./handlers.ts"
export { ENV_PARSER_NAME } from "./host-environment.ts"
export * from "./json-field.ts"
export { ParserConfig, type ParserConfigOptions, resolveParserName } from "./parser-config.ts"
export { ChunkResponse } from "./provider-chunk.ts"
export type { HandlerOptions } from "./response-handler.ts"
export * from "./scanner.ts"
export * from "./state-classes.ts"
export * from "./state-context.ts"
export * from "./streaming-parser.ts"
export { ToolInvocationAdapter } from "./tool-invocations.ts"
export * from "./tool-schema.ts"
