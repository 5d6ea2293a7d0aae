// Runs the pure parser and registered state classes behind `feed` and `finalize`.
import { endCopy, fastEvent, feedCopy, holdHalfPair } from "../parse/machine.ts"
import { asciiLower } from "../parse/marker.ts"
import { TEXT } from "../parse/parser-state.ts"
import type { SegmentEvent } from "../parse/segment.ts"
import { closeSegment, emitText, flush, type WorkingCopy } from "../parse/working-copy.ts"
import { configFor, ParserConfig, resolveParserName } from "./parser-config.ts"
import { resolveRegistered, TextState, XmlToolParsingStateRegistry } from "./state-classes.ts"
import { ParserContext } from "./state-context.ts"

export class StreamingParser {
  /** The states' shared context; `context.currentState` is the current state. */
  readonly context: ParserContext
  readonly #copy: WorkingCopy
  /** The state in which the pure parser reads. */
  readonly #plain: TextState
  #finalized = false

  constructor(readonly config: ParserConfig = new ParserConfig()) {
    this.context = new ParserContext(config, resolveRegistered)
    this.#copy = this.context.draft
    this.#plain = new TextState(this.context)
    this.context.transition_to(this.#plain)
  }

  get isFinalized(): boolean {
    return this.#finalized
  }

  /** Reads text and returns its events. Throws once the stream has ended. */
  feed(text: string): SegmentEvent[] {
    if (this.#finalized) throw new Error("Cannot feed a parser that has been finalized")
    const copy = this.#copy
    if (this.context.currentState === this.#plain) {
      const event = fastEvent(copy, text)
      if (event !== null) return [event]
      const unread = feedCopy(copy, text)
      if (copy.mode.at === "foreign") this.#runClasses(unread)
    } else this.#runClasses(holdHalfPair(copy, text))
    flush(copy)
    const { events } = copy
    copy.events = []
    return events
  }

  /** Ends the stream and returns its last events; an open block ends with `complete: false`. Throws the second time. */
  finalize(): SegmentEvent[] {
    if (this.#finalized) throw new Error("finalize() has already been called")
    return this.#end(false)
  }

  /** Ends a failed stream: every open segment, text included, ends with `complete: false`. */
  abort(): SegmentEvent[] {
    return this.#finalized ? [] : this.#end(true)
  }

  feedAndFinalize(text: string): SegmentEvent[] {
    return [...this.feed(text), ...this.finalize()]
  }

  #end(aborted: boolean): SegmentEvent[] {
    this.#finalized = true
    const { emitter, scanner } = this.context
    const copy = this.#copy
    if (!this.#isPlain()) {
      const carry = copy.carry
      copy.carry = ""
      if (carry !== "") this.#runClasses(carry)
      emitter.ending = true
      this.context.currentState?.finalize()
      emitText(copy, scanner.takeRest())
      if (!this.#isPlain()) closeSegment(copy, undefined, true)
    }
    endCopy(copy, aborted)
    return emitter.getAndClearEvents()
  }

  /** True if the pure parser reads, false if a registered class does. */
  #isPlain(): boolean {
    if (this.#copy.mode.at === "foreign") return false
    if (this.context.currentState?.constructor === TextState) this.context.transition_to(this.#plain)
    return this.context.currentState === this.#plain
  }

  /** Runs the current class until it has read everything or makes no progress. */
  #runClasses(text: string): void {
    const context = this.context
    const { scanner } = context
    scanner.append(text)
    for (;;) {
      this.#enterRegistered()
      const state = context.currentState
      const { position } = scanner
      if (state === null || (this.#isPlain() && !scanner.hasMoreChars())) return
      state.run()
      const isSame = context.currentState === state && this.#copy.mode.at !== "foreign"
      if (isSame && (scanner.position === position || !scanner.hasMoreChars())) return
    }
  }

  #enterRegistered(): void {
    const { mode } = this.#copy
    if (mode.at !== "foreign") return
    this.#copy.mode = TEXT
    const stateClass = registry.getStateForTool(asciiLower(mode.tool))
    if (stateClass === undefined) emitText(this.#copy, mode.tag)
    else this.context.transition_to(new stateClass(this.context, mode.tag))
  }
}

const registry = new XmlToolParsingStateRegistry()

/** A parser by name, default the environment's, which replaces `config`'s strategies. Throws if it is unknown. */
export function createStreamingParser(
  options: { readonly config?: ParserConfig | undefined; readonly parserName?: string | undefined } = {},
): StreamingParser {
  const name = options.parserName ?? resolveParserName()
  return new StreamingParser(configFor(name, options.config ?? new ParserConfig()))
}

/** Parses a complete text. */
export function parseCompleteResponse(text: string, config?: ParserConfig): SegmentEvent[] {
  return new StreamingParser(config).feedAndFinalize(text)
}
