// Reads a text by a configuration, in place.
import { endCopy, fastEvent, feedCopy } from "../parse/machine.ts"
import { beginParse } from "../parse/parser-state.ts"
import type { SegmentEvent } from "../parse/segment.ts"
import { kitOf } from "../parse/syntax-rules.ts"
import { takeEvents, workingCopy } from "../parse/working-copy.ts"
import { type ParserConfig, rulesOf } from "./parser-config.ts"

/** What reads text: its events as it comes, and the last ones. With `aborted`, what is open is incomplete. */
export interface TextReader {
  feed(text: string): SegmentEvent[]
  end(aborted: boolean): SegmentEvent[]
}

/** Reads one text. */
export class TextParser implements TextReader {
  /** Something was read. */
  isOpen = false
  readonly #copy

  constructor(config: ParserConfig) {
    const kit = kitOf(config.tags)
    this.#copy = workingCopy(beginParse(rulesOf(config, kit)), kit)
  }

  feed(text: string): SegmentEvent[] {
    this.isOpen = true
    const event = fastEvent(this.#copy, text)
    if (event !== null) return [event]
    feedCopy(this.#copy, text)
    return takeEvents(this.#copy)
  }

  end(aborted: boolean): SegmentEvent[] {
    endCopy(this.#copy, aborted)
    return takeEvents(this.#copy)
  }
}
