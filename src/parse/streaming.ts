// Exports the streaming parser: every name of the library `opentui-sidecar/streaming`. Runs wherever JavaScript does.

export * from "./adapter.ts"
export type { ChunkResponseOptions, ToolCallDelta } from "./chunk.ts"
export { ChunkResponse } from "./chunk.ts"
export type { ParserConfigOptions } from "./config.ts"
export { ParserConfig, resolveParserName } from "./config.ts"
export type { ParsingState } from "./context.ts"
export { ParserContext } from "./context.ts"
export { EventEmitter } from "./emitter.ts"
export { ENV_PARSER_NAME } from "./environment.ts"
export type { FactoryOptions } from "./factory.ts"
export { StreamingHandlerResult, StreamingResponseHandlerFactory } from "./factory.ts"
export type { FileContentUpdate } from "./file-content.ts"
export { EditFileContentStreamer, WriteFileContentStreamer } from "./file-content.ts"
export type { HandlerOptions, ParsingHandlerOptions } from "./handler.ts"
export {
  ApiToolCallStreamingResponseHandler,
  ParsingStreamingResponseHandler,
  PassThroughStreamingResponseHandler,
  StreamingResponseHandler,
} from "./handler.ts"
export type {
  JsonToolCall,
  JsonToolParsingProfile,
  JsonToolParsingStrategy,
  ToolArguments,
} from "./json-call.ts"
export {
  DefaultJsonToolParsingStrategy,
  GeminiJsonToolParsingStrategy,
  getJsonToolParsingProfile,
  OpenAiJsonToolParsingStrategy,
  parseJsonToolCall,
} from "./json-call.ts"
export type { JsonStringFieldExtraction } from "./json-field.ts"
export { JsonStringFieldExtractor } from "./json-field.ts"
export { createStreamingParser, parseCompleteResponse, StreamingParser } from "./parser.ts"
export { LLMProvider } from "./provider.ts"
export type { ParserName } from "./rules.ts"
export { StreamScanner } from "./scanner.ts"
export * from "./segment.ts"
export { TOOL_NAME_EDIT_FILE, TOOL_NAME_RUN_BASH, TOOL_NAME_WRITE_FILE } from "./shape.ts"
export type { ParseState, ToolShape } from "./state.ts"
export type { XmlToolStateClass } from "./state-registry.ts"
export { registerXmlToolParsingState, XmlToolParsingStateRegistry } from "./state-registry.ts"
export {
  BaseState,
  SentinelContentState,
  TextState,
  XmlEditFileToolParsingState,
  XmlRunBashToolParsingState,
  XmlToolParsingState,
  XmlWriteFileToolParsingState,
} from "./states.ts"
export { endParse, initialParse, stepParse } from "./step.ts"
export type { ToolDefinition, ToolDefinitionRegistry, ToolSchema } from "./tool-schema.ts"
export { ToolSchemaProvider } from "./tool-schema.ts"
export type { ToolSyntaxSpec } from "./tool-syntax.ts"
export { getToolSyntaxSpec, toolSyntaxRegistryItems } from "./tool-syntax.ts"
export { parseXmlArguments } from "./xml-arguments.ts"
