// Streams unparsed text as one segment.
import { isHighSurrogate } from "../parse/marker.ts"
import { type Metadata, SegmentEvent, type SegmentType } from "../parse/segment.ts"

/** One segment: START with its first characters, END when it is closed. Holds back half a surrogate pair. */
export class TextChannel {
  #started = false
  #carry = ""

  constructor(
    private readonly id: string,
    private readonly type: SegmentType,
  ) {}

  get isOpen(): boolean {
    return this.#started || this.#carry !== ""
  }

  /** Starts the segment before its first characters are known. */
  start(metadata: Metadata = {}): SegmentEvent[] {
    if (this.#started) return []
    this.#started = true
    return [SegmentEvent.start(this.id, this.type, metadata)]
  }

  feed(text: string): SegmentEvent[] {
    const whole = this.#carry + text
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
    const events = this.start()
    events.push(SegmentEvent.content(this.id, text))
    return events
  }
}
