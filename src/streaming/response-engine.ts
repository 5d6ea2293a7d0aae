// Turns the chunks of one response into events: text parsed or as it is, reasoning, and native tool calls.
import { type SegmentEvent, SegmentType } from "../parse/segment.ts"
import { uniqueName } from "./host-environment.ts"
import { type NativeCall, nativeCall, TextChannel } from "./native-call.ts"
import type { ParserConfig } from "./parser-config.ts"
import type { ChunkResponse, ToolCallDelta } from "./provider-chunk.ts"
import type { ToolStates } from "./state-classes.ts"
import { StreamingParser } from "./streaming-parser.ts"

/** Turns the chunks of one response into events. Each response gets a new engine. */
export interface ResponseEngine {
  feed(chunk: ChunkResponse): SegmentEvent[]
  end(aborted: boolean): SegmentEvent[]
}

/** Streams reasoning as separate segments. Each ends when other content follows, or at the end. */
class ReasoningChannel {
  #count = 0
  #channel: TextChannel | null = null

  constructor(private readonly prefix: string) {}

  feed({ content, reasoning, tool_calls }: ChunkResponse): SegmentEvent[] {
    const events: SegmentEvent[] = []
    if (reasoning !== null && reasoning !== "") {
      this.#channel ??= new TextChannel(`${this.prefix}reasoning_${++this.#count}`, SegmentType.REASONING)
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

export class ParsingEngine implements ResponseEngine {
  readonly #parser: StreamingParser
  readonly #reasoning: ReasoningChannel

  constructor(config: ParserConfig, toolStates?: ToolStates) {
    this.#parser = new StreamingParser(config, toolStates)
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

/** A call that may get its name after its first arguments. */
interface IncomingCall {
  readonly id: string
  /** The provider's id; empty for none. */
  readonly callId: string
  waiting: string[]
  call: NativeCall | null
}

/** Streams one text segment and, with `calls`, native calls. At the end the text closes first, then calls by index. */
export class NativeCallEngine implements ResponseEngine {
  readonly #text: TextChannel
  readonly #reasoning: ReasoningChannel
  readonly #calls = new Map<number | undefined, IncomingCall>()
  readonly #ids = new Set<string>()

  constructor(
    private readonly prefix: string,
    textId = `${prefix}text_0`,
    private readonly calls = true,
  ) {
    this.#text = new TextChannel(textId, SegmentType.TEXT)
    this.#reasoning = new ReasoningChannel(prefix)
    this.#ids.add(textId)
  }

  feed(chunk: ChunkResponse): SegmentEvent[] {
    const events = [...this.#reasoning.feed(chunk), ...this.#text.feed(chunk.content)]
    if (this.calls) for (const delta of chunk.tool_calls ?? []) events.push(...this.#call(delta))
    return events
  }

  end(aborted: boolean): SegmentEvent[] {
    const calls = [...this.#calls].sort(([a = 0], [b = 0]) => a - b).map(([, incoming]) => incoming)
    return [
      ...this.#text.end(aborted),
      ...calls.flatMap(incoming => endCall(incoming, aborted)),
      ...this.#reasoning.end(aborted),
    ]
  }

  #call({ index, call_id, name, arguments_delta }: ToolCallDelta): SegmentEvent[] {
    const open = this.#calls.get(index)
    const callId = call_id ?? ""
    if (open !== undefined && open.callId !== "" && callId !== "" && callId !== open.callId) {
      this.#calls.delete(index)
      const ended = endCall(open, false)
      return [...ended, ...this.#call({ index, call_id, name, arguments_delta })]
    }
    const incoming = open ?? { id: this.#idFor(callId), callId, waiting: [], call: null }
    this.#calls.set(index, incoming)
    const delta = arguments_delta ?? ""
    if (incoming.call !== null) return incoming.call.feed(delta)
    if (delta !== "") incoming.waiting.push(delta)
    if (name === null || name === undefined || name === "") return []
    incoming.call = nativeCall(incoming.id, name)
    const waiting = incoming.waiting.join("")
    incoming.waiting = []
    return incoming.call.feed(waiting)
  }

  /** The provider's id, or a new one if it is missing or taken. */
  #idFor(callId: string): string {
    const id = callId === "" || this.#ids.has(callId) ? `${this.prefix}${uniqueName()}` : callId
    this.#ids.add(id)
    return id
  }
}

/** Ends a call. One without a name is shown with its arguments but marked incomplete. */
function endCall(incoming: IncomingCall, aborted: boolean): SegmentEvent[] {
  if (incoming.call !== null) return incoming.call.end(aborted)
  const nameless = nativeCall(incoming.id, "")
  return [...nameless.feed(incoming.waiting.join("")), ...nameless.end(true)]
}
