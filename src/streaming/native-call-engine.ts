// Streams plain text and a provider's native tool calls.
import { type SegmentEvent, SegmentType } from "../parse/segment.ts"
import { uniqueName } from "./host-environment.ts"
import { type NativeCall, nativeCall } from "./native-call.ts"
import type { ChunkResponse, ToolCallDelta } from "./provider-chunk.ts"
import { ReasoningChannel, type ResponseEngine } from "./response-engine.ts"
import { TextChannel } from "./text-channel.ts"

/** A call that may get its name after its first arguments. */
interface IncomingCall {
  readonly id: string
  /** Arguments that came before the name. */
  waiting: string[]
  call: NativeCall | null
}

/** Streams one text segment for the whole response. At the end it closes first, then the calls by index. */
export class NativeCallEngine implements ResponseEngine {
  readonly #prefix: string
  readonly #text: TextChannel
  readonly #reasoning: ReasoningChannel
  readonly #calls = new Map<number, IncomingCall>()
  readonly #ids = new Set<string>()

  constructor(prefix: string) {
    this.#prefix = prefix
    this.#text = new TextChannel(`${prefix}text_0`, SegmentType.TEXT)
    this.#reasoning = new ReasoningChannel(prefix)
    this.#ids.add(this.#text.id)
  }

  feed(chunk: ChunkResponse): SegmentEvent[] {
    const events = [...this.#reasoning.feed(chunk), ...this.#text.feed(chunk.content)]
    for (const delta of chunk.tool_calls ?? []) events.push(...this.#call(delta))
    return events
  }

  end(aborted: boolean): SegmentEvent[] {
    const calls = [...this.#calls].sort(([a], [b]) => a - b).map(([, incoming]) => incoming)
    return [
      ...this.#text.end(aborted),
      ...calls.flatMap(incoming => endCall(incoming, aborted)),
      ...this.#reasoning.end(aborted),
    ]
  }

  #call({ index, call_id, name, arguments_delta }: ToolCallDelta): SegmentEvent[] {
    const incoming = this.#calls.get(index) ?? { id: this.#idFor(call_id ?? ""), waiting: [], call: null }
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
    const id = callId === "" || this.#ids.has(callId) ? `${this.#prefix}${uniqueName()}` : callId
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
