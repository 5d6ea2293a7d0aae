// Orchestrates the plain parser and registered state classes behind `feed` and `finalize`.

import { endCopy } from "../parse/ending.ts"
import { fastEvent, feedCopy, holdHalfPair } from "../parse/machine.ts"
import { asciiLower } from "../parse/marker.ts"
import { TEXT } from "../parse/parser-state.ts"
import type { SegmentEvent } from "../parse/segment.ts"
import type { WorkingCopy } from "../parse/working-copy.ts"
import { closeSegment, emitText, flush } from "../parse/working-copy.ts"
import { configFor, ParserConfig, resolveParserName } from "./parser-config.ts"
import { TextState } from "./state-classes.ts"
import { ParserContext } from "./state-context.ts"
import { resolveRegistered, XmlToolParsingStateRegistry } from "./state-registry.ts"

/** Turns the text of one stream into segment events. */
export class StreamingParser {
  readonly config: ParserConfig
  readonly #context: ParserContext
  readonly #draft: WorkingCopy
  /** The state in which the plain parser reads. */
  readonly #plain: TextState
  #finalized = false

  constructor(config: ParserConfig = new ParserConfig()) {
    this.config = config
    this.#context = new ParserContext(config, resolveRegistered)
    this.#draft = this.#context.draft
    this.#plain = new TextState(this.#context)
    this.#context.transition_to(this.#plain)
  }

  get isFinalized(): boolean {
    return this.#finalized
  }

  /** What the states share; `context.currentState` is the state that reads. */
  get context(): ParserContext {
    return this.#context
  }

  /** The events that this text gives. Throws once the stream has ended. */
  feed(text: string): SegmentEvent[] {
    if (this.#finalized) throw new Error("Cannot feed a parser that has been finalized")
    const draft = this.#draft
    if (this.#context.currentState === this.#plain) {
      const quiet = fastEvent(draft, text)
      if (quiet !== null) return [quiet]
      const unread = feedCopy(draft, text)
      if (draft.mode.at === "foreign") this.#runClasses(unread)
    } else this.#runClasses(holdHalfPair(draft, text))
    flush(draft)
    const { events } = draft
    draft.events = []
    return events
  }

  /** The events that the stream's end gives; a block that is open ends with `complete: false`. Throws the second time. */
  finalize(): SegmentEvent[] {
    if (this.#finalized) throw new Error("finalize() has already been called")
    return this.#end(false)
  }

  /** Ends a stream that failed: all that is open, text included, ends with `complete: false`. */
  abort(): SegmentEvent[] {
    return this.#finalized ? [] : this.#end(true)
  }

  feedAndFinalize(text: string): SegmentEvent[] {
    return [...this.feed(text), ...this.finalize()]
  }

  #end(aborted: boolean): SegmentEvent[] {
    this.#finalized = true
    const { emitter, scanner } = this.#context
    const draft = this.#draft
    if (!this.#isPlain()) {
      const carry = draft.carry
      draft.carry = ""
      if (carry !== "") this.#runClasses(carry)
      emitter.ending = true
      this.#context.currentState?.finalize()
      emitText(draft, scanner.takeRest())
      if (!this.#isPlain()) closeSegment(draft, undefined, true)
    }
    endCopy(draft, aborted)
    return emitter.getAndClearEvents()
  }

  /** True where the plain parser reads, false where a class does. */
  #isPlain(): boolean {
    if (this.#draft.mode.at === "foreign") return false
    if (this.#context.currentState?.constructor === TextState) this.#context.transition_to(this.#plain)
    return this.#context.currentState === this.#plain
  }

  /** Lets the current class read until it has read all, or stops reading. */
  #runClasses(text: string): void {
    const context = this.#context
    const { scanner } = context
    scanner.append(text)
    for (;;) {
      this.#enterRegistered()
      const state = context.currentState
      const { position } = scanner
      if (state === null || (this.#isPlain() && !scanner.hasMoreChars())) return
      state.run()
      const isSame = context.currentState === state && this.#draft.mode.at !== "foreign"
      if (isSame && (scanner.position === position || !scanner.hasMoreChars())) return
    }
  }

  /** Makes an instance of the class that a tool's tag called for. */
  #enterRegistered(): void {
    const { mode } = this.#draft
    if (mode.at !== "foreign") return
    this.#draft.mode = TEXT
    const stateClass = registry.getStateForTool(asciiLower(mode.tool))
    if (stateClass === undefined) emitText(this.#draft, mode.tag)
    else this.#context.transition_to(new stateClass(this.#context, mode.tag))
  }
}

const registry = new XmlToolParsingStateRegistry()

/**
 * A parser by name: `xml`, `json`, `sentinel` or `api_tool_call`, by default the environment's. Its strategies replace
 * those of `config`. Throws where the name is unknown.
 */
export function createStreamingParser(
  options: { readonly config?: ParserConfig | undefined; readonly parserName?: string | undefined } = {},
): StreamingParser {
  const name = options.parserName ?? resolveParserName()
  return new StreamingParser(configFor(name.trim().toLowerCase(), options.config ?? new ParserConfig()))
}

/** All events of a text that is already whole. */
export function parseCompleteResponse(text: string, config?: ParserConfig): SegmentEvent[] {
  return new StreamingParser(config).feedAndFinalize(text)
}
