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
export * from "../parse/segment.ts"
export { endParse, initialParse, stepParse } from "../parse/step.ts"
export type { ParserName } from "../parse/syntax-rules.ts"
export { parseXmlArguments } from "../parse/xml-arguments.ts"
export { EventEmitter } from "./event-emitter.ts"
export { EditFileContentStreamer, type FileContentUpdate, WriteFileContentStreamer } from "./file-content.ts"
export { type FactoryOptions, StreamingHandlerResult, StreamingResponseHandlerFactory } from "./handler-factory.ts"
export { ENV_PARSER_NAME } from "./host-environment.ts"
export { type JsonStringFieldExtraction, JsonStringFieldExtractor } from "./json-field.ts"
export { ParserConfig, type ParserConfigOptions, resolveParserName } from "./parser-config.ts"
export { ChunkResponse, type ChunkResponseOptions, type ToolCallDelta } from "./provider-chunk.ts"
export {
  ApiToolCallStreamingResponseHandler,
  type HandlerOptions,
  type ParsingHandlerOptions,
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
export { ParserContext, type ParsingState } from "./state-context.ts"
export { registerXmlToolParsingState, XmlToolParsingStateRegistry, type XmlToolStateClass } from "./state-registry.ts"
export { createStreamingParser, parseCompleteResponse, StreamingParser } from "./streaming-parser.ts"
export * from "./tool-invocations.ts"
export { type ToolDefinition, type ToolDefinitionRegistry, type ToolSchema, ToolSchemaProvider } from "./tool-schema.ts"
export { getToolSyntaxSpec, type ToolSyntaxSpec, toolSyntaxRegistryItems } from "./tool-syntax.ts"
