// Streams text as it is beside the native tool calls of a provider.

import type { SegmentEvent } from "../parse/segment.ts"
import { SegmentType } from "../parse/segment.ts"
import type { ApiCall } from "./api-call.ts"
import { apiCall } from "./api-call.ts"
import { uniqueName } from "./host-environment.ts"
import type { ChunkResponse, ToolCallDelta } from "./provider-chunk.ts"
import type { Engine } from "./response-engine.ts"
import { ReasoningChannel } from "./response-engine.ts"
import { Channel } from "./text-channel.ts"

/** A call as it comes in: its name may follow its first arguments, which wait for it. */
interface Incoming {
  readonly id: string
  waiting: string[]
  call: ApiCall | null
}

/** One text segment for the whole answer; it ends with the stream, and then the calls do, in the order of their index. */
export class ApiToolCallEngine implements Engine {
  readonly #prefix: string
  readonly #text: Channel
  readonly #reasoning: ReasoningChannel
  readonly #calls = new Map<number, Incoming>()
  readonly #ids = new Set<string>()

  constructor(prefix: string) {
    this.#prefix = prefix
    this.#text = new Channel(`${prefix}text_0`, SegmentType.TEXT)
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
    incoming.call = apiCall(incoming.id, name)
    const waiting = incoming.waiting.join("")
    incoming.waiting = []
    return incoming.call.feed(waiting)
  }

  /** The provider's own id, unless another segment has it. */
  #idFor(callId: string): string {
    const id = callId === "" || this.#ids.has(callId) ? `${this.#prefix}${uniqueName()}` : callId
    this.#ids.add(id)
    return id
  }
}

/** A call that never said its name is shown with what it had, and not made. */
function endCall(incoming: Incoming, aborted: boolean): SegmentEvent[] {
  if (incoming.call !== null) return incoming.call.end(aborted)
  const nameless = apiCall(incoming.id, "")
  return [...nameless.feed(incoming.waiting.join("")), ...nameless.end(true)]
}
