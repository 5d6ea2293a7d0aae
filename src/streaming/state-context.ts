// Gives state classes their scanner, emitter, configuration and transitions.
import { resolveBuiltIn } from "../parse/content-tools.ts"
import { driveCopy, endCopy } from "../parse/machine.ts"
import { beginParse, type ResolveTool } from "../parse/parser-state.ts"
import { type WorkingCopy, workingCopy } from "../parse/working-copy.ts"
import { EventEmitter } from "./event-emitter.ts"
import { ParserConfig, rulesOf } from "./parser-config.ts"
import { StreamScanner } from "./scanner.ts"

/** A parser state: `run` reads the available text; `finalize` closes what is open (docs/decisions.md 7.4). */
export interface ParsingState {
  run(): void
  finalize(): void
}

/** The context shared by the states of one parser (docs/decisions.md 7.4). */
export class ParserContext {
  readonly config: ParserConfig
  readonly scanner = new StreamScanner()
  readonly emitter: EventEmitter
  /** The pure parser's working copy: it numbers the segments and runs every state that no class replaces. */
  readonly draft: WorkingCopy
  #state: ParsingState | null = null

  constructor(config: ParserConfig = new ParserConfig(), resolve: ResolveTool = resolveBuiltIn) {
    this.config = config
    this.draft = workingCopy(beginParse(rulesOf(config)), resolve)
    this.emitter = new EventEmitter(this.draft)
  }

  get parseToolCalls(): boolean {
    return this.config.parseToolCalls
  }

  get strategyOrder(): readonly string[] {
    return this.config.strategyOrder
  }

  /** The current state; null before the first transition. */
  get currentState(): ParsingState | null {
    return this.#state
  }

  /** Makes `state` the current one; it reads from the cursor. */
  transition_to(state: ParsingState): void {
    this.#state = state
  }

  transitionTo(state: ParsingState): void {
    this.transition_to(state)
  }

  /** Lets the pure parser read from the cursor; with `once`, only until it is back in plain text. */
  drive(once: boolean): void {
    this.scanner.append(driveCopy(this.draft, this.scanner.takeRest(), once))
  }

  /** Ends everything that the pure parser has open, as at the stream's end. */
  end(aborted = false): void {
    endCopy(this.draft, aborted)
  }
}
