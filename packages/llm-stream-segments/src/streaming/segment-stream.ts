// Reads a response in a pipe of web streams, as events.
import type { SegmentEvent } from "../parse/segment.ts"
import { HostTransformStream } from "./host-environment.ts"
import type { SegmentChunk } from "./provider-chunk.ts"
import { chunkEngine } from "./response-engine.ts"
import type { ResponseHandler } from "./response-handler.ts"
import { handlerFor, type SegmentOptions } from "./segment-source.ts"

/** Turns the chunks of a response into the events of its handler. */
export class EventStream extends HostTransformStream<SegmentChunk, SegmentEvent> {
  constructor(handler: ResponseHandler) {
    super({
      transform(chunk, controller) {
        for (const event of handler.feed(chunk)) controller.enqueue(event)
      },
      flush(controller) {
        for (const event of handler.finalize()) controller.enqueue(event)
      },
    })
  }
}

/** Turns the chunks of a response into its events. */
export class SegmentStream extends EventStream {
  constructor(options: SegmentOptions = {}) {
    super(handlerFor(options, chunkEngine))
  }
}
