// Turns the chunks of one response into events: text parsed or as it is, reasoning, and native tool calls.
import { type SegmentEvent, SegmentType } from "../parse/segment.ts"
import { uniqueName } from "./host-environment.ts"
import { type CallMaker, type NativeCall, rawCall, TextChannel } from "./native-call.ts"
import { configFor, ParserConfig } from "./parser-config.ts"
import type { ChunkResponse, ToolCallDelta } from "./provider-chunk.ts"
import { TextParser, type TextReader } from "./text-parser.ts"

/** Shared, so that a chunk of mere text leaves no garbage. */
const NONE: readonly SegmentEvent[] = []

function joined(first: readonly SegmentEvent[], second: SegmentEvent[]): SegmentEvent[] {
  return first.length === 0 ? second : [...first, ...second]
}

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

  feed({ content, reasoning, tool_calls }: ChunkResponse): readonly SegmentEvent[] {
    if (this.#channel === null && reasoning === null) return NONE
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

  end(aborted: boolean): readonly SegmentEvent[] {
    if (this.#channel === null) return NONE
    const events = this.#channel.end(aborted)
    this.#channel = null
    return events
  }
}

/** Reads text with its calls, and with `native` the native calls beside it. */
export class ParsingEngine implements ResponseEngine {
  readonly #reasoning: ReasoningChannel

  constructor(
    private readonly parser: TextReader,
    prefix: string,
    private readonly native: NativeCallEngine | null = null,
  ) {
    this.#reasoning = new ReasoningChannel(prefix)
  }

  feed(chunk: ChunkResponse): SegmentEvent[] {
    const events = joined(this.#reasoning.feed(chunk), this.parser.feed(chunk.content))
    const { tool_calls } = chunk
    if (this.native === null || tool_calls === null || tool_calls.length === 0) return events
    return joined(events, this.native.feed({ ...chunk, content: "", reasoning: null }))
  }

  end(aborted: boolean): SegmentEvent[] {
    const native = this.native?.end(aborted) ?? []
    return [...this.parser.end(aborted), ...this.#reasoning.end(aborted), ...native]
  }
}

/** Reads the text between two native calls. */
interface BetweenCalls extends TextReader {
  readonly isOpen: boolean
}

/** An engine for native calls, made by `callOf`. Its text may contain tags of `config`, but none for calls. */
export function nativeEngine(
  prefix: string,
  config?: ParserConfig,
  callOf: CallMaker | null = rawCall,
): ResponseEngine {
  if (config === undefined || Object.keys(config.tags).length === 0) return new NativeCallEngine(prefix, callOf)
  return new NativeCallEngine(prefix, callOf, undefined, id => {
    return new TextParser(configFor("api_tool_call", new ParserConfig({ ...config, segmentIdPrefix: `${id}:` })))
  })
}

/** A call that may get its name after its first arguments. */
interface IncomingCall {
  readonly id: string
  /** The provider's id; empty for none. */
  readonly callId: string
  waiting: string[]
  call: NativeCall | null
  ended: boolean
}

/**
 * Streams text and, unless `callOf` is null, native calls. Text ends when a call begins. A call ends once its arguments
 * are complete and a call or text has begun after it. At the response's end text closes first, then calls by index.
 */
export class NativeCallEngine implements ResponseEngine {
  #text: BetweenCalls
  #texts = 0
  /** The call that began last; null if text did. */
  #latest: IncomingCall | null = null
  readonly #reasoning: ReasoningChannel
  readonly #calls = new Map<number | undefined, IncomingCall>()
  readonly #ids = new Set<string>()

  constructor(
    private readonly prefix: string,
    private readonly callOf: CallMaker | null = rawCall,
    textId = `${prefix}text_0`,
    private readonly readerOf: (id: string) => BetweenCalls = id => new TextChannel(id, SegmentType.TEXT),
  ) {
    this.#text = readerOf(textId)
    this.#reasoning = new ReasoningChannel(prefix)
    this.#ids.add(textId)
  }

  feed(chunk: ChunkResponse): SegmentEvent[] {
    const events = joined(this.#reasoning.feed(chunk), this.#textOf(chunk.content))
    if (this.callOf === null || chunk.tool_calls === null) return events
    return [...events, ...chunk.tool_calls.flatMap(delta => this.#call(delta))]
  }

  end(aborted: boolean): SegmentEvent[] {
    const calls = [...this.#calls].sort(([a = 0], [b = 0]) => a - b).map(([, incoming]) => incoming)
    this.#latest = null
    return [
      ...this.#text.end(aborted),
      ...calls.flatMap(incoming => endCall(incoming, aborted)),
      ...this.#reasoning.end(aborted),
    ]
  }

  #textOf(content: string): SegmentEvent[] {
    if (content === "") return []
    return joined(this.#begin(null), this.#text.feed(content))
  }

  #call(delta: ToolCallDelta): SegmentEvent[] {
    const { index, call_id } = delta
    const callId = call_id ?? ""
    const open = this.#calls.get(index)
    if (open !== undefined && !isNewCall(open, delta)) return this.#continue(open, delta)
    const replaced = open === undefined ? [] : endCall(open, false)
    const incoming = { id: this.#idFor(callId), callId, waiting: [], call: null, ended: false }
    this.#calls.set(index, incoming)
    return [...replaced, ...this.#endText(), ...this.#begin(incoming), ...this.#continue(incoming, delta)]
  }

  #continue(incoming: IncomingCall, { name, arguments_delta }: ToolCallDelta): SegmentEvent[] {
    let delta = arguments_delta ?? ""
    if (incoming.ended) return []
    if (incoming.call === null) {
      if (delta !== "") incoming.waiting.push(delta)
      if (name === null || name === undefined || name === "") return []
      incoming.call = (this.callOf ?? rawCall)(incoming.id, name)
      delta = incoming.waiting.join("")
      incoming.waiting = []
    }
    const events = incoming.call.feed(delta)
    return incoming === this.#latest ? events : [...events, ...endDone(incoming)]
  }

  #endText(): SegmentEvent[] {
    if (!this.#text.isOpen) return []
    const events = this.#text.end(false)
    this.#text = this.readerOf(this.#idFor(`${this.prefix}text_${++this.#texts}`))
    return events
  }

  /** Notes that `next` begins, and ends the call before it if that is complete. */
  #begin(next: IncomingCall | null): readonly SegmentEvent[] {
    const before = this.#latest
    this.#latest = next
    return before === null ? NONE : endDone(before)
  }

  /** The provider's id, or a new one if it is missing or taken. */
  #idFor(callId: string): string {
    const id = callId === "" || this.#ids.has(callId) ? `${this.prefix}${uniqueName()}` : callId
    this.#ids.add(id)
    return id
  }
}

/** Whether a delta at the index of `open` begins another call: by its id, or by its name if calls have no index. */
function isNewCall(open: IncomingCall, { index, call_id, name }: ToolCallDelta): boolean {
  const isOther = open.callId !== "" && (call_id ?? "") !== "" && call_id !== open.callId
  return isOther || (index === undefined && (name ?? "") !== "" && open.call?.isDone === true)
}

function endDone(incoming: IncomingCall): SegmentEvent[] {
  return incoming.call?.isDone === true ? endCall(incoming, false) : []
}

/** Ends a call, once. One without a name is shown with its arguments but marked incomplete. */
function endCall(incoming: IncomingCall, aborted: boolean): SegmentEvent[] {
  if (incoming.ended) return []
  incoming.ended = true
  if (incoming.call !== null) return incoming.call.end(aborted)
  const nameless = rawCall(incoming.id, "")
  return [...nameless.feed(incoming.waiting.join("")), ...nameless.end(true)]
}
