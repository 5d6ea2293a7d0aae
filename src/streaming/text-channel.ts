// Streams text that nobody parses as one segment: START with its first characters, END when it is closed.

import type { Metadata, SegmentType } from "../parse/segment.ts"
import { SegmentEvent } from "../parse/segment.ts"

/** A segment that is fed piece by piece. Half a surrogate pair waits for its other half. */
export class Channel {
  readonly id: string
  readonly type: SegmentType
  #started = false
  #carry = ""

  constructor(id: string, type: SegmentType) {
    this.id = id
    this.type = type
  }

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
    const last = whole.charCodeAt(whole.length - 1)
    this.#carry = last >= 0xd800 && last <= 0xdbff ? whole.slice(-1) : ""
    return this.#say(this.#carry === "" ? whole : whole.slice(0, -1))
  }

  /** Ends the segment, if it has started. `cut`: the stream ended before it did. */
  end(cut: boolean, metadata?: Metadata): SegmentEvent[] {
    const events = this.#say(this.#carry)
    this.#carry = ""
    if (!this.#started) return events
    this.#started = false
    events.push(SegmentEvent.end(this.id, metadata, cut))
    return events
  }

  #say(text: string): SegmentEvent[] {
    if (text === "") return []
    const events = this.start()
    events.push(SegmentEvent.content(this.id, text))
    return events
  }
}
