// Exports the library `opentui-sidecar/streaming`, which runs in any JavaScript host.

export { TOOL_NAME_EDIT_FILE, TOOL_NAME_RUN_BASH, TOOL_NAME_WRITE_FILE } from "../parse/content-tools.ts"
export type {
  JsonToolCall,
  JsonToolParsingProfile,
  JsonToolParsingStrategy,
  ToolArguments,
} from "../parse/json-call.ts"
export {
  DefaultJsonToolParsingStrategy,
  GeminiJsonToolParsingStrategy,
  getJsonToolParsingProfile,
  OpenAiJsonToolParsingStrategy,
  parseJsonToolCall,
} from "../parse/json-call.ts"
export type { ParseState, ToolShape } from "../parse/parser-state.ts"
export { LLMProvider } from "../parse/provider.ts"
export * from "../parse/segment.ts"
export { endParse, initialParse, stepParse } from "../parse/step.ts"
export type { ParserName } from "../parse/syntax-rules.ts"
export { parseXmlArguments } from "../parse/xml-arguments.ts"
export { EventEmitter } from "./event-emitter.ts"
export type { FileContentUpdate } from "./file-content.ts"
export { EditFileContentStreamer, WriteFileContentStreamer } from "./file-content.ts"
export type { FactoryOptions } from "./handler-factory.ts"
export { StreamingHandlerResult, StreamingResponseHandlerFactory } from "./handler-factory.ts"
export { ENV_PARSER_NAME } from "./host-environment.ts"
export type { JsonStringFieldExtraction } from "./json-field.ts"
export { JsonStringFieldExtractor } from "./json-field.ts"
export type { ParserConfigOptions } from "./parser-config.ts"
export { ParserConfig, resolveParserName } from "./parser-config.ts"
export type { ChunkResponseOptions, ToolCallDelta } from "./provider-chunk.ts"
export { ChunkResponse } from "./provider-chunk.ts"
export type { HandlerOptions, ParsingHandlerOptions } from "./response-handler.ts"
export {
  ApiToolCallStreamingResponseHandler,
  ParsingStreamingResponseHandler,
  PassThroughStreamingResponseHandler,
  StreamingResponseHandler,
} from "./response-handler.ts"
export { StreamScanner } from "./scanner.ts"
export {
  BaseState,
  SentinelContentState,
  TextState,
  XmlEditFileToolParsingState,
  XmlRunBashToolParsingState,
  XmlToolParsingState,
  XmlWriteFileToolParsingState,
} from "./state-classes.ts"
export type { ParsingState } from "./state-context.ts"
export { ParserContext } from "./state-context.ts"
export type { XmlToolStateClass } from "./state-registry.ts"
export { registerXmlToolParsingState, XmlToolParsingStateRegistry } from "./state-registry.ts"
export { createStreamingParser, parseCompleteResponse, StreamingParser } from "./streaming-parser.ts"
export * from "./tool-invocations.ts"
export type { ToolDefinition, ToolDefinitionRegistry, ToolSchema } from "./tool-schema.ts"
export { ToolSchemaProvider } from "./tool-schema.ts"
export type { ToolSyntaxSpec } from "./tool-syntax.ts"
export { getToolSyntaxSpec, toolSyntaxRegistryItems } from "./tool-syntax.ts"
