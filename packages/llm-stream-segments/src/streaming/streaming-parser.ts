// Runs the pure parser and registered state classes behind `feed` and `finalize`.
import { driveCopy, endCopy, fastEvent, holdHalfPair } from "../parse/machine.ts"
import { asciiLower } from "../parse/marker.ts"
import { TEXT } from "../parse/parser-state.ts"
import type { SegmentEvent } from "../parse/segment.ts"
import { closeSegment, emitText, type WorkingCopy } from "../parse/working-copy.ts"
import { configFor, ParserConfig, type ParserConfigOptions, resolveParserName } from "./parser-config.ts"
import type { TextReader } from "./response-engine.ts"
import { type FindStateClass, resolverOf, stateClassesOf, TextState, type ToolStates } from "./state-classes.ts"
import { ParserContext } from "./state-context.ts"

/** How many states in a row may hand over to another without reading. */
const IDLE_STATES = 100

export class StreamingParser implements TextReader {
  /** The states' shared context; `context.currentState` is the current state. */
  readonly context: ParserContext
  readonly #copy: WorkingCopy
  /** The state in which the pure parser reads. */
  readonly #plain: TextState
  readonly #classOf: FindStateClass
  #finalized = false

  /** `toolStates` are state classes of this parser alone, by tool name. */
  constructor(
    readonly config: ParserConfig = new ParserConfig(),
    toolStates?: ToolStates,
  ) {
    this.#classOf = stateClassesOf(toolStates)
    this.context = new ParserContext(config, resolverOf(this.#classOf))
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
    const isPlain = this.context.currentState === this.#plain
    const event = isPlain ? fastEvent(copy, text) : null
    if (event !== null) return [event]
    const chunk = holdHalfPair(copy, text)
    const rest = isPlain ? driveCopy(copy, chunk) : chunk
    if (!isPlain || copy.mode.at === "foreign") this.#read(rest)
    return this.context.emitter.getAndClearEvents()
  }

  /** Ends the stream and returns its last events; an open block ends with `complete: false`. Throws the second time. */
  finalize(): SegmentEvent[] {
    if (this.#finalized) throw new Error("finalize() has already been called")
    return this.end(false)
  }

  /** Ends a failed stream: every open segment, text included, ends with `complete: false`. */
  abort(): SegmentEvent[] {
    return this.#finalized ? [] : this.end(true)
  }

  feedAndFinalize(text: string): SegmentEvent[] {
    return [...this.feed(text), ...this.finalize()]
  }

  end(aborted: boolean): SegmentEvent[] {
    this.#finalized = true
    const { emitter, scanner } = this.context
    const copy = this.#copy
    const carry = copy.carry
    copy.carry = ""
    if (carry !== "") this.#read(carry)
    if (!this.#isPlain()) {
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

  #read(text: string): void {
    const { scanner } = this.context
    scanner.append(text)
    this.#runStates()
    scanner.drop()
  }

  /** Runs the current state until it has read everything or waits. Throws if states only hand over to each other. */
  #runStates(): void {
    const context = this.context
    const { scanner } = context
    for (let idle = 0; idle < IDLE_STATES; idle++) {
      this.#enterRegistered()
      const state = context.currentState
      const { position } = scanner
      if (state === null || (this.#isPlain() && !scanner.hasMoreChars())) return
      state.run()
      const isSame = context.currentState === state && this.#copy.mode.at !== "foreign"
      if (isSame && (scanner.position === position || !scanner.hasMoreChars())) return
      if (scanner.position !== position) idle = 0
    }
    throw new Error(`expected a state to read, got ${IDLE_STATES} in a row that did not, at ${scanner.position}`)
  }

  #enterRegistered(): void {
    const { mode } = this.#copy
    if (mode.at !== "foreign") return
    this.#copy.mode = TEXT
    const stateClass = this.#classOf(asciiLower(mode.tool))
    if (stateClass === undefined) emitText(this.#copy, mode.tag)
    else this.context.transition_to(new stateClass(this.context, mode.tag))
  }
}

export interface ParserOptions {
  readonly config?: ParserConfig | undefined
  /** `xml`, `json`, `sentinel` or `api_tool_call`; by default the environment's, else `xml`. */
  readonly parserName?: string | undefined
  /** State classes of this parser alone, by tool name. */
  readonly toolStates?: ToolStates | undefined
}

/** A parser by name, which replaces the strategies; other options replace `config`'s. Throws if the name is unknown. */
export function createStreamingParser(options: ParserOptions & ParserConfigOptions = {}): StreamingParser {
  const { config, parserName = resolveParserName(), toolStates, ...own } = options
  return new StreamingParser(configFor(parserName, new ParserConfig({ ...config, ...own })), toolStates)
}

/** Parses a complete text. */
export function parseCompleteResponse(text: string, config?: ParserConfig): SegmentEvent[] {
  return new StreamingParser(config).feedAndFinalize(text)
}
