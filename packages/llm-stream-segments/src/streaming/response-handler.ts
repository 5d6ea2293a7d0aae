// Feeds a response's chunks to an engine, and dispatches the events and tool invocations.
import type { SegmentEvent } from "../parse/segment.ts"
import type { Kit } from "../parse/working-copy.ts"
import { type ArgumentDelta, CallReader, type InvocationOptions, type ToolInvocation } from "./call-reader.ts"
import type { ParserConfig } from "./parser-config.ts"
import { type ChunkResponse, type ChunkResponseOptions, chunkFrom } from "./provider-chunk.ts"
import type { ResponseEngine } from "./response-engine.ts"

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

/** Makes the engine of one response; `first` is false after a reset. */
export type EngineMaker = (first: boolean) => ResponseEngine

/** Reads one response. */
export class ResponseHandler {
  readonly #options: HandlerOptions
  readonly #make: EngineMaker
  readonly #calls: CallReader
  #engine: ResponseEngine
  #ended = false
  #events: SegmentEvent[] = []
  #invocations: ToolInvocation[] = []

  /** `config` is what the engines were made with. */
  constructor(
    options: HandlerOptions & { readonly config?: ParserConfig | undefined; readonly kit?: Kit },
    make: EngineMaker,
  ) {
    this.#options = options
    this.#make = make
    this.#engine = make(true)
    const { config, tools, kit } = options
    const invokeTruncated = options.invokeTruncated && !config?.safe
    this.#calls = new CallReader({
      jsonParser: config?.jsonToolParser,
      invokeTruncated,
      tools,
      tags: config?.tags,
      kit,
    })
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

function notify<Value>(listener: ((value: Value) => void) | null | undefined, value: Value): void {
  try {
    listener?.(value)
  } catch {
    // A failing listener must not stop the stream.
  }
}
