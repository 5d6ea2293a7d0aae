// Queues a state class's events, in order and with the segment ids of the underlying parser.
import { type Metadata, type SegmentEvent, SegmentType } from "../parse/segment.ts"
import { closeSegment, emitText, flush, openSegment, type WorkingCopy } from "../parse/working-copy.ts"

/** Joins content that is emitted in pieces within one `feed` into one event. */
export class EventEmitter {
  readonly #copy: WorkingCopy
  /** Set at the stream's end: segments closed after that are incomplete. */
  ending = false

  constructor(copy: WorkingCopy) {
    this.#copy = copy
  }

  /** Ends the open segment, starts a new one, and returns its id. */
  emitSegmentStart(type: SegmentType, metadata: Metadata = {}): string {
    return openSegment(this.#copy, type, metadata)
  }

  /** Adds content to the open segment; opens a text segment if there is none. */
  emitSegmentContent(delta: string): void {
    emitText(this.#copy, delta)
  }

  /** Ends the open segment, as incomplete at the stream's end. `metadata` is what its START could not know. */
  emitSegmentEnd(metadata?: Metadata): void {
    closeSegment(this.#copy, metadata, this.ending)
  }

  /** Emits text; first ends an open segment that is not text. */
  appendTextSegment(text: string): void {
    if (this.segmentType !== null && this.segmentType !== SegmentType.TEXT) this.emitSegmentEnd()
    emitText(this.#copy, text)
  }

  /** The open segment's id; null if none is open. */
  get segmentId(): string | null {
    return this.#copy.segment?.id ?? null
  }

  get segmentType(): SegmentType | null {
    return this.#copy.segment?.type ?? null
  }

  getAndClearEvents(): SegmentEvent[] {
    flush(this.#copy)
    const { events } = this.#copy
    this.#copy.events = []
    return events
  }
}
