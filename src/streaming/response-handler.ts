// Feeds a response's chunks to an engine, and dispatches the events and tool invocations.
import type { SegmentEvent } from "../parse/segment.ts"
import { uniqueName } from "./host-environment.ts"
import { ParserConfig, resolveParserName } from "./parser-config.ts"
import { ChunkResponse, type ChunkResponseOptions } from "./provider-chunk.ts"
import { NativeCallEngine, ParsingEngine, type ResponseEngine } from "./response-engine.ts"
import { type ToolInvocation, ToolInvocationAdapter } from "./tool-invocations.ts"

export interface HandlerOptions {
  /** Called with each event. Exceptions are ignored. */
  readonly onSegmentEvent?: ((event: SegmentEvent) => void) | null | undefined
  /** Called with each invocation. Exceptions are ignored. */
  readonly onToolInvocation?: ((invocation: ToolInvocation) => void) | null | undefined
  readonly segmentIdPrefix?: string | undefined
  /** Also invokes incomplete calls. Default false. */
  readonly invokeTruncated?: boolean | undefined
}

export interface ParsingHandlerOptions extends HandlerOptions {
  readonly config?: ParserConfig | undefined
  /** `xml`, `json`, `sentinel` or `api_tool_call`; by default the environment's, else `xml`. */
  readonly parserName?: string | undefined
}

/** Makes the engine of one response; `first` is false after a reset. */
type EngineMaker = (first: boolean) => ResponseEngine

/** The entry point (docs/decisions.md 7.3). Created directly, it uses the environment's parser. */
export class StreamingResponseHandler {
  readonly #options: HandlerOptions
  readonly #make: EngineMaker
  readonly #adapter: ToolInvocationAdapter
  #engine: ResponseEngine
  #ended = false
  #events: SegmentEvent[] = []
  #invocations: ToolInvocation[] = []

  constructor(options: ParsingHandlerOptions = {}, make: EngineMaker = chosenEngine(options)) {
    this.#options = options
    this.#make = make
    this.#engine = make(true)
    this.#adapter = new ToolInvocationAdapter(options.config?.jsonToolParser, options)
  }

  /** The events of this chunk; a bare string counts as its content. Throws once the stream has ended. */
  feed(chunk: ChunkResponse | ChunkResponseOptions | string): SegmentEvent[] {
    if (this.#ended) throw new Error("Cannot feed a handler that has been finalized")
    return this.#dispatch(this.#engine.feed(asChunk(chunk)))
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
    this.#adapter.reset()
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
    for (const event of events) {
      this.#events.push(event)
      notify(this.#options.onSegmentEvent, event)
      const invocation = this.#adapter.processEvent(event)
      if (invocation === null) continue
      this.#invocations.push(invocation)
      notify(this.#options.onToolInvocation, invocation)
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
  if (name === "api_tool_call") return () => new NativeCallEngine(options.segmentIdPrefix ?? "")
  return () => parsingEngine(options, name)
}

function parsingEngine(options: ParsingHandlerOptions, name: string): ResponseEngine {
  const config = options.config ?? new ParserConfig({ segmentIdPrefix: options.segmentIdPrefix })
  return new ParsingEngine(config, name)
}

function asChunk(chunk: ChunkResponse | ChunkResponseOptions | string): ChunkResponse {
  if (chunk instanceof ChunkResponse) return chunk
  return new ChunkResponse(typeof chunk === "string" ? { content: chunk } : chunk)
}

function notify<Value>(listener: ((value: Value) => void) | null | undefined, value: Value): void {
  try {
    listener?.(value)
  } catch {
    // A failing listener must not stop the stream.
  }
}
