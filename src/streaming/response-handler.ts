// Feeds a response's chunks to an engine, dispatches the events and tool invocations, and chooses the handler.
import { getJsonToolParsingProfile, LLMProvider } from "../parse/json-call.ts"
import type { SegmentEvent } from "../parse/segment.ts"
import { type ArgumentDelta, CallReader, type InvocationOptions, type ToolInvocation } from "./call-reader.ts"
import { ENV_PARSER_NAME, environmentVariable, uniqueName } from "./host-environment.ts"
import { configFor, ParserConfig, resolveParserName } from "./parser-config.ts"
import { type ChunkResponse, type ChunkResponseOptions, chunkFrom } from "./provider-chunk.ts"
import { NativeCallEngine, nativeEngine, ParsingEngine, type ResponseEngine } from "./response-engine.ts"
import type { ParserOptions } from "./streaming-parser.ts"
import { type ToolSchema, ToolSchemaProvider } from "./tool-schema.ts"

export interface HandlerOptions extends Pick<InvocationOptions, "tools"> {
  /** Called with each event. Exceptions are ignored. */
  readonly onSegmentEvent?: ((event: SegmentEvent) => void) | null | undefined
  /** Called with each invocation. Exceptions are ignored. */
  readonly onToolInvocation?: ((invocation: ToolInvocation) => void) | null | undefined
  /** Called with the arguments of each call while they stream. Exceptions are ignored. */
  readonly onArgument?: ((delta: ArgumentDelta) => void) | null | undefined
  readonly segmentIdPrefix?: string | undefined
  /** Also invokes incomplete calls, unless the parser is safe. Default false. */
  readonly invokeTruncated?: boolean | undefined
  /** False leaves getAllEvents and getAllInvocations empty, so memory doesn't grow with the reply. Default true. */
  readonly keepEvents?: boolean | undefined
}

export interface ParsingHandlerOptions extends HandlerOptions, ParserOptions {}

/** Makes the engine of one response; `first` is false after a reset. */
type EngineMaker = (first: boolean) => ResponseEngine

/** The entry point (docs/decisions.md 7.3). Created directly, it uses the environment's parser. */
export class StreamingResponseHandler {
  readonly #options: HandlerOptions
  readonly #make: EngineMaker
  readonly #calls: CallReader
  #engine: ResponseEngine
  #ended = false
  #events: SegmentEvent[] = []
  #invocations: ToolInvocation[] = []

  constructor(options: ParsingHandlerOptions = {}, make: EngineMaker = chosenEngine(options)) {
    this.#options = options
    this.#make = make
    this.#engine = make(true)
    const { config, tools } = options
    const invokeTruncated = options.invokeTruncated && !config?.safe
    this.#calls = new CallReader({ jsonParser: config?.jsonToolParser, invokeTruncated, tools, tags: config?.tags })
  }

  /** The events of this chunk; a bare string counts as its content. Throws once the stream has ended. */
  feed(chunk: ChunkResponse | ChunkResponseOptions | string): SegmentEvent[] {
    if (this.#ended) throw new Error("Cannot feed a handler that has been finalized")
    return this.#dispatch(this.#engine.feed(chunkFrom(chunk)))
  }

  /** Ends the stream and returns its last events; none the second time. */
  finalize(): SegmentEvent[] {
    return this.#end(false)
  }

  /** Ends a failed stream: every open segment ends with `complete: false`, and nothing more is invoked. */
  abort(): SegmentEvent[] {
    return this.#end(true)
  }

  getAllEvents(): SegmentEvent[] {
    return [...this.#events]
  }

  getAllInvocations(): ToolInvocation[] {
    return [...this.#invocations]
  }

  /** Starts over, with segment ids from 1. */
  reset(): void {
    this.#engine = this.#make(false)
    this.#calls.reset()
    this.#ended = false
    this.#events = []
    this.#invocations = []
  }

  #end(aborted: boolean): SegmentEvent[] {
    if (this.#ended) return []
    this.#ended = true
    return this.#dispatch(this.#engine.end(aborted))
  }

  #dispatch(events: SegmentEvent[]): SegmentEvent[] {
    const { onArgument, keepEvents: keeps = true } = this.#options
    const listener = onArgument ? (delta: ArgumentDelta) => notify(onArgument, delta) : null
    for (const event of events) {
      if (keeps) this.#events.push(event)
      notify(this.#options.onSegmentEvent, event)
      for (const invocation of this.#calls.read(event, listener)) {
        if (keeps) this.#invocations.push(invocation)
        notify(this.#options.onToolInvocation, invocation)
      }
    }
    return events
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
  constructor(options: HandlerOptions = {}) {
    super(options, () => new NativeCallEngine(options.segmentIdPrefix ?? ""))
  }
}

/** Streams text unparsed, without tool calls. */
export class PassThroughStreamingResponseHandler extends StreamingResponseHandler {
  constructor(options: HandlerOptions = {}) {
    const prefix = options.segmentIdPrefix ?? `pt_${uniqueName()}:`
    super(options, first => new NativeCallEngine(prefix, `${prefix}text_${first ? "0" : uniqueName()}`, false))
  }
}

function chosenEngine(options: ParsingHandlerOptions): EngineMaker {
  const name = options.parserName ?? resolveParserName()
  if (name === "api_tool_call") return () => nativeEngine(options.segmentIdPrefix ?? "", options.config)
  return () => parsingEngine(options, name)
}

function parsingEngine(options: ParsingHandlerOptions, name: string): ResponseEngine {
  const config = options.config ?? new ParserConfig({ segmentIdPrefix: options.segmentIdPrefix })
  return new ParsingEngine(configFor(name, config), options.toolStates)
}

function notify<Value>(listener: ((value: Value) => void) | null | undefined, value: Value): void {
  try {
    listener?.(value)
  } catch {
    // A failing listener must not stop the stream.
  }
}

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
  create(options: FactoryOptions = {}): StreamingHandlerResult {
    return createHandler(options)
  }
}

function createHandler(options: FactoryOptions): StreamingHandlerResult {
  const { toolNames, provider } = options
  const prefix = options.segmentIdPrefix ?? `turn_${uniqueName()}:`
  const shared: HandlerOptions = { ...options, segmentIdPrefix: prefix }
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
