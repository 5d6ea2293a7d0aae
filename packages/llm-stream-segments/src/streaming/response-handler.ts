// Feeds a response's chunks to an engine, and dispatches the events and tool invocations.
import type { SegmentEvent } from "../parse/segment.ts"
import type { CallReader, ToolInvocation } from "./call-reader.ts"
import type { SegmentChunk } from "./provider-chunk.ts"
import type { Engine } from "./response-engine.ts"

export interface HandlerOptions {
  /** Called with each event. Exceptions are ignored. */
  readonly onSegmentEvent?: ((event: SegmentEvent) => void) | null | undefined
  /** Called with each invocation. Exceptions are ignored. */
  readonly onToolInvocation?: ((invocation: ToolInvocation) => void) | null | undefined
  readonly segmentIdPrefix?: string | undefined
}

/** What a handler has told so far. */
export interface KeptEvents {
  readonly events: SegmentEvent[]
  readonly invocations: ToolInvocation[]
}

/** Reads one response, and keeps what it tells in `kept`. */
export class ResponseHandler {
  protected isEnded = false

  constructor(
    private readonly options: HandlerOptions,
    protected engine: Engine,
    protected readonly calls: CallReader,
    protected readonly kept: KeptEvents | null = null,
  ) {}

  /** The events of this chunk; a bare string counts as its content. Throws once the stream has ended. */
  feed(chunk: SegmentChunk): SegmentEvent[] {
    if (this.isEnded) throw new Error("Cannot feed a handler that has been finalized")
    return this.#dispatch(this.engine.feed(chunk))
  }

  /** Ends the stream and returns its last events; none the second time. */
  finalize(): SegmentEvent[] {
    return this.#end(false)
  }

  /** Ends a failed stream: every open segment ends with `complete: false`, and nothing more is invoked. */
  abort(): SegmentEvent[] {
    return this.#end(true)
  }

  #end(aborted: boolean): SegmentEvent[] {
    if (this.isEnded) return []
    this.isEnded = true
    return this.#dispatch(this.engine.end(aborted))
  }

  #dispatch(events: SegmentEvent[]): SegmentEvent[] {
    const { onSegmentEvent, onToolInvocation } = this.options
    for (const event of events) {
      this.kept?.events.push(event)
      notify(onSegmentEvent, event)
      for (const invocation of this.calls.read(event)) {
        this.kept?.invocations.push(invocation)
        notify(onToolInvocation, invocation)
      }
    }
    return events
  }
}

/** Calls a listener, which must not stop the stream by failing. */
export function notify<Value>(listener: ((value: Value) => void) | null | undefined, value: Value): void {
  try {
    listener?.(value)
  } catch {}
}
