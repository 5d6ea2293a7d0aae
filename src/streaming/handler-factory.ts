// Chooses a response's handler by environment, provider and tools.
import { getJsonToolParsingProfile, type LLMProvider } from "../parse/json-call.ts"
import { ENV_PARSER_NAME, environmentVariable, uniqueName } from "./host-environment.ts"
import { ParserConfig } from "./parser-config.ts"
import {
  ApiToolCallStreamingResponseHandler,
  type HandlerOptions,
  ParsingStreamingResponseHandler,
  PassThroughStreamingResponseHandler,
  type StreamingResponseHandler,
} from "./response-handler.ts"
import { type ToolSchema, ToolSchemaProvider } from "./tool-schema.ts"

/** A handler, and tool schemas for the provider; null if the prompt describes the tools, or there are none. */
export class StreamingHandlerResult {
  constructor(
    readonly handler: StreamingResponseHandler,
    readonly toolSchemas: readonly ToolSchema[] | null = null,
  ) {}
}

export interface FactoryOptions extends HandlerOptions {
  readonly toolNames?: readonly string[] | null | undefined
  readonly provider?: LLMProvider | string | null | undefined
  /** The responding agent; only for the caller's bookkeeping. */
  readonly agentId?: string | null | undefined
  /** A parser name that overrides the environment's. */
  readonly formatOverride?: string | null | undefined
}

/** Creates the handler for an agent's turn (docs/decisions.md 7.3). */
export const StreamingResponseHandlerFactory = { create, resolveParserName }

/** Without tools, text passes through unparsed. Throws if the parser's name is unknown. */
function create(options: FactoryOptions = {}): StreamingHandlerResult {
  const { toolNames, provider } = options
  const prefix = options.segmentIdPrefix ?? `turn_${uniqueName()}:`
  const shared: HandlerOptions = { ...options, segmentIdPrefix: prefix }
  if (toolNames === null || toolNames === undefined || toolNames.length === 0) {
    return new StreamingHandlerResult(new PassThroughStreamingResponseHandler(shared))
  }
  const parserName = StreamingResponseHandlerFactory.resolveParserName(options)
  if (parserName === "api_tool_call") {
    const toolSchemas = new ToolSchemaProvider().buildSchema(toolNames, provider)
    return new StreamingHandlerResult(new ApiToolCallStreamingResponseHandler(shared), toolSchemas)
  }
  const profile = parserName === "json" ? getJsonToolParsingProfile(provider) : undefined
  const config = new ParserConfig({
    segmentIdPrefix: prefix,
    jsonToolPatterns: profile?.signaturePatterns,
    jsonToolParser: profile?.parser,
  })
  return new StreamingHandlerResult(new ParsingStreamingResponseHandler({ ...shared, config, parserName }))
}

/** The override, else the environment's parser, else `api_tool_call`, for every provider. */
function resolveParserName(options: Pick<FactoryOptions, "formatOverride" | "provider"> = {}): string {
  const name = options.formatOverride ?? environmentVariable(ENV_PARSER_NAME)
  return name?.trim().toLowerCase() || "api_tool_call"
}
