// Reads calls from events alone: their invocations, with the ids of their segments.
import { FULL_KIT } from "../parse/formats/full-kit.ts"
import type { JsonToolParsingStrategy } from "../parse/json-call.ts"
import type { SegmentEvent } from "../parse/segment.ts"
import { CallReader, type InvocationOptions, type ToolInvocation } from "./call-reader.ts"

/** Follows tool segments from START to END (docs/decisions.md 7.10). Ignores text and reasoning. */
export class ToolInvocationAdapter {
  readonly #reader: CallReader

  constructor(jsonParser?: JsonToolParsingStrategy, options: Omit<InvocationOptions, "jsonParser"> = {}) {
    this.#reader = new CallReader({ kit: FULL_KIT, ...options, jsonParser })
  }

  /** The first invocation that this event completes, or null. Ignores events of unknown segments. */
  processEvent(event: SegmentEvent): ToolInvocation | null {
    return this.invocationsOf(event)[0] ?? null
  }

  /** All invocations that these events complete. JSON may hold several calls. */
  processEvents(events: readonly SegmentEvent[]): ToolInvocation[] {
    return events.flatMap(event => this.invocationsOf(event))
  }

  /** All invocations that this event completes. */
  invocationsOf(event: SegmentEvent): readonly ToolInvocation[] {
    return this.#reader.read(event)
  }

  /** The ids of tool segments that have started but not ended. */
  getActiveSegmentIds(): string[] {
    return [...this.#reader.open.keys()]
  }

  reset(): void {
    this.#reader.open.clear()
  }
}
