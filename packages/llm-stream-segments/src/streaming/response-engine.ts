// Turns the chunks of one response into events: text parsed or as it is, reasoning, and native tool calls.
import { endCopy, fastEvent, feedCopy } from "../parse/machine.ts"
import { AFTER_BLOCK, beginParse, TEXT } from "../parse/parser-state.ts"
import type { Rules } from "../parse/rules.ts"
import type { SegmentEvent } from "../parse/segment.ts"
import { closeSegment, emitText, type Kit, takeEvents, workingCopy } from "../parse/working-copy.ts"
import { NativeCalls, NONE, TextChannel } from "./native-call.ts"
import { checkedChunk, type SegmentChunk, unexpected } from "./provider-chunk.ts"

/** Reads the chunks of one response. */
export interface Engine {
  feed(chunk: SegmentChunk): SegmentEvent[]
  end(aborted: boolean): SegmentEvent[]
}

/** Makes the engine of a response; `tools` is false if its native calls don't count. */
export type EngineMaker = (rules: Rules, kit: Kit, tools: boolean) => Engine

/** Reads text. */
export const textEngine: EngineMaker = (rules, kit) => new TextParser(rules, kit)

/** Reads text, reasoning and native calls. */
export const chunkEngine: EngineMaker = (rules, kit, tools) => {
  const { prefix } = rules
  return new ResponseEngine(new TextBesideCalls(rules, kit), prefix, tools ? new NativeCalls(prefix) : null)
}

/** What reads text: its events as it comes, and the last ones. With `aborted`, what is open is incomplete. */
export interface TextReader {
  feed(text: string): SegmentEvent[]
  /** Ends an open text, because a native call begins. */
  pause?(): SegmentEvent[]
  end(aborted: boolean): SegmentEvent[]
}

/** Reads one text. Throws a TypeError for a chunk that is none. */
class TextParser implements TextReader {
  protected readonly copy

  constructor(rules: Rules, kit: Kit) {
    this.copy = workingCopy(beginParse(rules), kit)
  }

  feed(text: string): SegmentEvent[] {
    if (typeof text !== "string") throw unexpected("text", text)
    const event = fastEvent(this.copy, text)
    if (event !== null) return [event]
    feedCopy(this.copy, text)
    return takeEvents(this.copy)
  }

  end(aborted: boolean): SegmentEvent[] {
    endCopy(this.copy, aborted)
    return takeEvents(this.copy)
  }
}

/** Reads a text that native calls interrupt. */
export class TextBesideCalls extends TextParser {
  pause(): SegmentEvent[] {
    const { copy } = this
    const { mode } = copy
    // What may have become a tag is text: it was cut off.
    if (mode.at === "opening") emitText(copy, mode.held)
    if (mode.at === "opening" || mode.at === "text") {
      copy.mode = TEXT
      copy.line = AFTER_BLOCK
      closeSegment(copy)
    }
    return takeEvents(copy)
  }
}

/** Reads one response. At its end text closes first, then calls, then reasoning. */
export class ResponseEngine implements Engine {
  #reasoning: TextChannel | null = null
  #thoughts = 0
  #isCut = false

  constructor(
    private readonly text: TextReader,
    private readonly prefix: string,
    private readonly calls: NativeCalls | null,
  ) {}

  feed(chunk: SegmentChunk): SegmentEvent[] {
    // Most chunks are text alone, while no thought and no call is open.
    const isText = typeof chunk === "object" && chunk?.reasoning === null && chunk.tool_calls === null
    const open = this.#reasoning ?? this.calls?.latest
    if (!isText || open || chunk.is_cut !== undefined || typeof chunk.content !== "string") return this.read(chunk)
    return this.text.feed(chunk.content)
  }

  /** Not a `#` method: calling one makes a chunk of text take half as long again in JavaScriptCore. */
  private read(chunk: SegmentChunk): SegmentEvent[] {
    const { content, reasoning, tool_calls, is_cut } = checkedChunk(chunk)
    this.#isCut = is_cut ?? this.#isCut
    const text = content ?? ""
    const deltas = tool_calls ?? NONE
    const settled = text === "" ? NONE : (this.calls?.settle() ?? NONE)
    const thought = this.#think(reasoning ?? "")
    if (text !== "" || deltas.length > 0) thought.push(...this.#endThought(false))
    const events = [...thought, ...settled, ...this.text.feed(text)]
    for (const delta of deltas) events.push(...(this.calls?.feed(delta, () => this.text.pause?.() ?? []) ?? []))
    return events
  }

  end(aborted: boolean): SegmentEvent[] {
    return [...this.text.end(aborted), ...(this.calls?.end(aborted, this.#isCut) ?? []), ...this.#endThought(aborted)]
  }

  /** Streams reasoning as separate segments. Each ends when other content follows, or at the end. */
  #think(text: string): SegmentEvent[] {
    if (text === "") return []
    this.#reasoning ??= new TextChannel(`${this.prefix}reasoning_${++this.#thoughts}`, "reasoning")
    return this.#reasoning.feed(text)
  }

  #endThought(aborted: boolean): SegmentEvent[] {
    const events = this.#reasoning?.end(aborted) ?? []
    this.#reasoning = null
    return events
  }
}
