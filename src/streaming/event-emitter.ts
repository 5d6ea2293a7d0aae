// Queues the events of a state class and keeps them in the order and under the ids of the parser beneath.

import type { Metadata, SegmentEvent } from "../parse/segment.ts"
import { SegmentType } from "../parse/segment.ts"
import type { WorkingCopy } from "../parse/working-copy.ts"
import { closeSegment, emitText, flush, openSegment } from "../parse/working-copy.ts"

/** Content that is emitted piece by piece within one `feed` comes out as one event. */
export class EventEmitter {
  readonly #draft: WorkingCopy
  /** Set at the stream's end: what is closed from then on was cut. */
  ending = false

  constructor(draft: WorkingCopy) {
    this.#draft = draft
  }

  /** Starts a segment, ends the one that is open, and returns the new one's id. */
  emitSegmentStart(type: SegmentType, metadata: Metadata = {}): string {
    return openSegment(this.#draft, type, metadata)
  }

  /** Adds to the open segment; where none is open, the content is text. */
  emitSegmentContent(delta: string): void {
    emitText(this.#draft, delta)
  }

  /** Ends the open segment. `metadata` is what its START could not know. At the stream's end it is marked as cut. */
  emitSegmentEnd(metadata?: Metadata): void {
    closeSegment(this.#draft, metadata, this.ending)
  }

  /** Says text, ending whatever else is open. */
  appendTextSegment(text: string): void {
    if (this.segmentType !== null && this.segmentType !== SegmentType.TEXT) this.emitSegmentEnd()
    emitText(this.#draft, text)
  }

  /** The open segment's id and type; null where none is open. */
  get segmentId(): string | null {
    return this.#draft.segment?.id ?? null
  }

  get segmentType(): SegmentType | null {
    return this.#draft.segment?.type ?? null
  }

  getAndClearEvents(): SegmentEvent[] {
    flush(this.#draft)
    const { events } = this.#draft
    this.#draft.events = []
    return events
  }
}
