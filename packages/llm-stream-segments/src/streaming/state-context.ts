// Gives state classes their scanner, emitter, configuration and transitions.
import { FULL_KIT } from "../parse/formats/full-kit.ts"
import type { ResolveTool } from "../parse/formats/tool-mode.ts"
import { driveCopy, endCopy } from "../parse/machine.ts"
import { beginParse } from "../parse/parser-state.ts"
import type { Metadata, SegmentEvent, SegmentType } from "../parse/segment.ts"
import {
  closeSegment,
  emitText,
  openSegment,
  takeEvents,
  type WorkingCopy,
  workingCopy,
} from "../parse/working-copy.ts"
import { ParserConfig, rulesOf } from "./parser-config.ts"
import { StreamScanner } from "./scanner.ts"

/** Joins content that is emitted in pieces within one `feed` into one event. */
export class EventEmitter {
  /** Set at the stream's end: segments closed after that are incomplete. */
  ending = false

  constructor(private readonly copy: WorkingCopy) {}

  /** Ends the open segment, starts a new one, and returns its id. */
  emitSegmentStart(type: SegmentType, metadata: Metadata = {}): string {
    return openSegment(this.copy, type, metadata)
  }

  /** Adds content to the open segment; opens a text segment if there is none. */
  emitSegmentContent(delta: string): void {
    emitText(this.copy, delta)
  }

  /** Ends the open segment, as incomplete at the stream's end. `metadata` is what its START could not know. */
  emitSegmentEnd(metadata?: Metadata): void {
    closeSegment(this.copy, metadata, this.ending)
  }

  /** Emits text; first ends an open segment that is not text. */
  appendTextSegment(text: string): void {
    if (this.segmentType !== null && this.segmentType !== "text") this.emitSegmentEnd()
    emitText(this.copy, text)
  }

  get segmentId(): string | null {
    return this.copy.segment?.id ?? null
  }

  get segmentType(): SegmentType | null {
    return this.copy.segment?.type ?? null
  }

  getAndClearEvents(): SegmentEvent[] {
    return takeEvents(this.copy)
  }
}

/** A parser state: `run` reads the available text; `finalize` closes what is open (docs/decisions.md 7.4). */
export interface ParsingState {
  run(): void
  finalize(): void
}

/** The context shared by the states of one parser (docs/decisions.md 7.4). */
export class ParserContext {
  readonly scanner = new StreamScanner()
  readonly emitter: EventEmitter
  /** The pure parser's working copy: it numbers the segments and runs every state that no class replaces. */
  readonly draft: WorkingCopy
  #state: ParsingState | null = null

  constructor(
    readonly config: ParserConfig = new ParserConfig(),
    resolve?: ResolveTool,
  ) {
    const kit = resolve === undefined ? FULL_KIT : { ...FULL_KIT, resolve }
    this.draft = workingCopy(beginParse(rulesOf(config, kit)), kit)
    this.emitter = new EventEmitter(this.draft)
  }

  get parseToolCalls(): boolean {
    return this.config.parseToolCalls
  }

  get strategyOrder(): readonly string[] {
    return this.config.strategyOrder
  }

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
    const { draft, scanner } = this
    scanner.putBack(driveCopy(draft, scanner.takeRest(), once))
  }

  /** Ends everything that the pure parser has open, as at the stream's end. */
  end(aborted = false): void {
    endCopy(this.draft, aborted)
  }
}
