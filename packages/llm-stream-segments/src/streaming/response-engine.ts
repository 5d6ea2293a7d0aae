// Turns the chunks of one response into events: text parsed or as it is, reasoning, and native tool calls.
import { type SegmentEvent, SegmentType } from "../parse/segment.ts"
import { type NativeCalls, TextChannel } from "./native-call.ts"
import type { ChunkResponseOptions } from "./provider-chunk.ts"
import type { TextReader } from "./text-parser.ts"

/** Shared, so that a chunk of mere text leaves no garbage. */
const NONE: readonly never[] = []

/** Reads one response. At its end text closes first, then calls, then reasoning. */
export class ResponseEngine {
  #reasoning: TextChannel | null = null
  #thoughts = 0

  constructor(
    private readonly text: TextReader,
    private readonly prefix: string,
    private readonly calls: NativeCalls | null,
  ) {}

  feed({ content, reasoning, tool_calls }: ChunkResponseOptions): SegmentEvent[] {
    const text = content ?? ""
    const deltas = tool_calls ?? NONE
    const settled = text === "" ? NONE : (this.calls?.settle() ?? NONE)
    if (deltas === NONE && !reasoning && this.#reasoning === null && settled.length === 0) return this.text.feed(text)
    const events = this.#think(reasoning ?? "")
    if (text !== "" || deltas.length > 0) events.push(...this.#endThought(false))
    events.push(...settled, ...this.text.feed(text))
    for (const delta of deltas) events.push(...(this.calls?.feed(delta, () => this.text.pause?.() ?? []) ?? []))
    return events
  }

  end(aborted: boolean): SegmentEvent[] {
    return [...this.text.end(aborted), ...(this.calls?.end(aborted) ?? []), ...this.#endThought(aborted)]
  }

  /** Streams reasoning as separate segments. Each ends when other content follows, or at the end. */
  #think(text: string): SegmentEvent[] {
    if (text === "") return []
    this.#reasoning ??= new TextChannel(`${this.prefix}reasoning_${++this.#thoughts}`, SegmentType.REASONING)
    return this.#reasoning.feed(text)
  }

  #endThought(aborted: boolean): SegmentEvent[] {
    const events = this.#reasoning?.end(aborted) ?? []
    this.#reasoning = null
    return events
  }
}
