// Streams native tool calls: their arguments as they come.
import { objectFrom } from "../parse/json-call.ts"
import { isHighSurrogate } from "../parse/marker.ts"
import { type Metadata, SegmentEvent, type SegmentType } from "../parse/segment.ts"
import { uniqueName } from "./host-environment.ts"
import type { ToolCallDelta } from "./provider-chunk.ts"

/** One segment: START with its first characters, END when it is closed. Holds back half a surrogate pair. */
export class TextChannel {
  #started = false
  #carry = ""

  constructor(
    private readonly id: string,
    private readonly type: SegmentType,
  ) {}

  /** Starts the segment before its first characters are known. */
  start(metadata: Metadata = {}): SegmentEvent[] {
    if (this.#started) return []
    this.#started = true
    return [SegmentEvent.start(this.id, this.type, metadata)]
  }

  feed(text: string): SegmentEvent[] {
    const whole = this.#carry === "" ? text : this.#carry + text
    this.#carry = isHighSurrogate(whole.charCodeAt(whole.length - 1)) ? whole.slice(-1) : ""
    return this.#emit(this.#carry === "" ? whole : whole.slice(0, -1))
  }

  /** Ends the segment if it has started. `truncated`: the stream ended first. */
  end(truncated: boolean, metadata?: Metadata): SegmentEvent[] {
    const events = this.#emit(this.#carry)
    this.#carry = ""
    if (!this.#started) return events
    this.#started = false
    events.push(SegmentEvent.end(this.id, metadata, truncated))
    return events
  }

  #emit(text: string): SegmentEvent[] {
    if (text === "") return []
    const content = SegmentEvent.content(this.id, text)
    return this.#started ? [content] : this.start().concat(content)
  }
}

export interface NativeCall {
  feed(argumentsDelta: string): SegmentEvent[]
  end(aborted: boolean): SegmentEvent[]
  /** The arguments' object is closed. */
  readonly isDone: boolean
}

/** Makes a call by its name; one without a name is only shown. */
export type CallMaker = (id: string, name: string) => NativeCall

/** Starts at once. Arguments that are no JSON object were cut off: the END says so, and has none. */
export const rawCall: CallMaker = (id, name) => {
  const channel = new TextChannel(id, "tool_call")
  const tool = name === "" ? {} : { tool_name: name }
  const deltas: string[] = []
  return {
    feed(delta) {
      deltas.push(delta)
      return [...channel.start(tool), ...channel.feed(delta)]
    },
    get isDone() {
      return objectFrom(deltas.join("")) !== null
    },
    end(aborted) {
      const text = deltas.join("")
      const args = text.trim() === "" ? {} : objectFrom(text)
      const metadata = { tool_name: name, ...(args === null ? {} : { arguments: args }) }
      return [...channel.start(tool), ...channel.end(aborted || args === null, metadata)]
    },
  }
}

/** Shared, so that a chunk of mere text leaves no garbage. */
export const NONE: readonly never[] = []

/** A call that may get its name after its first arguments. */
class IncomingCall {
  readonly #waiting: string[] = []
  #call: NativeCall | null = null
  #ended = false

  /** `callId` is the provider's; empty for none. */
  constructor(
    private readonly id: string,
    readonly callId: string,
    private readonly make: CallMaker,
  ) {}

  get isDone(): boolean {
    return this.#call?.isDone === true
  }

  feed(name: string, delta: string): SegmentEvent[] {
    if (this.#ended) return []
    if (this.#call !== null) return this.#call.feed(delta)
    this.#waiting.push(delta)
    if (name === "") return []
    this.#call = this.make(this.id, name)
    return this.#call.feed(this.#waiting.join(""))
  }

  /** Ends the call, once. One without a name is shown with its arguments but marked incomplete. */
  end(aborted: boolean): SegmentEvent[] {
    if (this.#ended) return []
    this.#ended = true
    if (this.#call !== null) return this.#call.end(aborted)
    const nameless = rawCall(this.id, "")
    return [...nameless.feed(this.#waiting.join("")), ...nameless.end(true)]
  }
}

/** The native calls of a response. One ends once its arguments are complete and a call or text has begun after it. */
export class NativeCalls {
  /** The call that began last; null if text did. */
  latest: IncomingCall | null = null
  readonly #calls = new Map<number | undefined, IncomingCall>()
  readonly #ids = new Set<string>()

  constructor(
    private readonly prefix: string,
    private readonly make: CallMaker = rawCall,
  ) {}

  /** Takes a delta. If it begins a call, the events of `before` come first. */
  feed(delta: ToolCallDelta, before: () => SegmentEvent[]): SegmentEvent[] {
    const { index, call_id, name, arguments_delta } = delta
    const open = this.#calls.get(index)
    const isNew = open === undefined || isNewCall(open, delta)
    const call = isNew ? new IncomingCall(this.#idFor(call_id ?? ""), call_id ?? "", this.make) : open
    const ended = isNew ? [...(open?.end(false) ?? []), ...before(), ...this.settle()] : []
    if (isNew) {
      this.#calls.set(index, call)
      this.latest = call
    }
    const events = [...ended, ...call.feed(name ?? "", arguments_delta ?? "")]
    const mayEnd = call !== this.latest && /\}\s*$/.test(arguments_delta ?? "")
    return mayEnd && call.isDone ? [...events, ...call.end(false)] : events
  }

  /** Ends the call that began last if it is complete: text has begun after it. */
  settle(): readonly SegmentEvent[] {
    const latest = this.latest
    this.latest = null
    return latest?.isDone === true ? latest.end(false) : NONE
  }

  /** Ends all calls, by their indices. With `isCut`, a call without complete arguments ends as incomplete. */
  end(aborted: boolean, isCut: boolean): SegmentEvent[] {
    const calls = [...this.#calls].sort(([a = 0], [b = 0]) => a - b)
    return calls.flatMap(([, call]) => call.end(aborted || (isCut && !call.isDone)))
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
  return isOther || (index === undefined && (name ?? "") !== "" && open.isDone)
}
