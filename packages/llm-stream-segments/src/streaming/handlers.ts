// Chooses a response's handler by the environment, the provider and the tools, as AutoByteus does.

import { FULL_KIT } from "../parse/formats/full-kit.ts"
import { getJsonToolParsingProfile, LLMProvider } from "../parse/formats/json-profiles.ts"
import type { SegmentEvent } from "../parse/segment.ts"
import type { ArgumentListener } from "./argument-stream.ts"
import type { InvocationOptions, ToolInvocation } from "./call-reader.ts"
import { callsOf } from "./compat-segments.ts"
import { fileCall } from "./file-call.ts"
import { ENV_PARSER_NAME, environmentVariable, uniqueName } from "./host-environment.ts"
import { NativeCalls, TextChannel } from "./native-call.ts"
import { configFor, ParserConfig, resolveParserName, rulesOf } from "./parser-config.ts"
import { ResponseEngine, TextBesideCalls, type TextReader } from "./response-engine.ts"
import { type HandlerOptions, ResponseHandler } from "./response-handler.ts"
import { type ParserOptions, StreamingParser } from "./streaming-parser.ts"
import { type ToolSchema, ToolSchemaProvider } from "./tool-schema.ts"

export interface EventHandlerOptions
  extends HandlerOptions,
    ArgumentListener,
    Pick<InvocationOptions, "tools" | "invokeTruncated"> {
  /** False leaves getAllEvents and getAllInvocations empty, so memory doesn't grow with the reply. Default true. */
  readonly keepEvents?: boolean | undefined
}

export interface ParsingHandlerOptions extends EventHandlerOptions, ParserOptions {}

/** Makes the engine of one response; `first` is false after a reset. */
type EngineMaker = (first: boolean) => ResponseEngine

/** The entry point (docs/decisions.md 7.3). Created directly, it uses the environment's parser. */
export class StreamingResponseHandler extends ResponseHandler {
  readonly #make: EngineMaker

  constructor(options: ParsingHandlerOptions = {}, make: EngineMaker = chosenEngine(options)) {
    const kept = options.keepEvents === false ? null : { events: [], invocations: [] }
    super(options, make(true), callsOf(options.config, options), kept)
    this.#make = make
  }

  getAllEvents(): SegmentEvent[] {
    return [...(this.kept?.events ?? [])]
  }

  getAllInvocations(): ToolInvocation[] {
    return [...(this.kept?.invocations ?? [])]
  }

  /** Starts over, with segment ids from 1. */
  reset(): void {
    this.engine = this.#make(false)
    this.calls.open.clear()
    this.isEnded = false
    this.kept?.events.splice(0)
    this.kept?.invocations.splice(0)
  }
}

export class ParsingStreamingResponseHandler extends StreamingResponseHandler {
  readonly parserName: string

  constructor(options: ParsingHandlerOptions = {}) {
    const name = options.parserName ?? resolveParserName()
    super(options, () => parsingEngine(options, name))
    this.parserName = name
  }
}

/** Streams text unparsed and takes tool calls from `ChunkResponse.tool_calls`. */
export class ApiToolCallStreamingResponseHandler extends StreamingResponseHandler {
  constructor(options: EventHandlerOptions = {}) {
    super(options, () => nativeEngine(options.segmentIdPrefix ?? ""))
  }
}

/** Streams text unparsed, without tool calls. */
export class PassThroughStreamingResponseHandler extends StreamingResponseHandler {
  constructor(options: EventHandlerOptions = {}) {
    const prefix = options.segmentIdPrefix ?? `pt_${uniqueName()}:`
    super(options, first => {
      return new ResponseEngine(new PlainText(() => `${prefix}text_${first ? "0" : uniqueName()}`), prefix, null)
    })
  }
}

function chosenEngine(options: ParsingHandlerOptions): EngineMaker {
  const name = (options.parserName ?? resolveParserName()).trim().toLowerCase()
  if (name === "api_tool_call") return () => nativeEngine(options.segmentIdPrefix ?? "", options.config)
  return () => parsingEngine(options, name)
}

function parsingEngine(options: ParsingHandlerOptions, name: string): ResponseEngine {
  const config = options.config ?? new ParserConfig({ segmentIdPrefix: options.segmentIdPrefix })
  const parser = new StreamingParser(configFor(name, config), options.toolStates)
  return new ResponseEngine(parser, config.segmentIdPrefix, null)
}

/** Reads native calls. The text may contain tags of `config`, but none for calls. */
function nativeEngine(prefix: string, config?: ParserConfig): ResponseEngine {
  const hasTags = config !== undefined && Object.keys(config.tags).length > 0
  const text = hasTags
    ? new TextBesideCalls(rulesOf(configFor("api_tool_call", config), FULL_KIT), FULL_KIT)
    : new PlainText(at => `${prefix}text_${at}`)
  return new ResponseEngine(text, prefix, new NativeCalls(prefix, fileCall))
}

/** Text in which nothing is looked for. Each stretch between two calls is a segment. */
class PlainText implements TextReader {
  #count = 0
  #channel: TextChannel

  constructor(private readonly idOf: (at: number) => string) {
    this.#channel = new TextChannel(idOf(0), "text")
  }

  feed(text: string): SegmentEvent[] {
    return this.#channel.feed(text)
  }

  pause(): SegmentEvent[] {
    const events = this.#channel.end(false)
    if (events.length > 0) this.#channel = new TextChannel(this.idOf(++this.#count), "text")
    return events
  }

  end(aborted: boolean): SegmentEvent[] {
    return this.#channel.end(aborted)
  }
}

/** A handler, and tool schemas for the provider; null if the prompt describes the tools, or there are none. */
export class StreamingHandlerResult {
  constructor(
    readonly handler: StreamingResponseHandler,
    readonly toolSchemas: readonly ToolSchema[] | null = null,
  ) {}
}

export interface FactoryOptions extends EventHandlerOptions {
  readonly toolNames?: readonly string[] | null | undefined
  readonly provider?: LLMProvider | string | null | undefined
  /** The responding agent; only for the caller's bookkeeping. */
  readonly agentId?: string | null | undefined
  /** A parser name that overrides the environment's. */
  readonly formatOverride?: string | null | undefined
}

/** Creates the handler for an agent's turn (docs/decisions.md 7.3). */
export class StreamingResponseHandlerFactory {
  /** Without tools, text passes through unparsed. Throws if the parser's name is unknown. */
  static create(options: FactoryOptions = {}): StreamingHandlerResult {
    return createHandler(options)
  }

  /** The override, else the environment's parser, else the provider's: `xml` for Anthropic, `json` for all others. */
  static resolveParserName(options: Pick<FactoryOptions, "formatOverride" | "provider"> = {}): string {
    return chosenName(options) || (options.provider === LLMProvider.ANTHROPIC ? "xml" : "json")
  }

  /** The same as the static one, for code that is given a factory. */
  readonly create = createHandler
}

function createHandler(options: FactoryOptions = {}): StreamingHandlerResult {
  const { toolNames, provider } = options
  const prefix = options.segmentIdPrefix ?? `turn_${uniqueName()}:`
  const shared: EventHandlerOptions = { ...options, segmentIdPrefix: prefix }
  if (toolNames === null || toolNames === undefined || toolNames.length === 0) {
    return new StreamingHandlerResult(new PassThroughStreamingResponseHandler(shared))
  }
  const parserName = chosenName(options) || "api_tool_call"
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

/** The override, else the environment's parser, in lower case; empty if there is neither. */
function chosenName({ formatOverride }: Pick<FactoryOptions, "formatOverride">): string {
  return (formatOverride ?? environmentVariable(ENV_PARSER_NAME) ?? "").trim().toLowerCase()
}
