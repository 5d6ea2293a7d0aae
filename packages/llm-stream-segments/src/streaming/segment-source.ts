// Reads a response from wherever it streams, as segments for `for await`.

import type { Metadata, Segment, SegmentEvent, SegmentType } from "../parse/segment.ts"
import { kitOf, rulesFor } from "../parse/syntax-rules.ts"
import { CallReader, type InvocationOptions, type ToolInvocation } from "./call-reader.ts"
import { type ChunkSource, chunksOf } from "./chunk-source.ts"
import type { SegmentChunk } from "./provider-chunk.ts"
import { type EngineMaker, textEngine } from "./response-engine.ts"
import { type HandlerOptions, ResponseHandler } from "./response-handler.ts"

export interface SegmentOptions extends HandlerOptions, InvocationOptions {
  /** False ignores calls. Default true. */
  readonly parseToolCalls?: boolean | undefined
  /** The reasoning among `tags` that the prompt has opened. Default none. */
  readonly startIn?: string | undefined
  /** The end also closes a call whose JSON is whole, for servers that stop at its closing tag. Default false. */
  readonly endCloses?: boolean | undefined
}

/** A provider's chunks, with what reads them, so that a program of mere text need not carry it. */
export interface ProviderSource extends AsyncIterable<SegmentChunk> {
  readonly engine: EngineMaker
}

/** Where a response comes from: text, or what `fromOpenAI` and others give. A string is a complete response. */
export type SegmentSource = string | ChunkSource<string> | ProviderSource

/** A segment that has started. Iterating over it gives its deltas from the first one, each as it comes. */
export interface StreamingSegment extends AsyncIterable<string> {
  readonly id: string
  readonly type: SegmentType
  readonly metadata: Metadata
  /** Reads on to the segment's end. Rejects if the source fails before. */
  whole(): Promise<WholeSegment>
}

/** A segment that has ended, with all its metadata. */
export interface WholeSegment extends Segment {
  /** False if the stream ended or failed before the segment was closed. */
  readonly complete: boolean
  /** The calls it asks for, to be approved and run. Incomplete ones only with `invokeTruncated`. */
  readonly invocations: readonly ToolInvocation[]
}

/**
 * The segments of a response in the order they start, each as soon as it does. One that is skipped or read later costs
 * nothing but its text. Leaving the loop cancels the source; if the source fails, the loop throws its error.
 */
export function segments(source: SegmentSource, options: SegmentOptions = {}): AsyncGenerator<StreamingSegment> {
  const engine = typeof source === "object" && "engine" in source ? source.engine : undefined
  return segmentsOf(source, options, all => handlerFor(all, engine))
}

/** The segments that the handler of these options finds. */
export async function* segmentsOf<Options extends HandlerOptions>(
  source: string | ChunkSource<SegmentChunk>,
  options: Options,
  make: (options: Options) => ResponseHandler,
): AsyncGenerator<StreamingSegment> {
  const reader = new SegmentReader(chunksOf(source), options, make)
  try {
    for (;;) {
      const segment = reader.started.shift()
      if (segment !== undefined) yield segment
      else if (reader.isDone) return
      else await reader.read()
    }
  } finally {
    await reader.cancel()
  }
}

class SegmentReader<Options extends HandlerOptions> {
  /** Segments that have started and were not given out. */
  readonly started: OpenSegment[] = []
  isDone = false
  readonly #open = new Map<string, OpenSegment>()
  readonly #handler: ResponseHandler
  /** The segment that ended last: the handler tells of its calls right after. */
  #ended: OpenSegment | undefined
  #reading: Promise<void> | null = null
  /** The source has ended or failed, so that there is nothing to cancel. */
  #isSpent = false

  constructor(
    private readonly chunks: AsyncIterator<SegmentChunk>,
    options: Options,
    make: (options: Options) => ResponseHandler,
  ) {
    this.#handler = make({
      ...options,
      onSegmentEvent: event => {
        this.#take(event)
        options.onSegmentEvent?.(event)
      },
      onToolInvocation: invocation => {
        this.#ended?.invocations.push(invocation)
        options.onToolInvocation?.(invocation)
      },
    })
  }

  /** Reads the next chunk, for all who wait for it. */
  readonly read = (): Promise<void> => {
    this.#reading ??= this.#next().finally(() => {
      this.#reading = null
    })
    return this.#reading
  }

  /** Ends what is open as incomplete, and the source with it unless it has ended. */
  async cancel(): Promise<void> {
    this.#fail()
    if (!this.#isSpent) await this.chunks.return?.()
  }

  async #next(): Promise<void> {
    let isRead = false
    try {
      const { done, value } = await this.chunks.next()
      isRead = true
      this.#isSpent = done === true
      if (this.isDone) return
      this.isDone = done === true
      if (done === true) this.#handler.finalize()
      else this.#handler.feed(value)
    } catch (error) {
      this.#isSpent ||= !isRead
      this.#fail()
      throw error
    }
  }

  #fail(): void {
    this.isDone = true
    this.#handler.abort()
  }

  #take({ event_type, segment_id: id, segment_type: type, payload }: SegmentEvent): void {
    if (event_type === "SEGMENT_START") {
      const segment = new OpenSegment(id, type, payload.metadata ?? {}, this.read)
      this.started.push(segment)
      this.#open.set(id, segment)
      return
    }
    const segment = this.#open.get(id)
    if (event_type === "SEGMENT_CONTENT") segment?.deltas.push(payload.delta)
    if (event_type !== "SEGMENT_END" || segment === undefined) return
    segment.end = payload
    this.#ended = segment
    this.#open.delete(id)
  }
}

class OpenSegment implements StreamingSegment {
  readonly deltas: string[] = []
  readonly invocations: ToolInvocation[] = []
  end: { readonly metadata?: Metadata; readonly complete?: false } | null = null

  constructor(
    readonly id: string,
    readonly type: SegmentType,
    readonly metadata: Metadata,
    private readonly read: () => Promise<void>,
  ) {}

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    for (let at = 0; ; ) {
      const delta = this.deltas[at]
      if (delta !== undefined) {
        at++
        yield delta
      } else if (this.end !== null) return
      else await this.read()
    }
  }

  async whole(): Promise<WholeSegment> {
    while (this.end === null) await this.read()
    const { id, type, invocations, end } = this
    const metadata = { ...this.metadata, ...end.metadata }
    return { id, type, content: this.deltas.join(""), metadata, complete: end.complete ?? true, invocations }
  }
}

/** A handler that reads the `safe` profile unless told otherwise, and mere text without an `engine`. */
export function handlerFor(
  options: SegmentOptions,
  engine: EngineMaker = textEngine,
  callsOf = (given: InvocationOptions): CallReader => new CallReader(given),
): ResponseHandler {
  const { tags = {}, safe = true, segmentIdPrefix: prefix = "", parseToolCalls: tools = true } = options
  const kit = kitOf(tags)
  const { startIn, endCloses } = options
  const rules = rulesFor({ tools, prefix, tags, safe, startIn, endCloses }, kit)
  return new ResponseHandler(options, engine(rules, kit, tools), callsOf({ ...options, safe, kit }))
}
