// Defines the engine of a response handler, with implementations for parsed and plain text.
import { type SegmentEvent, SegmentType } from "../parse/segment.ts"
import type { ParserConfig } from "./parser-config.ts"
import type { ChunkResponse } from "./provider-chunk.ts"
import { createStreamingParser, type StreamingParser } from "./streaming-parser.ts"
import { TextChannel } from "./text-channel.ts"

/** Turns the chunks of one response into events. Each response gets a new engine. */
export interface ResponseEngine {
  feed(chunk: ChunkResponse): SegmentEvent[]
  end(aborted: boolean): SegmentEvent[]
}

/** Streams reasoning as separate segments. Each ends when other content follows, or at the end. */
export class ReasoningChannel {
  readonly #prefix: string
  #count = 0
  #channel: TextChannel | null = null

  constructor(prefix: string) {
    this.#prefix = prefix
  }

  feed({ content, reasoning, tool_calls }: ChunkResponse): SegmentEvent[] {
    const events: SegmentEvent[] = []
    if (reasoning !== null && reasoning !== "") {
      this.#channel ??= new TextChannel(`${this.#prefix}reasoning_${++this.#count}`, SegmentType.REASONING)
      events.push(...this.#channel.feed(reasoning))
    }
    if (this.#channel !== null && (content !== "" || (tool_calls !== null && tool_calls.length > 0))) {
      events.push(...this.end(false))
    }
    return events
  }

  end(aborted: boolean): SegmentEvent[] {
    const events = this.#channel?.end(aborted) ?? []
    this.#channel = null
    return events
  }
}

/** Parses text for blocks; ignores native tool calls. */
export class ParsingEngine implements ResponseEngine {
  readonly #parser: StreamingParser
  readonly #reasoning: ReasoningChannel

  constructor(config: ParserConfig, parserName: string) {
    this.#parser = createStreamingParser({ config, parserName })
    this.#reasoning = new ReasoningChannel(config.segmentIdPrefix)
  }

  feed(chunk: ChunkResponse): SegmentEvent[] {
    if (chunk.reasoning === null && chunk.tool_calls === null) {
      const closed = chunk.content === "" ? [] : this.#reasoning.end(false)
      const events = this.#parser.feed(chunk.content)
      return closed.length === 0 ? events : [...closed, ...events]
    }
    return [...this.#reasoning.feed(chunk), ...this.#parser.feed(chunk.content)]
  }

  end(aborted: boolean): SegmentEvent[] {
    const events = aborted ? this.#parser.abort() : this.#parser.finalize()
    return [...events, ...this.#reasoning.end(aborted)]
  }
}

/** Streams all text as one segment. */
export class PassThroughEngine implements ResponseEngine {
  readonly #text: TextChannel
  readonly #reasoning: ReasoningChannel

  constructor(id: string, prefix: string) {
    this.#text = new TextChannel(id, SegmentType.TEXT)
    this.#reasoning = new ReasoningChannel(prefix)
  }

  feed(chunk: ChunkResponse): SegmentEvent[] {
    return [...this.#reasoning.feed(chunk), ...this.#text.feed(chunk.content)]
  }

  end(aborted: boolean): SegmentEvent[] {
    return [...this.#text.end(aborted), ...this.#reasoning.end(aborted)]
  }
}
